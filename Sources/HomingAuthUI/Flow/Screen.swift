// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
public import HomingAuth

extension AuthFlow {
    /// A screen, and what it is about.
    public enum Screen: Sendable, Equatable {
        /// Address and password.
        case signIn
        /// Address and password of a new account.
        case signUp
        /// The address for a mail that sets a new password.
        case forgotten
        /// The address for a mail that signs in.
        case signInByEmail
        /// A mail is on its way.
        case checkMail(Mail)
        /// A link has come, and the server is asked what it does.
        case opening
        /// A new password for an address.
        case newPassword(email: String)
        /// Somebody is signed in, and the address is not verified.
        case verify
        /// A link came that does something to an address, and the person has not agreed yet.
        case confirm(ActionCodeOperation, email: String)
        /// A sign-in link came that this device has not asked for: which address did it go to?
        case whichAddress
        /// A link that another device has asked for. It opens in the browser; nil where it is no web link.
        case elsewhere(URL?)
        /// Something is over: a title, a sentence, and a button that goes on.
        case message(Message)
        /// The person is through.
        case finished
    }

    /// A mail that waits to be answered.
    public struct Mail: Sendable, Equatable {
        /// What it is for.
        public let operation: ActionCodeOperation
        /// Where it went.
        public let email: String
        /// The two digits to show large; nil where the server binds no request. Then there is no code to type either.
        public let number: String?
    }

    /// The end of something.
    public struct Message: Sendable, Equatable {
        /// A few words.
        public let title: String
        /// What it means, and what to do.
        public let sentence: String
        /// Whether it went well.
        public let isGood: Bool
    }
}
