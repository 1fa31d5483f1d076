// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingServer
import Testing

/// The strings of a catalogue by their place in it.
private func strings(in value: Any, at place: String = "") -> [String: String] {
    if let string = value as? String { return [place: string] }
    var result: [String: String] = [:]
    for child in Mirror(reflecting: value).children {
        result.merge(strings(in: child.value, at: "\(place).\(child.label ?? "")")) { first, _ in first }
    }
    return result
}

private func placeholders(in text: String) -> Set<String> {
    Set(text.matches(of: /%[A-Z_]+%/).map { String($0.output) })
}

private func hasHan(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.properties.isIdeographic }
}

@Suite struct ViewsTextTests {
    @Test(arguments: Language.allCases)
    func `every sentence is in the language and leaves the same places open`(language: Language) {
        let english = strings(in: PageText.text(in: .english))
        let texts = strings(in: PageText.text(in: language))
        #expect(english.count > 125)
        #expect(texts.keys.sorted() == english.keys.sorted())
        for (place, text) in texts {
            #expect(!text.isEmpty && text.utf8.count < 400, "\(place)")
            #expect(placeholders(in: text) == placeholders(in: english[place] ?? ""), "\(place): \(text)")
            #expect(!text.contains("  ") && !text.hasPrefix(" ") && !text.hasSuffix(" "), "\(place): \(text)")
            if language != .english { #expect(text != english[place], "\(place): \(text)") }
            if language == .simplifiedChinese { #expect(hasHan(text), "\(place): \(text)") }
        }
    }

    @Test(arguments: Language.allCases)
    func `every placeholder is one that pages fill`(language: Language) {
        let known: Set = ["%EMAIL%", "%APP_NAME%", "%HOST%", "%COUNT%", "%TITLE%"]
        for (place, text) in strings(in: PageText.text(in: language)) {
            #expect(placeholders(in: text).isSubset(of: known), "\(place): \(text)")
        }
    }
}
