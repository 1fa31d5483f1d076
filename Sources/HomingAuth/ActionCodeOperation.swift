// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// What an action code does, with the numbers of FirebaseAuth.
public enum ActionCodeOperation: Int, Sendable, Hashable {
    /// Something that this version does not know.
    case unknown = 0
    /// Sets a new password: ``Auth/confirmPasswordReset(withCode:newPassword:)``.
    case passwordReset = 1
    /// Verifies the address: ``Auth/applyActionCode(_:)-(String)``.
    case verifyEmail = 2
    /// Takes a change of address back: ``Auth/applyActionCode(_:)-(String)``.
    case recoverEmail = 3
    /// Signs in: ``Auth/signIn(withEmail:link:)-(_,String)``.
    case emailLink = 4
    /// Verifies a new address and puts it in the old one's place: ``Auth/applyActionCode(_:)-(String)``.
    case verifyAndChangeEmail = 5
    /// Takes a second factor off again.
    case revertSecondFactorAddition = 6

    init(_ mode: ActionMode) {
        switch mode {
        case .resetPassword: self = .passwordReset
        case .verifyEmail: self = .verifyEmail
        case .signIn: self = .emailLink
        case .verifyAndChangeEmail: self = .verifyAndChangeEmail
        case .recoverEmail: self = .recoverEmail
        case .revertSecondFactorAddition: self = .revertSecondFactorAddition
        }
    }

    /// The operation of an answer's `requestType`.
    init(requestType name: String?) {
        self = name.flatMap(ActionRequestType.init(name:))?.mode.map(Self.init) ?? .unknown
    }
}
