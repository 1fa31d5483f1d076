// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingTexts
import Hummingbird

/// The page behind a one-time link: one button, so that a preview of the link does not use it up.
struct EnterView: PageView {
    let link: String
    let page: AdminPage

    func title(in frame: PageFrame) -> String { "Open \(page.name)" }

    func body(in frame: PageFrame) -> HTML {
        """
        <h1>Open \(page.name)</h1>
        <p>\(page.content) in this browser for twelve hours. The link works once.</p>
        \(PageForm(action: AdminSignIn.path, fields: [.init("ticket", link)]).html(button: "Open", busy: "Opening"))
        """
    }
}

/// The page for a one-time link that opens nothing any more.
struct UsedLinkView: PageView {
    let page: AdminPage?
    /// Whether this browser is signed in already.
    let isIn: Bool

    func title(in frame: PageFrame) -> String { "This link was opened already" }

    func body(in frame: PageFrame) -> HTML {
        guard let page else {
            return "<h1>This link was opened already</h1>\n<p>Each link works once, and within the hour.</p>"
        }
        return """
            <h1>This link was opened already</h1>
            <p>Each link opens \(page.name) once, and within the hour. \(page.command) prints a fresh one.</p>
            \(isIn ? "<a class=\"button\" href=\"\(page.path)\">Go to \(page.name)</a>" as HTML : "")
            """
    }
}

/// The page of the admin listener for a browser without a session.
struct LockedView: PageView {
    let page: AdminPage?

    func title(in frame: PageFrame) -> String { "Locked" }

    func body(in frame: PageFrame) -> HTML {
        """
        <h1>This is the admin side of a Homing server</h1>
        <p>It opens for back ends with an admin key, and for people with a link that works once.</p>
        \(page.map { "<p>For \($0.name) run \($0.command) on the server and open the link that it prints.</p>" as HTML } ?? "")
        """
    }
}

/// The page after signing out.
struct SignedOutView: PageView {
    let page: AdminPage?

    func title(in frame: PageFrame) -> String { "Signed out" }

    func body(in frame: PageFrame) -> HTML {
        """
        <h1>You are signed out</h1>
        \(page.map { "<p>\($0.command) prints a link that opens \($0.name) again.</p>" as HTML } ?? "")
        """
    }
}

/// The page for a form that no page of this session has sent.
struct ForeignFormView: PageView {
    func title(in frame: PageFrame) -> String { "Nothing has been changed" }

    func body(in frame: PageFrame) -> HTML {
        """
        <h1>Nothing has been changed</h1>
        <p>This form comes from another site, or its page was open for too long. Reload the page and try again.</p>
        """
    }
}

extension AdminSignIn {
    /// Answers a page in English, because the admin side is for operators only.
    static func answer(_ view: some PageView, status: HTTPResponse.Status = .ok) -> Response {
        PageAnswer.page(view, in: PageFrame(appName: "Homing", language: .english), status: status)
    }
}

extension AdminPage {
    /// The page's name, as in "Open the mailbox".
    fileprivate var name: String {
        switch self {
        case .mailbox: "the mailbox"
        }
    }

    /// The page's content, as the beginning of a sentence.
    fileprivate var content: String {
        switch self {
        case .mailbox: "The mails of this server are shown"
        }
    }

    /// The command that prints a link to the page.
    fileprivate var command: HTML {
        switch self {
        case .mailbox: "<code>homing mailbox</code>"
        }
    }
}
