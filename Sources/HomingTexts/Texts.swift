// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import Synchronization

/// Every sentence of mails and pages in one language: a file of `Texts/`, read at its first use.
///
/// The types are the schema of those files. A key that a file lacks is read in English; keys that end in `#` are notes
/// for translators. A class, because copying hundreds of texts would cost more than writing a page.
package final class Texts: Decodable, Sendable {
    package let language: Language
    package let numerals: Numerals
    package let times: TimeText
    /// A kind of device, such as `%BROWSER% on %SYSTEM%`.
    package let device: String
    package let letters: Letters
    package let pages: PageText

    private enum CodingKeys: CodingKey { case times, device, letters, pages }

    package init(from decoder: any Decoder) throws {
        guard let reader = Reader(decoder) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no language is named"))
        }
        language = reader.language
        numerals = reader.numerals
        let file = try decoder.container(keyedBy: CodingKeys.self)
        times = try file.decode(TimeText.self, forKey: .times)
        device = try file.decode(String.self, forKey: .device)
        letters = try file.decode(Letters.self, forKey: .letters)
        pages = try file.decode(PageText.self, forKey: .pages)
    }

    /// What a file is read with: its language, and how that counts.
    struct Reader: Sendable {
        let language: Language
        let numerals: Numerals

        private static let key = CodingUserInfoKey(rawValue: "texts")

        init(_ language: Language) {
            self.language = language
            numerals = Numerals(tag: language.tag, locale: language.facts.locale)
        }

        init?(_ decoder: any Decoder) {
            guard let key = Self.key, let reader = decoder.userInfo[key] as? Reader else { return nil }
            self = reader
        }

        func texts(_ bytes: Data) throws -> Texts {
            let decoder = JSONDecoder()
            if let key = Self.key { decoder.userInfo[key] = self }
            return try decoder.decode(Texts.self, from: bytes)
        }
    }

    /// The texts of one language once they are read; without a lock, at which all who write mails would meet.
    private final class Place: Sendable {
        let texts = AtomicLazyReference<Texts>()
    }

    private static let places = Dictionary(uniqueKeysWithValues: Language.allCases.map { ($0, Place()) })

    package static func of(_ language: Language) -> Texts {
        guard let place = places[language] else { fatalError("there is no file of texts for \(language.tag)") }
        return place.texts.load() ?? place.texts.storeIfNil(made(language))
    }

    /// The file as it is, or with English texts for the keys that it lacks.
    ///
    /// - Parameter changes: other texts, by their keys (``OwnTexts``).
    static func made(_ language: Language, replacing changes: [String: String] = [:]) -> Texts {
        let reader = Reader(language)
        if changes.isEmpty, language.facts.isComplete, let own = try? reader.texts(Data(TextFile.bytes(of: language))) {
            return own
        }
        do {
            let whole = changes.reduce(object(of: language) as Any) { object, change in
                replaced(change.key.split(separator: ".")[...], by: change.value, in: object)
            }
            return try reader.texts(JSONSerialization.data(withJSONObject: whole))
        } catch {
            // The files are part of the program, and the tests read all of them.
            fatalError("a file of texts cannot be read: \(error)")
        }
    }

    /// The sentences of a language as JSON has them, English where it lacks one.
    static func object(of language: Language) -> [String: Any] {
        func file(_ language: Language) -> [String: Any] {
            let object = try? JSONSerialization.jsonObject(with: Data(TextFile.bytes(of: language)))
            return object as? [String: Any] ?? [:]
        }
        return language.facts.isComplete ? file(language) : completed(file(language), by: file(.english))
    }

    /// A key that leads nowhere changes nothing.
    private static func replaced(_ key: ArraySlice<Substring>, by text: String, in value: Any) -> Any {
        guard let first = key.first else { return value is String ? text : value }
        if var object = value as? [String: Any], let inner = object[String(first)] {
            object[String(first)] = replaced(key.dropFirst(), by: text, in: inner)
            return object
        }
        if var array = value as? [Any], let index = Int(first), array.indices.contains(index) {
            array[index] = replaced(key.dropFirst(), by: text, in: array[index])
            return array
        }
        return value
    }

    private static func completed(_ texts: [String: Any], by english: [String: Any]) -> [String: Any] {
        texts.merging(english) { own, other in
            // A plural has the categories of its own language.
            guard let own = own as? [String: Any], own["other"] == nil, let other = other as? [String: Any] else {
                return own
            }
            return completed(own, by: other)
        }
    }
}
