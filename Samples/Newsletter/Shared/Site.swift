// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The newsletter's own back end. It asks Homing whose ID token it is given.
struct Site: Sendable {
    let url: URL

    /// Which Homing keeps the readers. An app of your own has these two in its source or its Info.plist.
    struct Settings: Codable, Sendable {
        /// Homing's public URL.
        let homing: URL
        /// A key of the project.
        let apiKey: String
        /// Where the demo shows its mails.
        let mailbox: URL
        /// The domain of its links. On Apple platforms it stands in Info.plist.
        let linkDomain: String
    }

    /// A letter: all of it for readers, title and first lines for everybody else.
    struct Letter: Decodable, Sendable {
        let title: String
        let teaser: String?
        let issue: String?
        let letters: [Part]?

        struct Part: Decodable, Sendable {
            let heading: String
            let text: [String]
        }
    }

    /// What a subscriber has.
    struct Subscription: Decodable, Sendable {
        let plan: String
        let email: String
    }

    /// Why the site did not do what it was asked to.
    enum Fault: Error {
        /// No answer.
        case unreachable(URL)
        /// It did not know the reader.
        case signInFirst
        /// It refused, in its own words.
        case refused(String)
    }

    func settings() async throws -> Settings {
        try await decoded(Settings.self, try await ask("settings.json"))
    }

    func letter(_ name: String, idToken: String?) async throws -> Letter {
        let answer = try await ask("api/letters/\(name)", idToken: idToken)
        // Strangers get the first lines.
        return try await decoded(Letter.self, answer, allowing: 401)
    }

    func subscribe(to plan: Plan, idToken: String) async throws -> Subscription {
        let body = try JSONEncoder().encode(["plan": plan.rawValue])
        return try await decoded(Subscription.self, try await ask("api/subscriptions", idToken: idToken, posting: body))
    }

    private func ask(_ path: String, idToken: String? = nil, posting body: Data? = nil) async throws -> (Data, Int) {
        var request = URLRequest(url: url.appendingPathComponent(path))
        request.timeoutInterval = 15
        request.httpMethod = body == nil ? "GET" : "POST"
        request.httpBody = body
        if let idToken { request.setValue("Bearer \(idToken)", forHTTPHeaderField: "Authorization") }
        do {
            let (data, response) = try await URLSession.shared.data(for: request)
            return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
        } catch {
            throw Fault.unreachable(url)
        }
    }

    private func decoded<Answer: Decodable>(
        _ type: Answer.Type, _ answer: (body: Data, status: Int), allowing other: Int = 200
    ) async throws -> Answer {
        if answer.status == 200 || answer.status == other {
            guard let value = try? JSONDecoder().decode(type, from: answer.body) else {
                throw Fault.refused("\(url) is not the newsletter of the demo.")
            }
            return value
        }
        if answer.status == 401 { throw Fault.signInFirst }
        let words = try? JSONDecoder().decode([String: String].self, from: answer.body)["error"]
        throw Fault.refused(words ?? "\(url) answered \(answer.status).")
    }
}
