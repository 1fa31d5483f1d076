// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The purpose of an action link, in the spelling of its `mode` parameter.
public enum ActionMode: String, Sendable, Hashable, CaseIterable {
    case resetPassword
    case verifyEmail
    case signIn
    case verifyAndChangeEmail
    case recoverEmail
    case revertSecondFactorAddition

    /// The same purpose in the spelling of requests and answers.
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
