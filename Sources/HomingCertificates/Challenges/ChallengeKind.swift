// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A way to prove a name to an authority (RFC 8555 section 8). Each has a file of its own beside this one.
package struct ChallengeKind: Sendable {
    /// Its name with authorities, as in RFC 8555 and RFC 8737.
    package let type: String
    /// Where the authority asks, as operators know it.
    let place: String
    /// Whether it is answered on the listener for port 80, which not every server has.
    let needsPlainListener: Bool
    /// Whether the authority asks for the answer to a token, which is published for that long. Else the name proves
    /// itself by what stands there already.
    var publishesToken = true
    /// Asks a name for the answer to a token, as an authority does; a text is the reason why it is not there.
    let fault: @Sendable (_ name: String, _ token: String, _ answer: String) async -> String?

    /// In the order in which they are tried.
    private static let all: [ChallengeKind] = [.http, .tls]

    /// Where authorities ask, for operators: `port 80 (http-01) or …`.
    static let places = all.map { "\($0.place) (\($0.type))" }.joined(separator: " or ")

    /// Whether a challenge is none without a token.
    static func needsToken(_ type: String) -> Bool { all.contains { $0.type == type && $0.publishesToken } }

    package static func usable(hasPlainListener: Bool) -> [ChallengeKind] {
        all.filter { hasPlainListener || !$0.needsPlainListener }
    }
}
