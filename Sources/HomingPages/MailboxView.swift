// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts

/// The development mailbox: the mails that would have been sent, the newest first. For developers, in English only.
package struct MailboxView: Sendable {
    package var messages: [MailboxMessage]
    /// Nil for a reader with a key.
    package var signOut: PageForm?

    /// - Parameter messages: the newest first.
    package init(messages: [MailboxMessage], signOut: PageForm? = nil) {
        self.messages = messages
        self.signOut = signOut
    }

    /// The page, for an answer with ``contentSecurityPolicy``.
    package var page: HTML {
        let frame = PageFrame(appName: "Homing", language: .english)
        let body: HTML = """
            <h1>Mailbox</h1>
            <p>Nothing leaves this machine: every email ends up here, new ones by themselves.</p>
            \(messages.isEmpty ? "<p>No emails yet.</p>" : "")\
            <div id="mails" data-newest="\(messages.first?.id ?? "")">
            \(messages.enumerated().map { mail($1, isNewest: $0 == 0) })</div>
            <noscript><p>Reload to see new emails.</p></noscript>
            \(signOut?.html(button: "Sign out", busy: "Signing out", emphasis: .secondary) ?? "")
            """
        return Layout.document(
            title: "Mailbox", frame: frame, body: body, isWide: true, style: Self.style, script: Self.script)
    }

    /// The policy of the mailbox, which shows messages in frames and asks for new ones.
    package static let contentSecurityPolicy = Layout.policy(
        styles: [style], script: script, "frame-src 'self'")

    /// The policy for a message's HTML part on a page of its own. Mail programs know no style sheets by hash; nothing
    /// runs there, nothing is loaded, the page belongs to no origin, and only the mailbox frames it.
    package static let letterContentSecurityPolicy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; "
        + "sandbox allow-popups allow-popups-to-escape-sandbox"

    /// A message's HTML part; its links open beside the mailbox, because nothing but the message fits into its frame.
    package static func letterPage(_ html: String) -> HTML {
        HTML(trusted: html.replacing("<head>", with: "<head><base target=\"_blank\">", maxReplacements: 1))
    }

    private static let style = InlineSource(
        """
        .mail{padding:14px 0;border-top:1px solid var(--line)}
        .mail>summary{min-height:44px;cursor:pointer}
        .mail h2{display:inline;margin:0;font-size:17px;line-height:1.4}
        .mail iframe{width:100%;height:min(70vh,680px);margin-top:14px;border:1px solid var(--line);border-radius:12px;\
        background:#fff}
        .mail details{margin-top:10px}
        .mail details>summary{cursor:pointer;font-size:14px;color:var(--soft)}
        .mail pre{font:14px/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;margin:10px 0 0;padding:16px;\
        border-radius:12px;background:var(--ground);white-space:pre-wrap}
        """)

    /// Looks for a newer mail every other second while the page is visible; times are in the browser's own format.
    private static let script = InlineSource(
        #"""
        (function () {
          "use strict";
          var newest = document.getElementById("mails").dataset.newest;
          document.querySelectorAll("time").forEach(function (time) {
            time.textContent = new Date(time.dateTime).toLocaleString();
          });
          setInterval(function () {
            if (document.hidden) { return; }
            fetch("/mailbox/newest", { cache: "no-store" }).then(function (answer) {
              return answer.ok ? answer.text() : "";
            }).then(function (id) {
              if (id.trim() !== newest) { location.reload(); }
            }, function () {});
          }, 2000);
        })();
        """#)

    private func mail(_ message: MailboxMessage, isNewest: Bool) -> HTML {
        """
        <details class="mail"\(isNewest ? " open" as HTML : "")>
        <summary><h2>\(message.subject)</h2>
        <p class="facts">To \(message.to) · \(message.kind) · \(message.language) · \
        <time datetime="\(message.date)">\(message.date)</time></p></summary>
        \(message.note.map { "<p class=\"problem\">\($0)</p>\n" as HTML } ?? "")\
        \(letter(message))\
        </details>

        """
    }

    private func letter(_ message: MailboxMessage) -> HTML {
        guard !message.text.isEmpty else { return "" }
        return """
            <iframe src="/mailbox/messages/\(message.id).html" title="\(message.subject)" loading="lazy" \
            sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
            <details><summary>The same as plain text</summary>
            <pre>\(linked(message.text, message.links))</pre></details>

            """
    }

    /// The text with the message's own links made clickable; nothing else in the text becomes a link.
    private func linked(_ text: String, _ links: [String]) -> HTML {
        let bytes = Array(text.utf8)
        let candidates = links.filter { ContinueLink($0) != nil }.map { Array($0.utf8) }.sorted { $0.count > $1.count }
        var result: HTML = ""
        var plainStart = 0
        var index = 0
        while index < bytes.count {
            guard let link = candidates.first(where: { bytes[index...].starts(with: $0) }) else {
                index += 1
                continue
            }
            let href = String(decoding: link, as: UTF8.self)
            result.append(escaping: String(decoding: bytes[plainStart..<index], as: UTF8.self))
            result.append("<a href=\"\(href)\" rel=\"noreferrer\">\(href)</a>")
            index += link.count
            plainStart = index
        }
        result.append(escaping: String(decoding: bytes[plainStart...], as: UTF8.self))
        return result
    }
}

/// A message in the development mailbox, or the reason why there is none.
package struct MailboxMessage: Sendable {
    package var id: String
    package var to: String
    package var subject: String
    package var kind: String
    package var language: String
    /// The date in the form that the page shows.
    package var date: String
    package var text: String
    package var html: String
    package var links: [String]
    /// For instance that the address has no account, so that nothing would have been mailed.
    package var note: String?

    package init(
        id: String, to: String, subject: String, kind: String, language: String, date: String, text: String,
        html: String, links: [String], note: String? = nil
    ) {
        self.id = id
        self.to = to
        self.subject = subject
        self.kind = kind
        self.language = language
        self.date = date
        self.text = text
        self.html = html
        self.links = links
        self.note = note
    }
}
