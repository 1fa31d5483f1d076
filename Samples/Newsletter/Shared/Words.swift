// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingAuth

/// An error as a reader is told of it. What an `HomingAuthError` says of itself is for whoever wrote the app.
func words(for error: any Error) -> String {
    switch error {
    case let error as HomingAuthError: words(for: error)
    case Site.Fault.unreachable(let url): "The newsletter at \(url) cannot be reached. Try again in a moment."
    case Site.Fault.signInFirst: "Please sign in first."
    case Site.Fault.refused(let words): words
    default: error.localizedDescription
    }
}

private func words(for error: HomingAuthError) -> String {
    switch error.code {
    case .networkError: "We cannot be reached. Check your connection and try again; you stay signed in."
    case .invalidCredential, .wrongPassword, .userNotFound: "That address and password do not belong together."
    case .invalidEmail: "That is not the address, or not an address at all. Please type it again."
    case .emailAlreadyInUse: "There is an account with that address already. Sign in instead."
    case .weakPassword, .passwordDoesNotMeetRequirements:
        "Please choose a better password. \(error.failureReason ?? "")"
    case .userDisabled: "This account is closed. Write to us."
    case .tooManyRequests: "That was a lot of tries. Please wait a little."
    case .expiredActionCode: "That link is too old. Ask for a new mail."
    case .invalidActionCode: "That link was used already, or is damaged. Ask for a new mail."
    case .userTokenExpired, .invalidUserToken: "You were signed out, by a new password perhaps. Please sign in again."
    case .requiresRecentLogin: "Please sign in again first."
    default: "\(error.message) (\(error.code.name))"
    }
}
