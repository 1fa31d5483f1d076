// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Where people read their mails: what a screen that waits for one offers to open.
package struct MailProgram: Sendable, Hashable {
    package let name: String
    /// In a browser.
    package let page: String
    /// The app's own scheme, on an iPhone, where there is one.
    package let app: String?

    package static let all = [
        MailProgram(name: "Gmail", page: "https://mail.google.com/", app: "googlegmail://"),
        MailProgram(name: "Outlook", page: "https://outlook.live.com/mail/", app: "ms-outlook://"),
        MailProgram(name: "Yahoo", page: "https://mail.yahoo.com/", app: "ymail://"),
        MailProgram(name: "iCloud", page: "https://www.icloud.com/mail/", app: nil),
    ]
}
