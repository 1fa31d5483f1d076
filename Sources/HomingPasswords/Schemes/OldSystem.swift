// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
internal import HomingWire

/// A system that hands out no hashes, and is asked whether a password is right at the first sign-in of each account
/// that came from it.
package struct OldSystem: Sendable, Hashable, Codable {
    /// Where it is asked: `https` on any host, also one of a private network, since an operator names it; `http` on
    /// loopback names alone.
    package let url: String
    /// What it knows Homing by.
    package let key: String

    /// The least length of a key, so that nobody guesses it.
    package static let leastKeyBytes = 32
    package static let mostKeyBytes = 512

    /// - Throws: a refusal that says what is accepted; it never has the key.
    package init(url: String, key: String) throws(Refusal) {
        do throws(WebURLFault) {
            let parsed = try WebURL(parsing: url)
            guard !parsed.hasFragment else { throw WebURLFault.forbiddenCharacter }
        } catch {
            throw .invalidSetting("--verify-with: \(error == .missingHost ? "The URL has no host" : error.sentence)")
        }
        guard (Self.leastKeyBytes...Self.mostKeyBytes).contains(key.utf8.count), key.utf8.allSatisfy(ASCII.isVisible)
        else {
            throw .invalidSetting(
                "the key of the old system has \(Self.leastKeyBytes) to \(Self.mostKeyBytes) visible characters of ASCII, "
                    + "as openssl rand -hex 32 makes them")
        }
        self.url = url
        self.key = key
    }

    /// The URL without its query, which may hold a secret: for the log, an export and the audit log.
    package var place: String {
        String(url.prefix { $0 != "?" })
    }
}
