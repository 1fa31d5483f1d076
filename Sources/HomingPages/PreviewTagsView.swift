// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingLinkRules
package import HomingTexts
internal import HomingWire

/// The tags from which a messenger's crawler draws the preview of a link: a document of its own, small, without style
/// or script. It leads nowhere by itself, because a crawler that is redirected previews the destination instead.
///
/// The names are those of the Open Graph protocol (ogp.me), of Twitter's cards and of Facebook's App Links.
package struct PreviewTagsView: Sendable {
    package var title: String?
    package var description: String?

    /// Left out unless it is an https URL.
    package var imageURL: String?

    /// The link itself, not its destination: crawlers share this URL.
    package var url: String

    /// The destination of a person who sees this document; nil where nobody is sent.
    package var destination: String?

    /// The apps that open the link, for Facebook's; nil where none does.
    package var apps: PreviewApps?

    package init(
        title: String?, description: String?, imageURL: String?, url: String, destination: String?,
        apps: PreviewApps? = nil
    ) {
        self.title = title
        self.description = description
        self.imageURL = imageURL
        self.url = url
        self.destination = destination
        self.apps = apps
    }

    /// The policy for this document: it loads nothing and runs nothing.
    package static let contentSecurityPolicy =
        "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

    package func page(in frame: PageFrame) -> HTML {
        let link = ContinueLink(destination)
        let title = Excerpt.of(title, length: 120) ?? frame.appName ?? link?.host ?? frame.text.shared.continueButton
        return """
            <!DOCTYPE html>
            <html lang="\(frame.language.tag)" dir="\(frame.language.direction.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title>
            \(tag("og:title", title))\(tag("og:type", "website"))\
            \(ContinueLink(url).map { tag("og:url", $0.href) } ?? "")\
            \(frame.appName.map { tag("og:site_name", $0) } ?? "")\
            \(Excerpt.of(description, length: 200).map { tag("og:description", $0) } ?? "")\
            \(image.map { tag("og:image", $0) } ?? "")\(appTags(frame))\
            <meta name="twitter:card" content="\(image == nil ? "summary" : "summary_large_image")">
            </head>
            <body>
            \(link.map { anchor($0, frame) } ?? "")
            </body>
            </html>

            """
    }

    private func appTags(_ frame: PageFrame) -> HTML {
        guard let apps else { return "" }
        var tags: [HTML] = []
        if let href = apps.iOSURL.flatMap({ AppLink($0)?.href }) {
            tags.append(tag("al:ios:url", href))
            if let id = apps.appStoreID { tags.append(tag("al:ios:app_store_id", id)) }
            if let name = frame.appName { tags.append(tag("al:ios:app_name", name)) }
        }
        if let package = apps.androidPackage, let href = ContinueLink(url)?.href {
            tags.append(tag("al:android:url", href))
            tags.append(tag("al:android:package", package))
            if let name = frame.appName { tags.append(tag("al:android:app_name", name)) }
        }
        return HTML(joining: tags)
    }

    private var image: String? {
        guard let imageURL, imageURL.hasPrefixFoldingASCII("https://") else { return nil }
        return ContinueLink(imageURL)?.href
    }

    private func tag(_ property: HTML, _ content: String) -> HTML {
        "<meta property=\"\(property)\" content=\"\(content)\">\n"
    }

    private func anchor(_ link: ContinueLink, _ frame: PageFrame) -> HTML {
        "<a href=\"\(link.href)\" rel=\"noreferrer\">\(frame.text.shared.continueButton)</a>"
    }
}
