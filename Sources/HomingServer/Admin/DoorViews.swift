// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingTexts

/// The page behind a one-time link: one button, so that a preview of the link does not use it up.
struct DoorView: PageView {
    let ticket: String

    var page: HTML { page(in: .admin) }

    func title(in frame: PageFrame) -> String { "Open the mailbox" }

    func body(in frame: PageFrame) -> HTML {
        """
        <h1>Open the mailbox</h1>
        <p>The mails of this server are shown in this browser for twelve hours. The link works once.</p>
        \(PageForm(action: AdminDoors.path, fields: [.init("ticket", ticket)]).html(button: "Open", busy: "Opening"))
        """
    }
}

/// A one-time link that opens nothing any more.
struct UsedDoorView: PageView {
    /// Whether this browser is in already.
    let isIn: Bool

    var page: HTML { page(in: .admin) }

    func title(in frame: PageFrame) -> String { "This link was opened already" }

    func body(in frame: PageFrame) -> HTML {
        """
        <h1>This link was opened already</h1>
        <p>Each link opens the mailbox once, and within the hour. <code>homing mailbox</code> prints a fresh one.</p>
        \(isIn ? "<a class=\"button\" href=\"/mailbox\">Go to the mailbox</a>" as HTML : "")
        """
    }
}

/// The admin listener, for a browser that has no way in.
struct LockedView: PageView {
    var page: HTML { page(in: .admin) }

    func title(in frame: PageFrame) -> String { "Locked" }

    func body(in frame: PageFrame) -> HTML {
        """
        <h1>This is the admin side of a Homing server</h1>
        <p>It opens for back ends with an admin key, and for people with a link that works once.</p>
        <p>For the mailbox run <code>homing mailbox</code> on the server and open the link that it prints.</p>
        """
    }
}

extension PageFrame {
    /// The admin side is for operators, in English only.
    fileprivate static let admin = PageFrame(appName: "Homing", language: .english)
}
