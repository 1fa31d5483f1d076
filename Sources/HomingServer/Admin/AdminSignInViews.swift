// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingPages
import HomingStore
import HomingTexts
import Hummingbird

/// The page behind a one-time link: one button, so that a preview of the link does not use it up.
struct EnterView: PageView {
    let link: String
    let page: AdminPage
    /// Whom the link lets in, by the address; nil for one to the mailbox.
    let person: String?
    /// Who is signed in here already, and is somebody else.
    let other: Operator?

    func title(in frame: PageFrame) -> String { "Open \(page.name)" }

    private func name(_ address: String) -> String {
        address.utf8.elementsEqual(Operator.ofServer.address.utf8) ? "this server" : address
    }

    func body(in frame: PageFrame) -> HTML {
        guard let other, let person else { return open }
        return """
            <h1>Who do you want to be?</h1>
            <p>You are signed in as <bdi>\(name(other.address))</bdi>, and this link is for <bdi>\(name(person))</bdi>. \
            It works once; opening it signs <bdi>\(name(other.address))</bdi> out in this browser.</p>
            \(PageForm(action: AdminSignIn.path, fields: [.init("ticket", link)])
                .html(button: "Go on as \(name(person))", busy: "Opening"))
            <a class="button quiet" href="\(page.path)">Stay \(name(other.address))</a>
            """
    }

    private var open: HTML {
        """
        <h1>Open \(page.name)</h1>
        <p>\(page.content) in this browser for twelve hours. The link works once.</p>
        \(PageForm(action: AdminSignIn.path, fields: [.init("ticket", link)]).html(button: "Open", busy: "Opening"))
        """
    }
}

/// The page for a one-time link that opens nothing any more.
struct UsedLinkView: PageView {
    let showsMailbox: Bool
    /// The session of this browser, if it has one.
    let session: AdminSession?

    func title(in frame: PageFrame) -> String { "This link was opened already" }

    func body(in frame: PageFrame) -> HTML {
        let pages = AdminPage.allCases.filter { $0 != .mailbox || showsMailbox }
        let open = pages.filter { session?.opens($0) == true }
        return """
            <h1>This link was opened already</h1>
            <p>Each link works once, and within the hour.</p>
            \(pages.map { "<p>\($0.command) prints a fresh one to \($0.name).</p>" as HTML })
            \(open.map { "<a class=\"button\" href=\"\($0.path)\">Go to \($0.name)</a>" as HTML })
            """
    }
}

/// The page of the admin listener for a browser without a session.
struct LockedView: PageView {
    let showsMailbox: Bool

    func title(in frame: PageFrame) -> String { "Locked" }

    func body(in frame: PageFrame) -> HTML {
        """
        <h1>This is the admin side of a Homing server</h1>
        <p>It opens for back ends with an admin key, and for people with a link that works once.</p>
        \(showsMailbox ? "<p>For the mailbox run \(AdminPage.mailbox.command) on the server and open the link that it prints.</p>" as HTML : "")
        <a class="button" href="\(ConsolePath.signIn)">Sign in to the console</a>
        """
    }
}

/// The page after signing out.
struct SignedOutView: PageView {
    let isOfConsole: Bool

    func title(in frame: PageFrame) -> String { "Signed out" }

    func body(in frame: PageFrame) -> HTML {
        """
        <h1>You are signed out</h1>
        \(isOfConsole
            ? "<a class=\"button\" href=\"\(ConsolePath.signIn)\">Sign in again</a>"
            : "<p>\(AdminPage.mailbox.command) prints a link that opens the mailbox again.</p>" as HTML)
        """
    }
}

/// The page for a mailed link in another browser than the one that asked for it.
struct OtherBrowserView: PageView {
    func title(in frame: PageFrame) -> String { "Another browser asked for this link" }

    func body(in frame: PageFrame) -> HTML {
        """
        <h1>Another browser asked for this link</h1>
        <p>The link is still good there. Copy it into that browser, or ask for a new one in this one.</p>
        <a class="button" href="\(ConsolePath.signIn)">Ask for a new link</a>
        """
    }
}

/// The answer to a form of the console whose session has ended.
struct SessionEndedView: PageView {
    func title(in frame: PageFrame) -> String { "Your session has ended" }

    func body(in frame: PageFrame) -> HTML {
        """
        <h1>Your session has ended</h1>
        <p>Nothing has been changed. Sign in, then go back to the form and send it again.</p>
        <a class="button" href="\(ConsolePath.signIn)">Sign in</a>
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
    var name: String {
        switch self {
        case .mailbox: "the mailbox"
        case .console: "the console"
        }
    }

    /// The page's content, as the beginning of a sentence.
    fileprivate var content: String {
        switch self {
        case .mailbox: "The emails of this server are shown"
        case .console: "The console of this server is open"
        }
    }

    /// The command that prints a link to the page.
    var command: HTML {
        switch self {
        case .mailbox: "<code>homing mailbox</code>"
        case .console: "<code>homing operator link</code>"
        }
    }
}
