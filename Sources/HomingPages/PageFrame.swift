// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts

/// The part of every page around its own content.
package struct PageFrame: Sendable {
    /// Nil where the app is not known.
    package var appName: String?
    package let language: Language
    /// The words of the page: ours, or the project's own.
    let texts: Texts

    /// The way to the same page in other languages; none on the answer to a POST.
    package var choice: LanguageChoice?
    package var brand: PageBrand?

    package init(
        appName: String?, language: Language, texts: Texts? = nil, choice: LanguageChoice? = nil,
        brand: PageBrand? = nil
    ) {
        self.appName = appName
        self.language = language
        self.texts = texts ?? Texts.of(language)
        self.choice = choice
        self.brand = brand
    }

    /// What the page has beside the style of all pages.
    var styles: [InlineSource] { [Layout.styles[language.script], brand?.style].compactMap(\.self) }

    /// The policy for the page.
    package var contentSecurityPolicy: String {
        styles.isEmpty ? Layout.contentSecurityPolicy : Layout.policy(styles: styles)
    }

    /// A page's title. A problem comes first, because a screen reader reads the title first and a tab shows it.
    func title(_ title: String, isRefused: Bool) -> String {
        isRefused ? Placeholders([.title: title]).fill(text.shared.error) : title
    }

    var text: PageText { texts.pages }

    /// The values that any sentence may name.
    var placeholders: Placeholders {
        Placeholders([.appName: appName ?? text.shared.theApp], in: language.direction)
    }

    /// The values with an address, which stands out in HTML and may break anywhere.
    func placeholders(address: String) -> Placeholders {
        var values = placeholders
        values.set(.email, to: address, html: "<strong class=\"address\">\(address)</strong>")
        return values
    }
}
