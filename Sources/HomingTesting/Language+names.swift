// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts

/// The languages that tests name.
extension Language {
    package static let spanish = named("es")
    package static let brazilianPortuguese = named("pt-BR")
    package static let italian = named("it")
    package static let simplifiedChinese = named("zh-Hans")
    package static let turkish = named("tr")
    package static let german = named("de")
    package static let arabic = named("ar")

    /// One for each script: what is laid out, and not worded, is looked at in these.
    package static let ofEachScript = Dictionary(grouping: allCases, by: \.script).values.compactMap { languages in
        languages.first { $0 == .english } ?? languages.min { $0.tag < $1.tag }
    }.sorted { $0.tag < $1.tag }

    private static func named(_ tag: String) -> Language {
        guard let language = Language(tag: tag), language.tag == tag else {
            fatalError("there is no Texts/\(tag).json")
        }
        return language
    }
}
