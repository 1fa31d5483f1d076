// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingClient
internal import HomingWire

/// The secret of whoever asks for a mail (RFC 7636): the server is told its challenge, and hears the secret itself when
/// the mail was answered.
struct CodeVerifier: Sendable, Equatable {
    /// 43 characters of base64url.
    let text: String

    /// 32 bytes of the system's random generator.
    init() {
        var generator = SystemRandomNumberGenerator()
        text = Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// What a request that asks for a mail says of it: S256, section 4.2.
    var challenge: [(String, JSON?)] {
        [
            ("codeChallenge", .string(Base64URL.encode(SHA256.hash(text.utf8)))),
            ("codeChallengeMethod", "S256"),
        ]
    }
}
