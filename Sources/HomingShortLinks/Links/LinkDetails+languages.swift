// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingLinkRules
package import HomingTexts

/// Targets by the language of the visitor.
extension LinkDetails {
    /// The target for a visitor, by what `Accept-Language` asks for; nil where none is in a language that it names.
    package func link(acceptLanguage field: String) -> String? {
        guard !languageLinks.isEmpty else { return nil }
        return LanguageTag.preferred(acceptLanguage: field).lazy.compactMap { link(lookingUp: $0.subtags) }.first
    }
}

extension LinkDetails.LanguageLink {
    package init(_ tag: LanguageTag, _ link: String) {
        self.init(tag: tag.text, link: link)
    }
}
