// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// The reason why there is no access token. It holds nothing of the request and, of the answer, only codes.
package struct OAuthFault: Error, Sendable, Equatable {
    /// Whether it may end by itself; otherwise an operator has to change something.
    package let isTemporary: Bool
    /// What is the matter, and for an operator what to do.
    package let sentence: String

    package init(isTemporary: Bool, sentence: String) {
        self.isTemporary = isTemporary
        self.sentence = sentence
    }

    static func temporary(_ sentence: String) -> OAuthFault { OAuthFault(isTemporary: true, sentence: sentence) }

    /// What it means for a mail.
    var outcome: DeliveryOutcome {
        let text = Printable.ascii("no access token: \(sentence)")
        return isTemporary ? .relayUnavailable(text) : .relayRefusesUs(text)
    }
}

/// The answer of a token endpoint (RFC 6749, sections 5.1 and 5.2).
package struct OAuthAnswer: Sendable {
    private let status: Int
    private let body: [UInt8]

    package struct Token: Sendable, Equatable {
        package let text: String
        /// Seconds.
        package let life: Int64
        /// In place of the one that was used, if the endpoint gave a new one.
        package let refreshToken: String?
    }

    package init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }

    /// The life of a token whose answer does not tell it.
    private static let usualLife: Int64 = 3_600

    package func token() throws(OAuthFault) -> Token {
        let answer = (try? JSON.parse(body))?.objectValue
        // Some answer 200 with an error inside, others name it and say that there is none.
        if let error = answer?["error"], error != .null { throw fault(error, answer) }
        guard (200...299).contains(status), let answer else {
            throw .temporary("the token endpoint answered \(status), and no JSON of OAuth")
        }
        // A byte that is not visible would end the token for the relay, and what follows would be read as an order.
        guard let text = answer["access_token"]?.stringValue, !text.isEmpty, text.utf8.count <= 16_384,
            text.utf8.allSatisfy(ASCII.isVisible)
        else { throw .temporary("the token endpoint answered \(status) without an access token") }
        let life = answer["expires_in"].flatMap { $0.integerValue ?? $0.stringValue.flatMap { Int64($0) } }
        return Token(
            text: text, life: min(max(life ?? Self.usualLife, 1), 86_400),
            refreshToken: answer["refresh_token"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 })
    }

    private func fault(_ error: JSON, _ answer: JSON.Object?) -> OAuthFault {
        let name = error.stringValue.flatMap(Self.word)
        let numbers = answer?["error_codes"]?.arrayValue?.compactMap(\.integerValue) ?? []
        let known = Self.meanings.first { meaning in
            switch meaning.sign {
            case .number(let number): numbers.contains(number)
            case .error(let word): name.map { $0.utf8.elementsEqual(word.utf8) } ?? false
            }
        }
        let codes = [name] + numbers.prefix(1).map { "AADSTS\($0)" }
        let shown = codes.compactMap(\.self).joined(separator: ", ")
        let sentence = known?.sentence ?? "the token endpoint refuses the request"
        let isTemporary = known?.isTemporary ?? (status >= 500 || status == 429)
        return OAuthFault(isTemporary: isTemporary, sentence: shown.isEmpty ? sentence : "\(sentence) (\(shown))")
    }

    /// An error's name as RFC 6749 writes them; a stranger's words are not repeated.
    private static func word(_ text: String) -> String? {
        let isWord = text.utf8.count <= 40 && text.utf8.allSatisfy { (0x61...0x7a).contains($0) || $0 == 0x5f }
        return isWord && !text.isEmpty ? text : nil
    }

    private struct Meaning {
        enum Sign { case number(Int64), error(String) }
        let sign: Sign
        var isTemporary = false
        let sentence: String
    }

    /// The first that fits counts: Microsoft's numbers say more than the error that they come with.
    private static let meanings = [
        Meaning(
            sign: .number(7_000_215),
            sentence: "the client secret is wrong; give the secret's value, not its id"),
        Meaning(
            sign: .number(7_000_222),
            sentence: "the client secret has expired; make a new one in the app registration and set it here"),
        Meaning(
            sign: .number(700_016),
            sentence: "the tenant has no app with this id; correct client or tenant"),
        Meaning(sign: .number(90_002), sentence: "there is no such tenant; correct tenant"),
        Meaning(sign: .number(70_011), sentence: "the scope is not valid; correct scope"),
        Meaning(
            sign: .number(65_001),
            sentence: "the app has no consent; let an administrator grant it the permission"),
        Meaning(
            sign: .number(700_082),
            sentence: "the refresh token has expired; sign in again and set the new one"),
        Meaning(
            sign: .number(50_173),
            sentence: "the refresh token was revoked; sign in again and set the new one"),
        Meaning(
            sign: .error("invalid_client"),
            sentence: "the client or its secret is wrong; correct client and secret"),
        Meaning(
            sign: .error("invalid_grant"),
            sentence: "the refresh token or key is refused: revoked, expired, or this machine's clock is wrong"),
        Meaning(
            sign: .error("unauthorized_client"),
            sentence: "it may not ask for this mailbox; allow client and scope in domain-wide delegation"),
        Meaning(
            sign: .error("invalid_scope"),
            sentence: "the scope is not known or not allowed; correct scope, or allow it"),
        Meaning(
            sign: .error("temporarily_unavailable"), isTemporary: true,
            sentence: "the token endpoint is away for a while"),
        Meaning(sign: .error("server_error"), isTemporary: true, sentence: "the token endpoint is at fault"),
    ]
}
