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
        // The letters of its own name say in which direction it is written.
        let isRightToLeft = language.name.unicodeScalars.contains { (0x590...0x8ff).contains($0.value) }
        #expect(language.direction == (isRightToLeft ? .rightToLeft : .leftToRight))
    }

    @Test(arguments: [
        ("en-GB", "en"), ("en-x-private", "en"), ("EN-us", "en"), ("it-CH", "it"), ("tr-TR", "tr"), ("de_AT", "de"),
        // Regions: the file that names one, the file without one, the likely one.
        ("es-419", "es-419"), ("es-MX", "es-419"), ("es_us", "es-419"), ("es-ES", "es"), ("es-PH", "es"),
        ("pt", "pt-BR"), ("pt_BR", "pt-BR"), ("pt-PT", "pt-PT"), ("pt-AO", "pt-PT"), ("fr-CA", "fr-CA"),
        ("fr-BE", "fr"),
        // Scripts, named or likely.
        ("zh", "zh-Hans"), ("zh-Hans", "zh-Hans"), ("zh-Hans-CN", "zh-Hans"), ("zh-SG", "zh-Hans"),
        ("zh-CN", "zh-Hans"),
        ("zh-Hans-TW", "zh-Hans"), ("zh_Hans_CN", "zh-Hans"), ("zh-TW", "zh-Hant"), ("zh-Hant-CN", "zh-Hant"),
        ("ZH-tw", "zh-Hant"), ("zh-HK", "zh-HK"), ("zh-Hant-HK", "zh-HK"), ("zh-MO", "zh-HK"), ("yue", "zh-HK"),
        ("sr", "sr"), ("sr-RS", "sr"), ("sr-Latn", "sr-Latn"), ("sr-Latn-RS", "sr-Latn"), ("sr-ME", "sr-Latn"),
        // Old tags, and those of Firebase.
        ("iw", "he"), ("iw-IL", "he"), ("in", "id"), ("in_ID", "id"), ("no", "nb"), ("no-NO", "nb"), ("tl", "fil"),
        ("sh", "sr-Latn"), ("fil-PH", "fil"),
    ])
    func `a tag finds the language that its readers read`(tag: String, found: String) {
        #expect(Language(tag: tag)?.tag == found)
    }

    @Test func `among fewer languages the nearest form is found, and no other script`() throws {
        let offered = [Language.spanish, .brazilianPortuguese, .simplifiedChinese]
        func found(_ tag: String) throws -> String? {
            Language(try #require(LanguageTag(parsing: tag)), among: offered)?.tag
        }
        #expect(try found("es-MX") == "es")
        #expect(try found("pt-PT") == "pt-BR")
        #expect(try found("zh-CN") == "zh-Hans")
        #expect(try found("zh-TW") == nil)
        #expect(try found("en") == nil)
        #expect(Language.best(acceptLanguage: "zh-TW, de;q=0.9, es-AR;q=0.1", among: offered) == .spanish)
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
        #expect(Language(tag: tag)?.primary == "es")
    }

    @Test(arguments: [
        "tlh", "xx", "e", "x-en", "i-klingon", "uz-Cyrl", "pa-PK", "pa-Arab", "hi-Latn", "la",
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
        ("es", Language.spanish), ("tlh, it;q=0.5, tr;q=0.9", .turkish), ("en;q=0.1,zh-CN", .simplifiedChinese),
        ("hi-Latn,zh;q=0.8,en;q=0.7", .simplifiedChinese), ("hi-Latn,en;q=0.7", .english), ("it,tr", .italian),
        ("it;q=0.5,tr;q=0.500", .italian), ("it;q=0.499,tr;q=0.5", .turkish), ("it;q=0, tr;q=0.001", .turkish),
        ("it ; q=0.5 , tr ; Q=0.6", .turkish), ("it;q=2, tr;q=0.1", .turkish), ("it;q=, tr;q=0.1", .turkish),
        ("it;q=0.5555, tr;q=0.1", .turkish), ("it;q=1.001, tr;q=0.1", .turkish), ("*, tr;q=0.1", .turkish),
        (",,,tr,", .turkish), ("../..,tr;q=0.2", .turkish), ("es-ES,es;q=0.9,en;q=0.8", .spanish),
        ("it;q=1.,tr", .italian),
    ])
    func `a browser gets the language it would rather have`(field: String, language: Language) {
        #expect(Language.best(acceptLanguage: field) == language)
    }

    @Test(arguments: ["", "*", "tlh", "en;q=0", "en;q=0.000", "en;level=1", "en;q=0.5;q=0.6", ";;;", "en\0", "hi-Latn"])
    func `a field without one of ours finds nothing`(field: String) {
        #expect(Language.best(acceptLanguage: field) == nil)
    }

    @Test func `only the beginning of a field is read`() {
        #expect(Language.best(acceptLanguage: "tlh," + String(repeating: "x,", count: 100) + "tr") == .turkish)
        #expect(Language.best(acceptLanguage: "tlh," + String(repeating: "x,", count: 5_000) + "tr") == nil)
    }
}
