// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingLinkRules
package import HomingTexts

/// The page where a redirect cannot open an app: one large button, since only a person's tap opens the app. In the window
/// of another app, where not even that may, words and a picture tell how to come to the browser.
package struct OpenAppView: PageView {
    /// The choice of a person who does not have the app, or does not want it now.
    package enum Otherwise: Sendable {
        case appStore(href: String)
        /// Any other store, which the button does not name.
        case store(href: String)
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
    package var place = OpenPage.Place.browser

    /// The link itself, to be copied; nil where there is nothing to copy.
    package var copyHref: String?
    package var banner: AppBanner?

    package init(
        openHref: String?, linkTitle: String? = nil, linkDescription: String? = nil, otherwise: Otherwise? = nil,
        copyHref: String? = nil
    ) {
        self.openHref = openHref
        self.linkTitle = linkTitle
        self.linkDescription = linkDescription
        self.otherwise = otherwise
        self.copyHref = copyHref
    }

    package func title(in frame: PageFrame) -> String {
        let text = frame.text.link.open
        let title = if opensNothing, let otherwise { otherwise.label(in: text) } else { text.title }
        return frame.placeholders.fill(title)
    }

    package func body(in frame: PageFrame) -> HTML {
        let text = frame.text.link.open
        let heading = Heading(opensNothing ? .door : .phone, title: title(in: frame)).html
        guard !opensNothing else {
            let end =
                ContinueLink(otherwise?.href)?.html(frame.text.shared.continueButton, in: frame)
                ?? Paragraph.html(frame.placeholders.fillEscaping(text.appOnly))
            return "\(heading)\(quotation)\(end)\(copyButton(text))"
        }
        let link = otherwise.flatMap {
            ContinueLink($0.href)?
                .html(frame.placeholders.fill($0.label(in: text)), in: frame, emphasis: .secondary)
        }
        let button = appLink.map { $0.html(frame.placeholders.fill(text.button)) }
        let sentence = button.map { _ in Paragraph.html(frame.placeholders.fillEscaping(text.sentence)) }
        return """
            \(heading)\(sentence ?? "")\(quotation)\(button ?? "")\(wayToBrowser(in: frame))\(link ?? "")\
            \(copyButton(text))
            """
    }

    private var appLink: AppLink? { openHref.flatMap { AppLink($0) } }

    /// Whether the page is about `otherwise`.
    private var opensNothing: Bool { appLink == nil && place != .appleAppWindow }

    /// The menu of another app's window, from which a person comes to the browser.
    private func wayToBrowser(in frame: PageFrame) -> HTML {
        guard place != .browser else { return "" }
        let text = frame.text.link.inApp
        let choice = place == .appleAppWindow ? text.safari : text.browser
        return """
            <div class="way">\(Paragraph.note(frame.placeholders.fillEscaping(text.sentence)))\
            <svg viewBox="0 0 120 64" aria-hidden="true"><rect x="4" y="4" width="46" height="56" rx="8"/>\
            <path d="M4 18h46M32 11v.1M38 11v.1M44 11v.1M60 32h14M69 27l5 5-5 5"/><circle cx="98" cy="32" r="18"/>\
            <path d="M105 25 101 36 91 39 95 28Z"/></svg>
            <ol><li>\(text.menu)</li><li>\(choice)</li></ol></div>

            """
    }

    /// Hidden until the page's script can do it.
    private func copyButton(_ text: PageText.Open) -> HTML {
        guard let href = ContinueLink(copyHref)?.href else { return "" }
        return """
            <button type="button" class="button quiet" data-copy="\(href)" data-copied="\(text.copied)" \
            aria-live="polite" hidden>\(text.copyButton)</button>
            """
    }

    /// Safari's banner (https://developer.apple.com/documentation/webkit/promoting-apps-with-smart-app-banners). An App
    /// Clip gets the page's own address instead of an argument.
    package var head: HTML {
        guard let banner else { return "" }
        let more =
            if let clip = banner.clipBundleID {
                ", app-clip-bundle-id=\(clip), app-clip-display=card"
            } else {
                // A comma would end the argument.
                ContinueLink(copyHref).map { ", app-argument=\($0.href.replacing(",", with: "%2C"))" } ?? ""
            }
        return "<meta name=\"apple-itunes-app\" content=\"app-id=\(banner.appStoreID)\(more)\">\n"
    }

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
        case .appStore(let href), .store(let href), .browser(let href): href
        }
    }

    func label(in text: PageText.Open) -> String {
        switch self {
        case .appStore: text.appStoreButton
        case .store: text.storeButton
        case .browser: text.browserButton
        }
    }
}
