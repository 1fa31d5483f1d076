// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
public import HomingAuth

/// What the screens offer, and where their mails bring people back to.
public struct AuthFlowOptions: Sendable {
    /// The settings of every mail: the place to come back to, and the link domain where the project has several.
    ///
    /// Without a ``HomingAuth/ActionCodeSettings/url`` the mails lead back to no place, and no sign-in by email is
    /// offered.
    public let settings: ActionCodeSettings

    /// Whether people can make an account. True unless set.
    public var offersAccounts = true

    /// Whether people sign in with a password. True unless set.
    public var offersPasswords = true

    /// Whether people can ask for a mail that signs in: where the settings have a URL and the project allows it. True
    /// unless set.
    public var offersSignInByEmail = true

    /// Whether nobody is through before the address is verified. False unless set; a new account is asked to verify its
    /// address in any case.
    public var requiresVerifiedEmail = false

    /// How mails are asked for. Nil for a server that binds no request, such as an emulator: then there is neither a
    /// number nor a code.
    public var finishing: Finishing? = .anywhere

    /// The app's name, as the screens say it. The name below the app's icon unless set.
    public var appName: String?

    /// The languages of the screens, as tags of BCP 47, the best one first. Unless set, that of the mails
    /// (``HomingAuth/Auth/languageCode``), then the app's.
    public var languages: [String]?

    /// Options for mails that bring people back to a place.
    ///
    /// - Parameter url: the continue URL, on an authorised domain of the project. Put what the app has to know again
    ///   into it.
    public init(returningTo url: URL? = nil) {
        let settings = ActionCodeSettings()
        settings.url = url
        settings.handleCodeInApp = url != nil
        self.init(settings: settings)
    }

    /// Options for mails with settings of the app's own.
    public init(settings: ActionCodeSettings) {
        self.settings = settings
    }

    /// The settings for a call: none at all where they name no place.
    var mailSettings: ActionCodeSettings? { settings.url == nil ? nil : settings }

    /// Whether the screen that asks for a sign-in mail is there.
    var canSignInByEmail: Bool { offersSignInByEmail && settings.url != nil && settings.handleCodeInApp }
}
