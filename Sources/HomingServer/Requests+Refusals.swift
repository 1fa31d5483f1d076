// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingStore
import HomingWire

// What is refused of a request's shape, whatever it asks for.
extension Refusal {
    static let loginRequired = Refusal(
        Code("LOGIN_REQUIRED", says: nil), "Login Required.", status: .unauthenticated)

    static func insufficientPermission(_ sentence: String) -> Refusal {
        Refusal("INSUFFICIENT_PERMISSION", sentence)
    }

    static func invalidJSON(_ sentence: String) -> Refusal {
        Refusal(.invalidJSON, "Invalid JSON payload received. \(sentence)", status: .invalidArgument)
    }

    /// - Parameter member: its path with slashes.
    static func invalidType(member: String, _ type: String) -> Refusal {
        Refusal(
            Code("INVALID_TYPE", says: nil), "Invalid JSON payload received. /\(member) must be \(type)",
            status: .invalidArgument, field: member.replacing("/", with: "."))
    }

    /// A value that is not in an enumeration; `type` is the enumeration's name in Google's discovery document.
    static func invalidEnum(member: String, type: String, given: JSON) -> Refusal {
        let quoted =
            switch given {
            case .string(let text): "\"\(Printable.given(text))\""
            case .int(let number): String(number)
            default: "a value of another type"
            }
        return Refusal(
            Code("INVALID_ENUM", says: nil),
            "Invalid value at '\(member)' (type.googleapis.com/google.cloud.identitytoolkit.v1.\(type)), \(quoted)",
            status: .invalidArgument, field: member.replacing("/", with: "."))
    }

    package static func payloadTooLarge(most: Int) -> Refusal {
        Refusal(
            .payloadTooLarge, "The body of this request has at most \(most >> 10) KiB.", status: .invalidArgument)
    }

    /// The path is known, and has these methods only; they are the cause.
    static func methodNotAllowed(_ methods: [String]) -> Refusal {
        Refusal(.methodNotAllowed, "This path takes \(methods.joined(separator: ", ")).", cause: methods)
    }
}

extension Refusal.Code {
    static let invalidJSON = Self("INVALID_JSON", says: nil)
    static let payloadTooLarge: Self = "PAYLOAD_TOO_LARGE"
    static let methodNotAllowed: Self = "METHOD_NOT_ALLOWED"
}
