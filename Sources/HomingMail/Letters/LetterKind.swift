// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore

/// The letters that Homing writes.
package enum LetterKind: String, Sendable, CaseIterable {
    case passwordReset
    case verifyEmail
    case signIn
    /// To the new address, before it takes the place of the old one.
    case verifyAndChangeEmail
    /// To the present address, when a change is asked for.
    case emailChangeNotice
    /// To the old address, after the change, with a way back.
    case recoverEmail
    case passwordChanged
    /// To whoever the operator names, to see whether mail arrives.
    case test

    package func letter(about facts: LetterFacts) -> Letter {
        Letter(words: words(in: facts.language), facts: facts)
    }

    package func words(in language: Language) -> LetterWords {
        switch self {
        case .passwordReset: PasswordReset.words(in: language)
        case .verifyEmail: VerifyEmail.words(in: language)
        case .signIn: SignIn.words(in: language)
        case .verifyAndChangeEmail: VerifyAndChangeEmail.words(in: language)
        case .emailChangeNotice: EmailChangeNotice.words(in: language)
        case .recoverEmail: RecoverEmail.words(in: language)
        case .passwordChanged: PasswordChanged.words(in: language)
        case .test: TestMail.words(in: language)
        }
    }
}
