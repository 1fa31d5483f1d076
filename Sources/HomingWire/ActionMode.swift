// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// What an action link is for, as its `mode` parameter says it.
public enum ActionMode: String, Sendable, Hashable, CaseIterable {
    case resetPassword
    case verifyEmail
    case signIn
    case verifyAndChangeEmail
    case recoverEmail
    case revertSecondFactorAddition

    /// The same thing as requests and answers spell it.
    public var requestType: ActionRequestType {
        switch self {
        case .resetPassword: .passwordReset
        case .verifyEmail: .verifyEmail
        case .signIn: .emailSignIn
        case .verifyAndChangeEmail: .verifyAndChangeEmail
        case .recoverEmail: .recoverEmail
        case .revertSecondFactorAddition: .revertSecondFactorAddition
        }
    }
}
