// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts

/// The page where a redirect cannot open an app on iOS: one large button, since only a person's tap opens the app.
package struct OpenAppView: PageView {
    /// The choice of a person who does not have the app, or does not want it now.
    package enum Otherwise: Sendable {
        case appStore(href: String)
        case browser(href: String)
    }

    /// A universal link, or `{scheme}://google/link/?…`. Without one, or with anything else, nothing opens the app, and
    /// the page is about `otherwise`; without that, the page tells that the link is for the app only.
    package var openHref: String?

    /// The link's own title (`st`). Its author wrote the text, so the page quotes it and never makes it a heading.
    package var linkTitle: String?

    /// The link's own description (`sd`).
    package var linkDescription: String?
    package var otherwise: Otherwise?

    package init(
        openHref: String?, linkTitle: String? = nil, linkDescription: String? = nil, otherwise: Otherwise? = nil
    ) {
        self.openHref = openHref
        self.linkTitle = linkTitle
        self.linkDescription = linkDescription
        self.otherwise = otherwise
    }

    package func title(in frame: PageFrame) -> String {
        let text = frame.text.link.open
        let title = if appLink == nil, let otherwise { otherwise.label(in: text) } else { text.title }
        return frame.placeholders.fill(title)
    }

    package func body(in frame: PageFrame) -> HTML {
        let text = frame.text.link.open
        let heading = Heading(appLink == nil ? .door : .phone, title: title(in: frame)).html
        guard let appLink else {
            let end =
                ContinueLink(otherwise?.href)?.html(frame.text.shared.continueButton, in: frame)
                ?? Paragraph.html(frame.placeholders.fillEscaping(text.appOnly))
            return "\(heading)\(quotation)\(end)"
        }
        let link = otherwise.flatMap {
            ContinueLink($0.href)?
                .html(frame.placeholders.fill($0.label(in: text)), in: frame, emphasis: .secondary)
        }
        return """
            \(heading)\(Paragraph.html(frame.placeholders.fillEscaping(text.sentence)))\(quotation)\
            \(appLink.html(frame.placeholders.fill(text.button)))\(link ?? "")
            """
    }

    private var appLink: AppLink? { openHref.flatMap { AppLink($0) } }

    /// The quotation has its own direction, so that no text in it turns ours around.
    private var quotation: HTML {
        let title = Excerpt.of(linkTitle, length: 120).map { "<strong dir=\"auto\">\($0)</strong>" as HTML }
        let description = Excerpt.of(linkDescription, length: 300).map { "<p dir=\"auto\">\($0)</p>" as HTML }
        guard title != nil || description != nil else { return "" }
        return "<blockquote>\(title ?? "")\(description ?? "")</blockquote>\n"
    }
}

extension OpenAppView.Otherwise {
    var href: String {
        switch self {
        case .appStore(let href), .browser(let href): href
        }
    }

    func label(in text: PageText.Open) -> String {
        switch self {
        case .appStore: text.appStoreButton
        case .browser: text.browserButton
        }
    }
}
