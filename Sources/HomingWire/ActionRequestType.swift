// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Identity Toolkit's `requestType` of an out-of-band code; the raw value is the number that Android's clients send.
///
/// `OOB_REQ_TYPE_UNSPECIFIED` (0) is no type: production refuses it like an unknown type.
public enum ActionRequestType: Int, Sendable, Hashable, CaseIterable {
    case passwordReset = 1
    /// A type of the service's predecessor; no link has it.
    case oldEmailAgree = 2
    /// A type of the service's predecessor; no link has it.
    case newEmailAccept = 3
    case verifyEmail = 4
    case recoverEmail = 5
    case emailSignIn = 6
    case verifyAndChangeEmail = 7
    case revertSecondFactorAddition = 8

    /// The type of a name in the wire's spelling, `PASSWORD_RESET`; the case counts.
    public init?(name: String) {
        guard let type = Self.allCases.first(where: { $0.name.hasSameBytes(as: name) }) else { return nil }
        self = type
    }

    /// The type from a request: its name or its number; nil for anything else.
    package init?(_ value: JSON) {
        switch value {
        case .string(let name): self.init(name: name)
        default:
            guard let number = value.integerValue.flatMap(Int.init(exactly:)) else { return nil }
            self.init(rawValue: number)
        }
    }

    /// The name in the wire's spelling.
    public var name: String {
        switch self {
        case .passwordReset: "PASSWORD_RESET"
        case .oldEmailAgree: "OLD_EMAIL_AGREE"
        case .newEmailAccept: "NEW_EMAIL_ACCEPT"
        case .verifyEmail: "VERIFY_EMAIL"
        case .recoverEmail: "RECOVER_EMAIL"
        case .emailSignIn: "EMAIL_SIGNIN"
        case .verifyAndChangeEmail: "VERIFY_AND_CHANGE_EMAIL"
        case .revertSecondFactorAddition: "REVERT_SECOND_FACTOR_ADDITION"
        }
    }

    /// The `mode` of this type's links; nil for the two that have no links.
    public var mode: ActionMode? {
        ActionMode.allCases.first { $0.requestType == self }
    }
}
