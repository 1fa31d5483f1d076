// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// What several operations ask of a value.
enum Rules {
    static let weakPassword = Fault("WEAK_PASSWORD : Password should be at least 6 characters")

    static func isAddress(_ text: String) -> Bool {
        let at = text.utf8.count { $0 == UInt8(ascii: "@") }
        return at == 1 && text.utf8.first != UInt8(ascii: "@") && text.utf8.last != UInt8(ascii: "@")
    }

    /// An address as accounts have it.
    static func address(_ text: String) throws(Fault) -> String {
        guard isAddress(text) else { throw Fault("INVALID_EMAIL") }
        return text.lowercased()
    }

    static func password(_ text: String) throws(Fault) -> String {
        guard text.utf16.count >= 6 else { throw weakPassword }
        return text
    }

    static func phoneNumber(_ text: String) throws(Fault) -> String {
        guard text.hasPrefix("+") else { throw Fault("INVALID_PHONE_NUMBER : Invalid format.") }
        return text
    }

    /// Whether a text has a scheme, and a host where it is of the web.
    static func isAbsoluteURL(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":"), let first = text.utf8.first, ASCII.isLetter(first) else {
            return false
        }
        let scheme = text[..<colon]
        guard scheme.utf8.allSatisfy({ ASCII.isLetterOrDigit($0) || "+-.".utf8.contains($0) }) else { return false }
        guard ["http", "https"].contains(scheme.lowercased()) else { return true }
        let rest = text[text.index(after: colon)...].drop { $0 == "/" }
        let host = rest.prefix { !"/?#".contains($0) }
        return !host.isEmpty && !host.contains(" ")
    }

    private static let reservedClaims: Set<String> = [
        "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf", "auth_time", "firebase",
        "at_hash", "c_hash",
    ]

    /// The first claim that a token needs for itself.
    static func forbiddenClaim(in claims: JSON.Object) -> String? {
        claims.members.first { reservedClaims.contains($0.key) }?.key
    }

    static func claims(_ text: String) throws(Fault) {
        guard text.utf16.count <= 1000 else { throw Fault("CLAIMS_TOO_LARGE") }
        guard let object = (try? JSON.parse(Array(text.utf8)))?.objectValue else { throw Fault("INVALID_CLAIMS") }
        if let name = forbiddenClaim(in: object) { throw Fault("FORBIDDEN_CLAIM : \(name)") }
    }

    static func kind(_ name: String) -> JSON { .string("identitytoolkit#\(name)") }
}
