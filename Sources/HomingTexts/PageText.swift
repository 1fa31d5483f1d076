// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Every sentence of the hosted pages in one language.
///
/// Suffixes and articles never touch a placeholder, so that any app name and any address fits.
package struct PageText: Decodable, Sendable {
    package let shared: Shared
    package let reset: Reset
    package let resetRequest: ResetRequest
    package let confirm: Confirm
    package let signIn: SignIn
    package let number: Number
    package let done: Done
    package let dead: Dead
    package let wait: Wait
    package let problem: Problem
    package let link: Link
    /// The page of the bare host, where no link leads.
    package let root: Message

    /// A page's heading and the sentence below it.
    package struct Message: Decodable, Sendable {
        package let title: String
        package let sentence: String
    }

    package struct Shared: Decodable, Sendable {
        package let continueButton: String
        /// Names the host that the button leads to.
        package let leadsTo: String
        /// On a finished page without a continue URL.
        package let closePage: String
        /// For somebody who did not ask for this.
        package let unasked: String
        /// Stands for the name of an unknown app.
        package let theApp: String
        /// Names the language switcher to a screen reader.
        package let languages: String
        /// Leads to the list of all languages.
        package let moreLanguages: String
        /// On a button whose form is under way.
        package let busy: String
        /// The title of a page whose form was refused.
        package let error: String
    }

    package struct Reset: Decodable, Sendable {
        package let title: String
        package let sentence: String
        package let label: String
        package let show: String
        package let rules: String
        package let minimumLength: Plural
        package let maximumLength: Plural
        package let lowercase: String
        package let uppercase: String
        package let digit: String
        package let symbol: String
        package let hardToGuess: String
        /// Beside a rule that the password satisfies.
        package let satisfied: String
        /// Beside a rule that the password breaks.
        package let missing: String
        package let submit: String
        package let rulesProblem: String
        package let tooShortProblem: String
        package let tooLongProblem: String
        package let commonProblem: String
        package let addressProblem: String
        package let appNameProblem: String
        /// Shown while the password is typed.
        package let strength: Strength
    }

    /// The page that asks for a link to a new password.
    package struct ResetRequest: Decodable, Sendable {
        package let title: String
        package let sentence: String
        package let label: String
        package let submit: String
        /// Beside a text that is no address.
        package let problem: String
    }

    /// The strength of a password, in words.
    package struct Strength: Decodable, Sendable {
        package let weak: String
        package let fair: String
        package let strong: String
    }

    package struct Confirm: Decodable, Sendable {
        package let verify: Message
        package let verifyButton: String
        package let change: Message
        package let changeButton: String
        package let recover: Message
        package let recoverButton: String
        /// For somebody who made the change and need not take it back.
        package let recoverUnwanted: String
        package let currentAddress: String
        package let newAddress: String
    }

    package struct SignIn: Decodable, Sendable {
        package let page: Message
        package let button: String
        /// Replaces the sentence when there is no continue URL.
        package let openInApp: String
        package let unasked: String
        /// Replaces the sentence where the device that asked waits to be signed in.
        package let approve: String
        package let approveButton: String
        /// Leads on to the app, for somebody who asked in this browser.
        package let here: String
    }

    /// The two digits that prove that a person asked themselves.
    package struct Number: Decodable, Sendable {
        /// Above the facts about who asked.
        package let asked: String
        package let when: String
        package let device: String
        package let network: String
        package let label: String
        package let labelOfMail: String
        /// For somebody who is talked into typing a number.
        package let fraud: String
        package let missing: String
        package let wrong: Plural
        package let decline: String
    }

    package struct Done: Decodable, Sendable {
        package let passwordReset: Message
        package let emailVerified: Message
        package let emailChanged: Message
        package let emailRecovered: Message
        package let resetOffer: String
        package let resetButton: String
        package let resetMailSent: Message
        /// The same sentence for every address, known or not.
        package let resetRequested: Message
        package let newLinkSent: Message
        /// For somebody who asks for a link a second time, too soon.
        package let alreadySent: Message
        /// A sign-in, on the device that asked.
        package let approved: Message
        package let declined: Message
        package let declinedNext: String
        /// The same for a change of address, for which somebody had to be signed in.
        package let declinedChange: String
        package let newPasswordButton: String
    }

    package struct Dead: Decodable, Sendable {
        package let expired: Message
        package let used: Message
        package let replaced: Message
        package let malformed: Message
        package let accountDisabled: Message
        package let accountGone: Message
        package let addressTaken: Message
        package let secondFactorNotOffered: Message
        package let pageExpired: Message
        package let declined: Message
        /// The third wrong number ended it.
        package let wrongNumbers: Message
        /// A sign-in that happens on the device that asked.
        package let approved: Message
        /// Leads from there to the same page afresh.
        package let againButton: String
        /// The next step when the page cannot send a new link.
        package let next: Next
        /// The next step after a second tap, when the first one may well have worked.
        package let nextAfterUse: Next
        package let renewOffer: String
        package let renewButton: String
    }

    /// The page that waits for the person who has asked for a mail.
    package struct Wait: Decodable, Sendable {
        package let pending: Message
        package let numberLabel: String
        package let numberHint: String
        package let codeLabel: String
        package let codeMissing: String
        package let codeWrong: Plural
        /// After the last wrong code; the link still works.
        package let codeDead: String
        /// For somebody who was sent here, or is talked into telling the code.
        package let fraud: String
        /// Before the names of mail services.
        package let open: String
        package let resend: String
        package let resent: String
        package let resendLater: String
        package let changeAddress: String
        package let looks: String
        package let lookAgain: String
        package let finished: Message
        package let declined: Message
        package let expired: Message
        /// On another kind of device, in another network than where it was asked for.
        package let elsewhere: Message
        package let askAgain: String
    }

    /// The next step, by the link's purpose.
    package struct Next: Decodable, Sendable {
        package let reset: String
        package let verify: String
        package let signIn: String
        package let change: String
        package let recover: String
        package let any: String
    }

    package struct Problem: Decodable, Sendable {
        package let tooManyAttempts: Message
        package let unknownApp: Message
        package let notFound: Message
        package let serverFault: Message
    }

    /// The pages of the link service.
    package struct Link: Decodable, Sendable {
        package let open: Open
        package let inApp: InApp
        package let report: Report
        package let platform: Platform
        package let outcome: Outcome
        package let invalid: LinkFault
        package let notFound: LinkFault
        /// A link that was for a time, or for so many people.
        package let ended: LinkFault
        /// A link that somebody has deleted.
        package let deleted: LinkFault
        /// Precedes a sentence, in English, for the link's author.
        package let forDeveloper: String
    }

    package struct Open: Decodable, Sendable {
        package let title: String
        package let sentence: String
        package let button: String
        package let appStoreButton: String
        /// Of a store that the button does not name.
        package let storeButton: String
        package let browserButton: String
        /// For a Mac, on a page that an iPad may see.
        package let computerButton: String
        /// For a link with neither a way into the app nor another target.
        package let appOnly: String
        package let copyButton: String
        /// In its place once it was pressed.
        package let copied: String
    }

    /// In the window of another app: how to come to the browser.
    package struct InApp: Decodable, Sendable {
        package let sentence: String
        package let menu: String
        /// On an iPhone or iPad.
        package let safari: String
        /// On Android.
        package let browser: String
    }

    /// A dynamic link that leads nowhere.
    package struct LinkFault: Decodable, Sendable {
        /// The title of the same page of Dynamic Links.
        package let documentTitle: String
        package let message: Message
    }

    package struct Report: Decodable, Sendable {
        package let title: String
        package let sentence: String
        package let platformColumn: String
        package let outcomeColumn: String
        package let warnings: String
        package let noWarnings: String
    }

    /// The platforms on which a link is opened.
    package struct Platform: Decodable, Sendable {
        package let iPhoneInstalled: String
        package let iPhoneAbsent: String
        package let oldIPhone: String
        package let iPhoneInApp: String
        package let iPadInstalled: String
        package let iPadAbsent: String
        package let androidInstalled: String
        package let androidAbsent: String
        package let androidWebView: String
        package let desktop: String
        package let crawler: String
    }

    /// The outcomes of a link on a platform.
    package struct Outcome: Decodable, Sendable {
        package let opensApp: String
        package let openPage: String
        package let words: String
        package let appStore: String
        package let playStore: String
        package let webFallback: String
        package let link: String
        package let appOnly: String
        package let preview: String
        package let customScheme: String
    }
}
