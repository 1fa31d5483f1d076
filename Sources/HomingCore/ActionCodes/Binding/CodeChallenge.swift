// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Crypto
import Foundation
package import HomingStore
import HomingWire

/// What a client shows when it asks for a code, and answers with the verifier that it alone has (RFC 7636, S256).
package struct CodeChallenge: Sendable, Equatable {
    /// The SHA-256 of the verifier, as 43 characters of base64url.
    package let text: String

    /// The challenge of the empty string, which everybody can answer.
    private static let ofNothing = CodeChallenge(digesting: "")

    /// - Parameter method: `S256`, which a missing one means, too. The other one of RFC 7636, `plain`, shows the
    ///   verifier to whoever sees the request.
    package init(parsing text: String, method: String?) throws(Refusal) {
        if let method, !method.utf8.elementsEqual("S256".utf8) {
            throw .invalidCodeChallenge("codeChallengeMethod has to be S256.")
        }
        guard text.utf8.count == 43, Base64URL.decode(text) != nil else {
            throw .invalidCodeChallenge("codeChallenge has to be a SHA-256 in 43 characters of base64url.")
        }
        guard !text.utf8.elementsEqual(Self.ofNothing.text.utf8) else {
            throw .invalidCodeChallenge("codeChallenge is the SHA-256 of nothing, which anybody can answer.")
        }
        self.text = text
    }

    /// The challenge that a verifier answers; nil for a text that is none: 43 to 128 letters, digits, `-`, `.`, `_` and
    /// `~` (RFC 7636 section 4.1).
    package init?(of verifier: String) {
        guard (43...128).contains(verifier.utf8.count),
            verifier.utf8.allSatisfy({ ASCII.isLetterOrDigit($0) || "-._~".utf8.contains($0) })
        else { return nil }
        self.init(digesting: verifier)
    }

    private init(digesting text: String) {
        self.text = Base64URL.encode(SHA256.hash(data: Data(text.utf8)))
    }

    /// - Parameter text: as the database has it.
    init(stored text: String) { self.text = text }

    package func isAnswered(by verifier: String) -> Bool {
        CodeChallenge(of: verifier).map { areEqualInConstantTime(Array($0.text.utf8), Array(text.utf8)) } ?? false
    }

    package static func == (one: CodeChallenge, other: CodeChallenge) -> Bool {
        one.text.utf8.elementsEqual(other.text.utf8)
    }
}
