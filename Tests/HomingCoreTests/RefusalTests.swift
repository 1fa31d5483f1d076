// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingDatabase
import HomingLinkRules
import HomingPasswords
import HomingProjects
import HomingStore
import Testing

@Suite struct RefusalTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func sources() throws -> [(name: String, text: String)] {
        let folder = root.appendingPathComponent("Sources")
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try paths.filter { $0.hasSuffix(".swift") }.map {
            ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
        }
    }

    /// The names and the words on the wire of the refusals that subjects declare.
    private static func declared() throws -> (names: [String], words: Set<String>) {
        var (names, words): ([String], [String]) = ([], [])
        for (_, text) in try sources() where text.contains("extension Refusal") {
            let plain =
                text.matches(of: #/Refusal\(\s*"([A-Z_]+)"/#).map { String($0.1) }
                + text.matches(of: #/static let \w+: Self = "([A-Z_]+)"/#).map { String($0.1) }
            words += plain + text.matches(of: #/says: "([A-Z_]+)"/#).map { String($0.1) }
            names += plain + text.matches(of: #/\b(?:Code|Self)\(\s*"([A-Z_]+)", says: /#).map { String($0.1) }
        }
        return (names, Set(words))
    }

    @Test func `no two refusals have the same name, also where they say the same word`() throws {
        let names = try Self.declared().names
        #expect(names.count > 90)
        #expect(Set(names.filter { name in names.count { $0 == name } > 1 }) == [])
    }

    @Test func `the manual has every code, and none that nobody is refused with`() throws {
        let words = try Self.declared().words
        let folder = Self.root.appendingPathComponent("docs")
        func page(_ name: String) throws -> String {
            try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        }
        let wire = try page("wire.md")
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
        let all = try pages.map(page).joined()
        #expect(words.filter { !all.contains("`\($0)`") && !all.contains("`\($0) : …`") } == [])
        let errors = try #require(wire.components(separatedBy: "\n## Errors\n").last)
            .components(separatedBy: "\n## ")[0]
        let listed = errors.matches(of: #/`([A-Z]+_[A-Z_]+)(?: : …)?`/#).map { String($0.1) }
        #expect(listed.count > 60)
        #expect(listed.filter { !words.contains($0) } == [])
    }

    @Test func `no refusal and no warning names a command of the shell`() throws {
        let modules = ["HomingCore", "HomingProjects", "HomingShortLinks", "HomingServer"]
        let rooms = try Self.sources().filter { source in modules.contains { source.name.hasPrefix("\($0)/") } }
        #expect(rooms.count > 100)
        for (name, text) in rooms where text.contains("homing ") {
            // A fault is for the server's operator alone.
            let lines = text.split(separator: "\n").filter { $0.contains("homing ") && !$0.contains("Fault(") }
            #expect(lines.filter { $0.contains(#/"[^"]*: homing [a-z]/#) } == [], "\(name)")
            guard name.contains("Refusals") || name.contains("Rules/") else { continue }
            #expect(lines.filter { $0.contains(#/"[^"]*\bhoming [a-z-]+ [a-z]+/#) } == [], "\(name)")
        }
    }

    /// What a refusal says on the wire, and the code under which it is counted.
    private static let answers: [(Refusal, message: String, code: String)] = [
        (.emailExists, "EMAIL_EXISTS", "EMAIL_EXISTS"),
        (.apiKeyInvalid, "API key not valid. Please pass a valid API key.", "INVALID_ARGUMENT"),
        (.apiKeyMissing, "The request is missing a valid API key.", "PERMISSION_DENIED"),
        (
            .adminKeyInvalid, "Request had invalid authentication credentials. Expected an admin key.",
            "UNAUTHENTICATED"
        ),
        (.outsideProjects("Not this one."), "INSUFFICIENT_PERMISSION : Not this one.", "INSUFFICIENT_PERMISSION"),
        (.projectNotFound, "PROJECT_NOT_FOUND", "PROJECT_NOT_FOUND"),
        (.invalidArgument("a: b"), "INVALID_ARGUMENT : a: b", "INVALID_ARGUMENT"),
        (.invalidSetting("a : b"), "INVALID_ARGUMENT : a : b", "INVALID_ARGUMENT"),
        (.weakPassword(.empty), "WEAK_PASSWORD", "WEAK_PASSWORD"),
        (.weakPassword(.short), "WEAK_PASSWORD : Password should be at least 6 characters", "WEAK_PASSWORD"),
        (.passwordTooLong, "WEAK_PASSWORD : Password should be at most 1024 bytes", "WEAK_PASSWORD"),
        (
            .passwordRequirements([.minimumLength(10), .digit]),
            "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [Password must contain at least 10 "
                + "characters, Password must contain a numeric character]", "PASSWORD_DOES_NOT_MEET_REQUIREMENTS"
        ),
        (.invalidRequestType(""), "INVALID_REQ_TYPE", "INVALID_REQ_TYPE"),
        (.codeInvalid(.replaced), "INVALID_OOB_CODE", "INVALID_OOB_CODE"),
        (
            .signInEmailMismatch, "INVALID_EMAIL : The email provided does not match the sign-in email address.",
            "INVALID_EMAIL"
        ),
        (
            .emailChangeNeedsVerification, "OPERATION_NOT_ALLOWED : Please verify the new email before changing email.",
            "OPERATION_NOT_ALLOWED"
        ),
        (.dynamicLinkNotActivated, "DYNAMIC_LINK_NOT_ACTIVATED : add a link domain", "DYNAMIC_LINK_NOT_ACTIVATED"),
        (.invalidDynamicLink(code: "MISSING_LINK", "give one"), "MISSING_LINK : give one", "MISSING_LINK"),
        (
            .tooManyRequests(retryAfterSeconds: 1),
            "TOO_MANY_ATTEMPTS_TRY_LATER : Too many requests from this address. Try again in a moment.",
            "TOO_MANY_ATTEMPTS_TRY_LATER"
        ),
        (
            .tooManyRequests(retryAfterSeconds: 3600), "QUOTA_EXCEEDED : The quota is used up. Try again later.",
            "QUOTA_EXCEEDED"
        ),
        (.keyMissing, "UNAVAILABLE : The server is busy. Try again in a moment.", "UNAVAILABLE"),
        (.notFound("there is no mail 1", remedy: .listMails), "NOT_FOUND : there is no mail 1", "NOT_FOUND"),
        (.changedMeanwhile("look again"), "ABORTED : look again", "ABORTED"),
    ]

    @Test(arguments: answers.indices)
    func `a refusal says on the wire its code and its sentence, and never its remedy`(index: Int) {
        let (refusal, message, code) = Self.answers[index]
        #expect(refusal.wireMessage == message)
        #expect(refusal.wireCode == code)
    }

    @Test func `refusals are alike where code, sentence and cause are`() {
        #expect(Refusal.codeInvalid(.used) == .codeInvalid(.used))
        #expect(Refusal.codeInvalid(.used) != .codeInvalid(.replaced))
        #expect(Refusal.databaseUnavailable(.commitUnknown) != .overloaded(retryAfterSeconds: 1))
        #expect(Refusal.overloaded(retryAfterSeconds: 1) != .overloaded(retryAfterSeconds: 2))
        #expect(Refusal.invalidSetting("a") != .invalidArgument("a"), "they share a word only")
        #expect(Refusal.notFound("a") != .notFound("a", remedy: .listMails))
        func isCaught(_ error: any Error) -> Bool {
            do { throw error } catch Refusal.emailExists { return true } catch Refusal.Code.notFound {
                return true
            } catch {
                return false
            }
        }
        #expect(isCaught(Refusal.emailExists) && isCaught(Refusal.notFound("there is none")))
        #expect(!isCaught(Refusal.emailNotFound) && !isCaught(Refusal.invalidSetting("a")))
        #expect(!isCaught(CancellationError()))
    }
}
