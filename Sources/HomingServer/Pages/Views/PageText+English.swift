// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

extension PageText {
    /// English.
    static let english = PageText(
        shared: .english,
        reset: .english,
        resetRequest: .english,
        confirm: .english,
        signIn: .english,
        done: .english,
        dead: .english,
        problem: .english,
        link: .english,
        root: PageText.Message(
            "This is a Homing server",
            "It opens the links that apps send by email or share. There is nothing to do on this page.")
    )
}

extension PageText.Shared {
    fileprivate static let english = Self(
        continueButton: "Continue",
        leadsTo: "Takes you to %HOST%",
        closePage: "You can close this page and go back to %APP_NAME%.",
        unasked: "Didn’t ask for this? Close this page and nothing will change.",
        theApp: "the app",
        languages: "Language",
        busy: "One moment…",
        error: "Error: %TITLE%"
    )
}

extension PageText.Reset {
    fileprivate static let english = Self(
        title: "Choose a new password",
        sentence: "For your account at %APP_NAME% (%EMAIL%).",
        label: "New password",
        show: "Show password",
        rules: "Your password needs:",
        minimumLength: "at least %COUNT% characters",
        maximumLength: "at most %COUNT% characters",
        lowercase: "a lowercase letter",
        uppercase: "an uppercase letter",
        digit: "a number",
        symbol: "a symbol, such as ! or ?",
        hardToGuess: "to be hard to guess: not a common password, your address or the app’s name",
        satisfied: "done",
        missing: "missing",
        submit: "Save password",
        rulesProblem: "This password doesn’t meet all the rules yet.",
        tooShortProblem: "This password is too short. Choose a longer one.",
        tooLongProblem: "This password is too long. Choose a shorter one.",
        commonProblem: "This password is one of the most common ones, which are tried first. Choose another one.",
        addressProblem: "This password is your email address, which is easy to guess. Choose another one.",
        appNameProblem: "This password is the name of the app, which is easy to guess. Choose another one.",
        strength: PageText.Strength(
            weak: "Strength: weak. A longer password is harder to guess.",
            fair: "Strength: fair. A few more characters make it better.",
            strong: "Strength: strong.")
    )
}

extension PageText.ResetRequest {
    fileprivate static let english = Self(
        title: "Reset your password",
        sentence:
            "Enter the email address of your account at %APP_NAME%. We’ll send you a link to choose a new password.",
        label: "Email address",
        submit: "Send the link",
        problem: "This doesn’t look like an email address. Check it and try again."
    )
}

extension PageText.Confirm {
    fileprivate static let english = Self(
        verify: PageText.Message(
            "Confirm your email address",
            "Confirm that %EMAIL% is your address, so that you can use it with %APP_NAME%."),
        verifyButton: "Confirm address",
        change: PageText.Message(
            "Change your email address",
            "Confirm the new address for your account at %APP_NAME%. From then on, use it to sign in."),
        changeButton: "Use new address",
        recover: PageText.Message(
            "Restore your email address",
            "The email address of your account at %APP_NAME% has been changed. You can make %EMAIL% its address "
                + "again."),
        recoverButton: "Restore address",
        recoverUnwanted: "Did you change it yourself? Close this page and everything stays as it is.",
        currentAddress: "Current address",
        newAddress: "New address"
    )
}

extension PageText.SignIn {
    fileprivate static let english = Self(
        page: PageText.Message(
            "Sign in to %APP_NAME%",
            "One more step: continue to finish signing in."),
        button: "Sign in",
        openInApp: "To finish signing in, open the link from your email on the device where you use %APP_NAME%.",
        unasked: "Didn’t ask for this link? Close this page. Nobody is signed in until you continue."
    )
}

extension PageText.Done {
    fileprivate static let english = Self(
        passwordReset: PageText.Message(
            "Your password has been changed",
            "From now on, sign in with your new password."),
        emailVerified: PageText.Message(
            "Your email address has been confirmed",
            "Thank you. %EMAIL% is confirmed for your account at %APP_NAME%."),
        emailChanged: PageText.Message(
            "Your email address has been changed",
            "From now on, sign in to %APP_NAME% with %EMAIL%."),
        emailRecovered: PageText.Message(
            "Your email address has been restored",
            "%EMAIL% is the address of your account at %APP_NAME% again."),
        resetOffer:
            "If you didn’t change the address yourself, someone may know your password. To be safe, choose a new one "
            + "as well.",
        resetButton: "Email me a reset link",
        resetMailSent: PageText.Message(
            "Check your inbox",
            "We have sent you a link to choose a new password. It can take a few minutes; look in your spam "
                + "folder too."),
        resetRequested: PageText.Message(
            "Check your inbox",
            "If %EMAIL% belongs to an account at %APP_NAME%, a link to choose a new password is on its way. It can "
                + "take a few minutes; look in your spam folder too."),
        newLinkSent: PageText.Message(
            "Check your inbox",
            "If your account still needs it, a new link is on its way. It can take a few minutes; look in "
                + "your spam folder too."),
        alreadySent: PageText.Message(
            "A link is on its way already",
            "There is no need to ask again: if your account still needs it, a link was sent a short while "
                + "ago. It can take a few minutes; look in your spam folder too.")
    )
}

