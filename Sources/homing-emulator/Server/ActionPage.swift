// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HTTPTypes
import HomingWire

/// `GET /emulator/action`: what a link leads to. It acts at once and answers JSON, for tests that follow links; a page
/// for people is `homing`'s.
struct ActionPage {
    static let path = "/emulator/action"
    /// What stands in the link of a reset, in the place of a password.
    static let placeholder = "NEW_PASSWORD_HERE"

    enum Answer {
        case told(HTTPResponse.Status, JSON)
        case redirect(String)
    }

    let query: QueryString

    func answer(in world: inout World) throws(Fault) -> Answer {
        guard text("apiKey") != nil else {
            return refused("missing apiKey query parameter", "The link carries an API key: open it as it is.")
        }
        guard let codeText = text("oobCode") else {
            return refused("missing oobCode query parameter", "The link carries a code: open it as it is.")
        }
        let place = Place(project: world.defaultProject, tenant: text("tenantId"))
        let code = world[place].code(codeText)
        switch text("mode") {
        case "resetPassword": return try reset(code, in: place, &world)
        case "verifyEmail": return try apply(code, in: place, &world, verb: "verify", done: "verified")
        case "verifyAndChangeEmail": return try apply(code, in: place, &world, verb: "change", done: "changed")
        case "recoverEmail": return recover(code, in: place, &world)
        case "signIn": return signIn()
        default: return .told(.badRequest, ["authEmulator": ["error": "Invalid mode"]])
        }
    }

    private func text(_ name: String) -> String? { query[name].flatMap { $0.isEmpty ? nil : $0 } }

    private func refused(_ error: String, _ instructions: String, _ more: [(String, JSON?)] = []) -> Answer {
        let members: [(String, JSON?)] = [("error", .string(error)), ("instructions", .string(instructions))]
        return .told(.badRequest, ["authEmulator": .object(members + more)])
    }

    private func expired(_ verb: String, _ object: String) -> Answer {
        refused(
            "Your request to \(verb) your \(object) has expired or the link has already been used.",
            "Ask for a new link.")
    }

    private func done(_ sentence: String, _ name: String, _ email: String) -> Answer {
        if let url = text("continueUrl") { return .redirect(url) }
        return .told(.ok, ["authEmulator": .object([("success", .string(sentence)), (name, .string(email))])])
    }

    private func reset(_ code: AccountSpace.Code?, in place: Place, _ world: inout World) throws(Fault) -> Answer {
        guard let code, code.kind == "PASSWORD_RESET" else { return expired("reset", "password") }
        let hints: [(String, JSON?)] = [
            ("instructions2", "The new password goes into the link's query, as newPassword."),
            ("urlTemplate", .string("\(code.link)&newPassword=\(Self.placeholder)")),
        ]
        let sentence = "To reset the password of \(code.email), open the link with a new password in it."
        guard let password = text("newPassword") else {
            return refused("missing newPassword query parameter", sentence, hints)
        }
        guard password != Self.placeholder else {
            return refused("newPassword must be something other than '\(Self.placeholder)'", sentence, hints)
        }
        try world.reset(by: code, to: password, in: place)
        return done("The password has been successfully updated.", "email", code.email)
    }

    private func apply(
        _ code: AccountSpace.Code?, in place: Place, _ world: inout World, verb: String, done: String
    ) throws(Fault) -> Answer {
        guard let code, !["PASSWORD_RESET", "EMAIL_SIGNIN"].contains(code.kind) else { return expired(verb, "email") }
        do throws(Fault) {
            let account = try world.apply(code, in: place)
            return self.done(
                "The email has been successfully \(done).", verb == "change" ? "newEmail" : "email", account.email ?? ""
            )
        } catch {
            guard error.message == "INVALID_OOB_CODE" else { throw error }
            return expired(verb, "email")
        }
    }

    private func recover(_ code: AccountSpace.Code?, in place: Place, _ world: inout World) -> Answer {
        guard let code, code.kind == "RECOVER_EMAIL" else {
            return refused("Requested mode does not match the OOB code provided.", "Ask for a new link.")
        }
        guard let account = try? world.apply(code, in: place) else { return expired("revert", "email") }
        return .told(
            .ok,
            [
                "authEmulator": [
                    "success": "The email has been successfully reset.", "email": .string(account.email ?? ""),
                ]
            ])
    }

    /// The app signs in: its page gets the link's parameters.
    private func signIn() -> Answer {
        guard let url = text("continueUrl") else {
            return refused("Missing continueUrl query parameter", "A sign-in link names the page that signs in.")
        }
        return .redirect(Self.adding(query.parameters.filter { $0.name != "continueUrl" }, to: Self.withPath(url)))
    }

    /// A URL with parameters: in the place of those that it has by these names, else at the end of its query.
    private static func adding(_ parameters: [QueryString.Parameter], to url: String) -> String {
        let (address, fragment) = cut(url, at: "#")
        let (base, query) = cut(address, at: "?")
        var pieces = query.split(separator: "&").map { String($0) }
        for parameter in parameters {
            let piece = "\(percentEncoded(parameter.name))=\(percentEncoded(parameter.value))"
            let places = pieces.indices.filter {
                percentDecoded(pieces[$0].prefix { $0 != "=" }) == parameter.name
            }
            guard let first = places.first else {
                pieces.append(piece)
                continue
            }
            for place in places.dropFirst().reversed() { pieces.remove(at: place) }
            pieces[first] = piece
        }
        return "\(base)?\(pieces.joined(separator: "&"))" + (fragment.isEmpty ? "" : "#\(fragment)")
    }

    private static func cut(_ text: String, at mark: Character) -> (String, String) {
        guard let index = text.firstIndex(of: mark) else { return (text, "") }
        return (String(text[..<index]), String(text[text.index(after: index)...]))
    }

    /// A web address has a path, as browsers write it.
    private static func withPath(_ url: String) -> String {
        guard let start = url.range(of: "://")?.upperBound else { return url }
        guard let end = url[start...].firstIndex(where: { "/?#".contains($0) }) else { return url + "/" }
        return url[end] == "/" ? url : url[..<end] + "/" + url[end...]
    }
}
