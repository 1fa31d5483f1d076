// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// The token in a page's form, so that only that page can act: bound to the code, the step and the project, for two
/// hours.
package struct PageToken: Sendable {
    package static let lifetime: Int64 = 7200

    private let ring: KeyRing

    package init(ring: KeyRing) {
        self.ring = ring
    }

    package func make(step: String, code: String, project: Scope, at now: Moment) -> String {
        let stamp = Self.bytes(of: now.seconds)
        let version = ring.newestHere
        let mac = (try? ring.mac(Self.message(stamp, step, code, project), for: .pageToken, version: version)) ?? []
        return Base64URL.encode([version] + stamp + mac.prefix(16))
    }

    /// - Parameter lifetime: the age that is still accepted, in seconds.
    /// - Throws: ``Refusal/keyMissing`` where this node cannot judge the token.
    package func isValid(
        _ token: String, step: String, code: String, project: Scope, at now: Moment, lifetime: Int64 = Self.lifetime
    ) throws(Refusal) -> Bool {
        guard token.utf8.count == 34, let bytes = Base64URL.decode(token), bytes.count == 25 else { return false }
        let stamp = Array(bytes[1...8])
        let seconds = stamp.reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard let mac = try ring.mac(Self.message(stamp, step, code, project), for: .pageToken, version: bytes[0])
        else { return false }
        let isEqual = areEqualInConstantTime(mac.prefix(16), bytes[9...])
        return isEqual && seconds <= now.seconds + 60 && now.seconds - seconds < lifetime
    }

    private static func message(_ stamp: [UInt8], _ step: String, _ code: String, _ project: Scope) -> [UInt8] {
        stamp + [step, code, project.text].flatMap { Array($0.utf8) + [0] }
    }

    private static func bytes(of seconds: Int64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: seconds >> Int64($0)) }
    }
}
