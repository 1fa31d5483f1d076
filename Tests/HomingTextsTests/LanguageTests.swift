// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTesting
import HomingTexts
import Testing

@Suite struct LanguageTests {
    @Test(arguments: Language.allCases)
    func `a language is found by its own tag`(language: Language) {
        #expect(Language(tag: language.tag) == language)
        #expect(Language(tag: language.tag.uppercased()) == language)
        #expect(Language(tag: language.tag.lowercased()) == language)
        #expect(language.direction == .leftToRight)
    }

    @Test(arguments: [
        ("en-GB", Language.english), ("es-419", .spanish), ("es-MX", .spanish), ("pt", .brazilianPortuguese),
        ("pt-PT", .brazilianPortuguese), ("pt_BR", .brazilianPortuguese), ("it-CH", .italian), ("tr-TR", .turkish),
        ("zh", .simplifiedChinese), ("zh-Hans", .simplifiedChinese), ("zh-Hans-CN", .simplifiedChinese),
        ("zh-SG", .simplifiedChinese), ("zh-Hans-TW", .simplifiedChinese), ("en-x-private", .english),
        ("zh_Hans_CN", .simplifiedChinese), ("EN-us", .english),
    ])
    func `a more special tag finds its language`(tag: String, language: Language) {
        #expect(Language(tag: tag) == language)
    }

    @Test(arguments: [
        ("pt_BR", "pt-BR"), ("ES_mx", "es-MX"), ("zh_Hans_CN", "zh-Hans-CN"), ("ZH-HANT", "zh-Hant"), ("De", "de"),
        ("es-419", "es-419"), ("de_CH_1996", "de-CH-1996"), ("x-Pirate", "x-pirate"), ("i-klingon", "i-klingon"),
    ])
    func `a tag is read with hyphens or underscores, in any case`(tag: String, usual: String) {
        #expect(LanguageTag(parsing: tag)?.text == usual)
    }

    @Test(arguments: [
        ("es-MX-1996-x-aaaaaaaa-bbbbbbbb-cccccccc", "es-MX-1996-x-aaaaaaaa-bbbbbbbb"),
        ("es-MX-u-nu-latn-t-aaaaaaaa-x-abcdefgh", "es-MX-u-NU-Latn-t-aaaaaaaa"),
        ("es" + String(repeating: "-aaaaaaaa", count: 20), "es-aaaaaaaa-aaaaaaaa-aaaaaaaa"),
        // As long as a tag may be.
        ("es-MX-1996-x-aaaaaaaa-bbbbbbbb-cccc", "es-MX-1996-x-aaaaaaaa-bbbbbbbb-Cccc"),
    ])
    func `a tag that is too long loses its end, and finds its language`(tag: String, cut: String) {
        #expect(LanguageTag(parsing: tag)?.text == cut)
        #expect(Language(tag: tag) == .spanish)
    }

    @Test(arguments: [
        "zh-TW", "zh-Hant", "zh-Hant-CN", "zh-HK", "zh-MO", "ZH-tw", "fr", "ar", "eng", "e", "tur", "x-en",
    ])
    func `a language we do not have finds nothing`(tag: String) {
        #expect(Language(tag: tag) == nil)
    }

    @Test(arguments: [
        "", " ", "-", "en-", "-en", "en--GB", "../../etc/passwd", "en/../es", "en\0", "en%00", "..%2f", "en\r\nX: y",
        "en;q=1",
        "en ", " en", "en,es", "\"><script>", "e\u{301}n", "en\u{301}", "ｅｎ", "3n", "en-toolongsubtag", "*",
        "i\u{307}t", "ıt",
        "${jndi:ldap://x}", "t\u{212A}", "en-\"><script>alert(1)</script>-abcdefgh-abcdefgh",
        "x" + String(repeating: "-a", count: 20),
    ])
    func `a text that is no tag finds nothing`(tag: String) {
        #expect(Language(tag: tag) == nil)
        #expect(LanguageTag(parsing: tag) == nil)
    }

    @Test func `an endless tag finds nothing`() {
        #expect(Language(tag: String(repeating: "en", count: 5_000)) == nil)
        #expect(Language(tag: "en" + String(repeating: "-a", count: 5_000)) == nil)
    }

    @Test(arguments: [
        ("es", Language.spanish), ("fr, it;q=0.5, tr;q=0.9", .turkish), ("en;q=0.1,zh-CN", .simplifiedChinese),
        ("zh-TW,zh;q=0.8,en;q=0.7", .simplifiedChinese), ("zh-TW,en;q=0.7", .english), ("it,tr", .italian),
        ("it;q=0.5,tr;q=0.500", .italian), ("it;q=0.499,tr;q=0.5", .turkish), ("it;q=0, tr;q=0.001", .turkish),
        ("it ; q=0.5 , tr ; Q=0.6", .turkish), ("it;q=2, tr;q=0.1", .turkish), ("it;q=, tr;q=0.1", .turkish),
        ("it;q=0.5555, tr;q=0.1", .turkish), ("it;q=1.001, tr;q=0.1", .turkish), ("*, tr;q=0.1", .turkish),
        (",,,tr,", .turkish), ("../..,tr;q=0.2", .turkish), ("es-ES,es;q=0.9,en;q=0.8", .spanish),
        ("it;q=1.,tr", .italian),
    ])
    func `a browser gets the language it would rather have`(field: String, language: Language) {
        #expect(Language.best(acceptLanguage: field) == language)
    }

    @Test(arguments: ["", "*", "fr", "en;q=0", "en;q=0.000", "en;level=1", "en;q=0.5;q=0.6", ";;;", "en\0", "zh-TW"])
    func `a field without one of ours finds nothing`(field: String) {
        #expect(Language.best(acceptLanguage: field) == nil)
    }

    @Test func `only the beginning of a field is read`() {
        #expect(Language.best(acceptLanguage: "fr," + String(repeating: "x,", count: 100) + "tr") == .turkish)
        #expect(Language.best(acceptLanguage: "fr," + String(repeating: "x,", count: 5_000) + "tr") == nil)
    }
}
