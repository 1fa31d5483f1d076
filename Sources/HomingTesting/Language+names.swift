// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts

/// The languages that tests name.
extension Language {
    package static let spanish = named("es")
    package static let brazilianPortuguese = named("pt-BR")
    package static let italian = named("it")
    package static let simplifiedChinese = named("zh-CN")
    package static let turkish = named("tr")

    private static func named(_ tag: String) -> Language {
        guard let language = Language(tag: tag), language.tag == tag else {
            fatalError("there is no Texts/\(tag).json")
        }
        return language
    }
}
