// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts

/// The part of every page around its own content.
package struct PageFrame: Sendable {
    /// Nil where the app is not known.
    package var appName: String?
    package var language: Language

    /// The same page in other languages, as GET links; none on the answer to a POST.
    package var languageLinks: [LanguageLink]
    package var brand: PageBrand?

    package init(
        appName: String?, language: Language, languageLinks: [LanguageLink] = [], brand: PageBrand? = nil
    ) {
        self.appName = appName
        self.language = language
        self.languageLinks = languageLinks
        self.brand = brand
    }

    /// A page's title. A problem comes first, because a screen reader reads the title first and a tab shows it.
    func title(_ title: String, isRefused: Bool) -> String {
        isRefused ? Placeholders([.title: title]).fill(text.shared.error) : title
    }

    var text: PageText { Texts.of(language).pages }

    /// The values that any sentence may name.
    var placeholders: Placeholders {
        Placeholders([.appName: appName ?? text.shared.theApp])
    }

    /// The values with an address, which stands out in HTML and may break anywhere.
    func placeholders(address: String) -> Placeholders {
        var values = placeholders
        values.set(.email, to: address, html: "<strong class=\"address\">\(address)</strong>")
        return values
    }
}

/// A page in one language.
package struct LanguageLink: Sendable {
    package let language: Language

    /// A path with its query, unescaped.
    package let href: String

    package init(_ language: Language, href: String) {
        self.language = language
        self.href = href
    }
}
