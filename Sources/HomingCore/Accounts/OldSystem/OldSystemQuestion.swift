// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingPasswords
import HomingStore
internal import HomingWire

/// One question to an old system: whether a password is somebody's.
///
/// It travels as `POST` of `{"email": …, "password": …, "localId": …}` with `Authorization: Bearer KEY`, and is
/// answered by 200 and `{"valid": true}` or `{"valid": false}`. It has no `description`, since it has a password in it.
package struct OldSystemQuestion: Sendable {
    package let system: OldSystem
    let email: String
    let localID: AccountID
    let password: String

    /// Asks about an account.
    init?(_ account: Account, password: String, at system: OldSystem) {
        guard let email = account.email else { return nil }
        self.system = system
        self.email = email.text
        localID = account.id
        self.password = password
    }

    /// Asks about nobody: an address that no one can have (RFC 2606), and a password that nobody has typed.
    init(aboutNobodyAt system: OldSystem, _ randomness: System) {
        self.system = system
        email = "nobody-\(ASCII.lowercased(randomness.randomName(length: 16)))@homing.invalid"
        localID = AccountID("nobody-\(randomness.randomName(length: 21))")
        password = randomness.randomName(length: 24)
    }

    package var body: String {
        let body: JSON = ["email": .string(email), "password": .string(password), "localId": .string(localID.text)]
        return String(decoding: body.write(pretty: false), as: UTF8.self)
    }
}

/// What came back.
package enum OldSystemReply: Sendable {
    case answered(status: Int, body: [UInt8])
    /// The sentence says why, for the log.
    case failed(String)

    /// The longest answer that is read.
    package static let mostBytes = 4096

    /// Whether the password is right. Nothing but 200 with the one JSON that is agreed on counts: what is in front of
    /// an old system answers 200 with a page, too, when the system is away.
    func verdict() throws(OldSystemSilence) -> Bool {
        switch self {
        case .failed(let reason): throw OldSystemSilence(reason: reason)
        case .answered(let status, _) where status != 200:
            throw OldSystemSilence(
                reason: "it answered \(status)\((300..<400).contains(status) ? ", and redirects are not followed" : "")"
            )
        case .answered(_, let body):
            guard body.count <= Self.mostBytes, let object = (try? JSON.parse(body))?.objectValue,
                case .bool(let isRight)? = object["valid"]
            else { throw OldSystemSilence(reason: #"it answered 200 without {"valid": true} or {"valid": false}"#) }
            return isRight
        }
    }
}

/// The old system has not said whether a password is right.
struct OldSystemSilence: Error {
    let reason: String
}
