// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingTexts

/// The document around every page: brand, card, languages. The page loads nothing from anywhere.
package enum Layout {
    /// The policy for every page of `PageView`: its own style sheet and script by their hashes, forms and reports to
    /// our own host, the picture of the tab, nothing else at all.
    package static let contentSecurityPolicy = policy()

    /// The same policy for a page that has another style sheet and another script, and may do more.
    static func policy(styles added: [InlineSource] = [], script more: InlineSource? = nil, _ others: String...)
        -> String
    {
        let parts = [
            "default-src 'none'",
            "style-src \(([style] + added).map(\.hash).joined(separator: " "))",
            "script-src \([script.hash, more?.hash].compactMap(\.self).joined(separator: " "))",
            "img-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "connect-src 'self'",
        ]
        return (parts + others).joined(separator: "; ")
    }

    static func document(
        title: String, frame: PageFrame, body: HTML, isWide: Bool = false, namesAppInTitle: Bool = true,
        head: HTML = "", style added: InlineSource? = nil, script more: InlineSource? = nil
    ) -> HTML {
        """
        <!DOCTYPE html>
        <html lang="\(frame.language.tag)" dir="\(frame.language.direction.rawValue)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <meta name="color-scheme" content="light dark">
        <meta name="format-detection" content="telephone=no">
        \(head)<title>\(title)\(namesAppInTitle ? suffix(frame, behind: title) : "")</title>
        <style>\(style.markup)</style>\
        \(([added].compactMap(\.self) + frame.styles).map { "<style>\($0.markup)</style>" as HTML })
        </head>
        <body\(isWide ? " class=\"wide\"" as HTML : "")>
        <header>\(brand(frame))</header>
        <main>
        \(body)
        </main>
        <footer>\(frame.brand?.contact ?? "")\(frame.choice?.html(in: frame) ?? "")</footer>
        <script>\(script.markup)</script>\(more.map { "<script>\($0.markup)</script>" as HTML } ?? "")
        </body>
        </html>

        """
    }

    /// The app's name, unless the title contains it already.
    private static func suffix(_ frame: PageFrame, behind title: String) -> HTML {
        guard let name = frame.appName, !title.contains(name) else { return "" }
        return " – \(name)"
    }

    /// The app's name with its first letter as a mark; operators need no image for a page that looks like theirs.
    private static func brand(_ frame: PageFrame) -> HTML {
        guard let name = frame.appName, let first = name.first(where: { !$0.isWhitespace }) else { return "" }
        return "\(frame.brand?.mark(first) ?? mark(first))<span dir=\"auto\">\(name)</span>"
    }

    /// The styles of the scripts that are not Latin.
    static let styles = Typeface.styles.mapValues { InlineSource($0) }

    static func mark(_ first: Character) -> HTML {
        "<span class=\"mark\" aria-hidden=\"true\">\(String(first).uppercased())</span>"
    }
}
