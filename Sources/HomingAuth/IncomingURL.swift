// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation

/// What a URL that opened the app is: the answer of ``Auth/handle(_:)``.
public enum IncomingURL: Sendable, Equatable {
    /// An email action of this project: use its code, then go to its ``ActionCodeURL/continueURL``, if that is a place
    /// of your own.
    ///
    /// A sign-in link that went through the web page has none: the page added the code to the continue URL, and the URL
    /// that opened the app is the place itself.
    case action(ActionCodeURL)
    /// A continue URL that came back through a link domain (`/__/auth/links?link=`): go there.
    ///
    /// Whoever can send a link can name any URL here: go only to places of your own.
    case continueURL(URL)
    /// The deep link of a dynamic link that says everything itself; go there, as for ``continueURL(_:)``.
    ///
    /// `DynamicLinks` of HomingLinks tells the rest of it, such as the least version of the app.
    case dynamicLink(URL)
    /// A short dynamic link: ask `DynamicLinks.handleUniversalLink` of HomingLinks where it leads.
    case shortLink(URL)
    /// An email action of another project: no code of it works here.
    case otherProject(ActionCodeURL)
    /// A link of ours that is cut short, torn apart or contradicts itself.
    case damaged
    /// None of ours.
    case notOurs

    /// What to tell the person when the link is damaged or of another project; nil otherwise.
    public var error: HomingAuthError? {
        switch self {
        case .otherProject: .linkOfAnotherProject
        case .damaged: .damagedLink
        case .action, .continueURL, .dynamicLink, .shortLink, .notOurs: nil
        }
    }
}

extension HomingAuthError {
    static let linkOfAnotherProject = HomingAuthError(
        .invalidActionCode,
        "The link belongs to another project than this app's. Open it in the app that asked for it.")

    static let notASignInLink = HomingAuthError(
        .invalidActionCode, "This is not a sign-in link, or not the whole of it. Ask isSignIn(withEmailLink:) first.")

    static let damagedLink = HomingAuthError(
        .invalidActionCode,
        "The link is incomplete or damaged. Open it from the mail itself, or ask for a new mail.")
}