extension PageText.Dead {
    fileprivate static let english = Self(
        expired: PageText.Message(
            "This link has expired",
            "For your security, links work only for a limited time."),
        used: PageText.Message(
            "This link has already been used",
            "Each link works only once."),
        replaced: PageText.Message(
            "There is a newer link",
            "We have sent you another link since this one. Only the newest works: open the latest email in your "
                + "inbox."),
        malformed: PageText.Message(
            "This link is incomplete",
            "Part of it may have been lost on the way. Open the email again and tap the button, or copy the "
                + "whole link."),
        accountDisabled: PageText.Message(
            "This account is disabled",
            "The people who run the app have disabled it. Contact their support if you think that is a mistake."),
        accountGone: PageText.Message(
            "This account doesn’t exist anymore",
            "It may have been deleted, or its email address has changed. Go back to the app to sign in or to "
                + "create a new account."),
        addressTaken: PageText.Message(
            "This address is already in use",
            "Another account has this email address. Sign in with that account, or choose a different address "
                + "in the app."),
        secondFactorNotOffered: PageText.Message(
            "This can’t be undone here",
            "Two-step verification can’t be removed with this link. If it wasn’t you who added it, change "
                + "your password and contact the app’s support."),
        pageExpired: PageText.Message(
            "This page was open for too long",
            "Nothing has been changed. Open the link in your email once more and try again."),
        next: PageText.Next(
            reset: "To get a new one, go back to the app and ask again to reset your password.",
            verify: "To get a new one, go back to the app and ask again to confirm your address.",
            signIn: "To get a new one, go back to the app and ask again for a sign-in link.",
            change: "To get a new one, go back to the app and start the change of address again.",
            recover: "If you can’t sign in to your account, contact the app’s support.",
            any: "To get a new one, go back to the app and start again."),
        nextAfterUse: PageText.Next(
            reset: "If you have chosen a new password, sign in with it. If not, ask for a new link in the app.",
            verify: "If you have confirmed your address, there is nothing more to do. Go back to the app.",
            signIn: "If you aren’t signed in, ask for a new sign-in link in the app.",
            change: "If you have confirmed your new address, sign in with it.",
            recover:
                "If you have restored your address, sign in with it. If you can’t sign in, contact the app’s "
                + "support.",
            any: "If it worked the first time, there is nothing more to do. Go back to the app."),
        renewOffer: "We can send a new one to the same address.",
        renewButton: "Send a new link"
    )
}

extension PageText.Problem {
    fileprivate static let english = Self(
        tooManyAttempts: PageText.Message(
            "Too many attempts",
            "Please wait a while, then try again."),
        unknownApp: PageText.Message(
            "We don’t know this app",
            "The link names an app that isn’t set up here. Open the link in your email once more, or contact "
                + "the app’s support."),
        badRequest: PageText.Message(
            "Something is missing",
            "This address is incomplete. Open the link in your email once more."),
        notFound: PageText.Message(
            "There is nothing here",
            "This page doesn’t exist. Open the link in your email once more, or go back to the app."),
        serverFault: PageText.Message(
            "Something went wrong",
            "It’s not your fault, and nothing has been changed. Please try again in a few minutes.")
    )
}

extension PageText.Link {
    fileprivate static let english = Self(
        open: .english,
        report: .english,
        platform: .english,
        outcome: .english,
        invalid: PageText.LinkFault(
            documentTitle: "Invalid Dynamic Link",
            message: PageText.Message(
                "This link doesn’t work",
                "It’s incomplete, or it leads to a place that isn’t allowed. Ask the person who sent it to "
                    + "you for a new one.")),
        notFound: PageText.LinkFault(
            documentTitle: "Dynamic Link Not Found",
            message: PageText.Message(
                "This link doesn’t exist",
                "It may be misspelled or have been taken back. Check the address, or ask the person who sent "
                    + "it to you.")),
        forDeveloper: "For the developer"
    )
}

extension PageText.Open {
    fileprivate static let english = Self(
        title: "Open in %APP_NAME%",
        sentence: "One tap takes you to the right place in %APP_NAME%.",
        button: "Open %APP_NAME%",
        appStoreButton: "Get %APP_NAME% on the App Store",
        browserButton: "Continue in the browser",
        computerButton: "Continue on this computer",
        appOnly: "This link only works in %APP_NAME%. Open it on a device where the app is installed."
    )
}

extension PageText.Report {
    fileprivate static let english = Self(
        title: "What this link does",
        sentence: "On each device, as everything is set up now. Looking at this page doesn’t count as a click.",
        platformColumn: "Where",
        outcomeColumn: "What happens",
        warnings: "Warnings",
        noWarnings: "No warnings."
    )
}

extension PageText.Platform {
    fileprivate static let english = Self(
        iPhoneInstalled: "iPhone, app installed",
        iPhoneAbsent: "iPhone, app not installed",
        oldIPhone: "iPhone before iOS 9",
        iPadInstalled: "iPad, app installed",
        iPadAbsent: "iPad, app not installed",
        androidInstalled: "Android, app installed",
        androidAbsent: "Android, app not installed",
        androidWebView: "Android, inside another app (web view)",
        desktop: "Computer",
        crawler: "Messaging app that asks for a preview"
    )
}

extension PageText.Outcome {
    fileprivate static let english = Self(
        opensApp: "Opens the app",
        openPage: "Shows a page with a button that opens the app",
        appStore: "Goes to the App Store",
        playStore: "Goes to the Play Store",
        webFallback: "Goes to the web page for people without the app",
        link: "Goes to the link itself, as a web page",
        appOnly: "Shows a page that says that the link only works in the app",
        preview: "Gets the title, the text and the image of the preview",
        customScheme: "Opens the app by its own URL scheme"
    )
}
