// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingStore
package import HomingTexts

/// The kind of a mail. The raw value is what the database and `homing mail list` show.
///
/// What a kind is stands in ``declaration``, and its words are a letter of the files of texts, or a ``LetterText`` for
/// operators. Outbox, letters, templates, the config document and the console are made from these two.
package enum MailKind: String, Sendable, CaseIterable, Bindable {
    case passwordReset = "PASSWORD_RESET"
    case verifyEmail = "VERIFY_EMAIL"
    case signIn = "EMAIL_SIGNIN"
    case verifyAndChangeEmail = "VERIFY_AND_CHANGE_EMAIL"
    case recoverEmail = "RECOVER_EMAIL"
    case emailChangeNotice = "EMAIL_CHANGE_NOTICE"
    case passwordChanged = "PASSWORD_CHANGED"
    case wrongNumbers = "WRONG_NUMBERS"
    case unknownAddress = "UNKNOWN_ADDRESS"
    case test = "TEST"
    case operatorSignIn = "OPERATOR_SIGNIN"
    case operatorPassword = "OPERATOR_PASSWORD"
    case operatorSecondFactor = "OPERATOR_SECOND_FACTOR"
    case operatorReset = "OPERATOR_RESET"
    case operatorCodes = "OPERATOR_CODES"

    /// What is said of a kind.
    private struct Declaration {
        /// In words, for operators.
        var title: String
        /// Where its words are.
        var words: LetterWords
        var isNotice = false
        var leadsToReset = false
        var leadsToSite = false
        var namesNewAddress = false
        var namesRequest = false
        var templateMember: String?
    }

    private var declaration: Declaration {
        switch self {
        case .passwordReset:
            Declaration(
                title: ActionCodeKind.passwordReset.title, words: .letter("passwordReset"),
                templateMember: "resetPasswordTemplate")
        case .verifyEmail:
            Declaration(
                title: ActionCodeKind.verifyEmail.title, words: .letter("verifyEmail"),
                templateMember: "verifyEmailTemplate")
        case .signIn:
            Declaration(title: ActionCodeKind.signIn.title, words: .letter("signIn"))
        case .verifyAndChangeEmail:
            Declaration(
                title: ActionCodeKind.verifyAndChangeEmail.title, words: .letter("verifyAndChangeEmail"),
                namesNewAddress: true)
        case .recoverEmail:
            Declaration(
                title: ActionCodeKind.recoverEmail.title, words: .letter("recoverEmail"),
                isNotice: true, namesNewAddress: true,
                // Firebase's notice of a changed address is the one with the way back.
                templateMember: "changeEmailTemplate")
        case .emailChangeNotice:
            Declaration(
                title: "Email change request notice", words: .letter("emailChangeNotice"),
                isNotice: true, leadsToReset: true, namesNewAddress: true)
        case .passwordChanged:
            Declaration(
                title: "Password changed notice", words: .letter("passwordChanged"), isNotice: true,
                leadsToReset: true)
        case .wrongNumbers:
            Declaration(
                title: "Wrong numbers notice", words: .letter("wrongNumbers"), isNotice: true,
                leadsToSite: true, namesRequest: true)
        case .unknownAddress:
            Declaration(
                title: "No account notice", words: .letter("unknownAddress"),
                leadsToSite: true)
        case .test:
            Declaration(title: "Test email", words: .letter("test"))
        case .operatorSignIn:
            Declaration(title: "Operator sign-in", words: .forOperators(.operatorSignIn))
        case .operatorPassword:
            Declaration(
                title: "Operator password notice", words: .forOperators(.operatorPassword), isNotice: true)
        case .operatorSecondFactor:
            Declaration(
                title: "Operator second factor notice", words: .forOperators(.operatorSecondFactor),
                isNotice: true)
        case .operatorReset:
            Declaration(
                title: "Operator reset notice",
                words: .forOperators(.operatorReset), isNotice: true)
        case .operatorCodes:
            Declaration(
                title: "Operator wrong codes notice", words: .forOperators(.operatorCodes),
                isNotice: true)
        }
    }

    /// The one name that people read: in the console, on a terminal, in documents.
    package var title: String { declaration.title }

    /// The title of the kind with this name; the name itself where a newer program has made it.
    package static func title(of name: String) -> String { MailKind(rawValue: name)?.title ?? name }

    package init(_ kind: ActionCodeKind) {
        self =
            switch kind {
            case .passwordReset: .passwordReset
            case .verifyEmail: .verifyEmail
            case .signIn: .signIn
            case .verifyAndChangeEmail: .verifyAndChangeEmail
            case .recoverEmail: .recoverEmail
            }
    }

    /// The kind of the code inside, for mails that carry one.
    package var codeKind: ActionCodeKind? { ActionCodeKind.allCases.first { MailKind($0) == self } }

    /// Whether the mail tells an owner of what somebody has done to the account, and of the way back: it greets by
    /// name, tells the time and the device, and goes to a suppressed address, too. There are few of these, and none
    /// that a stranger can ask for at will; a lost one helps a thief.
    package var isNotice: Bool { declaration.isNotice }

    /// Whether the mail is about the console, and belongs to no project.
    package var isForOperator: Bool { declaration.words.isForOperators }

    /// Whether the button leads to the page that asks for a reset: nobody has asked yet, so the mail has no code.
    package var leadsToReset: Bool { declaration.leadsToReset }

    /// Whether the button leads to the project's web site.
    package var leadsToSite: Bool { declaration.leadsToSite }

    /// Whether the mail is about another address than the one that the account has, or had.
    package var namesNewAddress: Bool { declaration.namesNewAddress }

    /// Whether the mail is about a link, and says what it was for.
    package var namesRequest: Bool { declaration.namesRequest }

    /// The member of the config document's `notification.sendEmail` that has the project's words; nil where Firebase
    /// has none.
    package var templateMember: String? { declaration.templateMember }

    package func words(in texts: Texts) -> LetterText { declaration.words.text(in: texts) }
}
