// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts

/// The outcome of a link on each platform, for the link's author (`d=1`).
package struct LinkReportView: PageView {
    package struct Row: Sendable {
        package let platform: LinkReportPlatform

        /// The app that the link names for this platform.
        package let app: String?
        package let outcome: LinkReportOutcome

        /// The target, without any code in it; nil where there is none.
        package let url: String?

        /// For a page: the kind of `url`, the target for people without the app.
        package let next: LinkReportOutcome?

        package init(
            _ platform: LinkReportPlatform, app: String? = nil, _ outcome: LinkReportOutcome, url: String?,
            next: LinkReportOutcome? = nil
        ) {
            self.platform = platform
            self.app = app
            self.outcome = outcome
            self.next = next
            self.url = url
        }
    }

    package struct Warning: Sendable {
        /// A `warningCode` of Dynamic Links.
        package let code: String

        /// One sentence, in English as on the wire.
        package let sentence: String

        package init(code: String, sentence: String) {
            self.code = code
            self.sentence = sentence
        }
    }

    /// The link itself, without any code in it.
    package var link: String
    package var rows: [Row]
    package var warnings: [Warning]

    package init(link: String, rows: [Row], warnings: [Warning]) {
        self.link = link
        self.rows = rows
        self.warnings = warnings
    }

    package var isWide: Bool { true }

    package func title(in frame: PageFrame) -> String { frame.text.link.report.title }

    package func body(in frame: PageFrame) -> HTML {
        let text = frame.text.link.report
        return """
            <h1>\(text.title)</h1>
            <p>\(text.sentence)</p>
            <p><code>\(link)</code></p>
            \(table(in: frame))
            """
    }

    /// The platforms with their outcomes, and the warnings, for a page that has a heading of its own.
    package func table(in frame: PageFrame) -> HTML {
        let text = frame.text.link.report
        return """
            <table>
            <thead><tr><th scope="col">\(text.platformColumn)</th><th scope="col">\(text.outcomeColumn)</th></tr></thead>
            <tbody>
            \(rows.map { row($0, frame.text.link) })\
            </tbody>
            </table>
            <h2>\(text.warnings)</h2>
            \(warnings.isEmpty ? Paragraph.html(HTML(escaping: text.noWarnings)) : list)
            """
    }

    private func row(_ row: Row, _ text: PageText.Link) -> HTML {
        let next = row.next.map { "<div>→ \($0.sentence(in: text.outcome))</div>" as HTML } ?? ""
        let url = row.url.map { "<code>\($0)</code>" as HTML } ?? ""
        let app = row.app.map { "<code>\($0)</code>" as HTML } ?? ""
        return """
            <tr><th scope="row">\(row.platform.name(in: text.platform))\(app)</th>\
            <td>\(row.outcome.sentence(in: text.outcome))\(next)\(url)</td></tr>

            """
    }

    private var list: HTML {
        let items = warnings.map {
            "<li><code>\($0.code)</code><span lang=\"en\" dir=\"ltr\">\($0.sentence)</span></li>\n" as HTML
        }
        return "<ul class=\"warnings\">\n\(items)</ul>"
    }
}
