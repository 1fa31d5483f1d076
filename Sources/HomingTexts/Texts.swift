// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import Synchronization

/// Every sentence of mails and pages in one language: a file of `Texts/`, read at its first use.
///
/// The types are the schema of those files. A key that a file lacks is read in English; keys that end in `#` are notes
/// for translators. A class, because copying hundreds of texts would cost more than writing a page.
package final class Texts: Decodable, Sendable {
    package let language: LanguageFacts
    package let times: TimeText
    /// A kind of device, such as `%BROWSER% on %SYSTEM%`.
    package let device: String
    package let letters: Letters
    package let pages: PageText

    /// The facts about a language.
    package struct LanguageFacts: Decodable, Sendable {
        package let tag: String
        /// The name that its speakers use.
        package let name: String
        package let direction: Language.Direction
        /// The locale that writes dates.
        package let dates: String
        /// Whether the file must have every key.
        package let isComplete: Bool
    }

    /// The texts of one language once they are read; without a lock, at which all who write mails would meet.
    private final class Place: Sendable {
        let texts = AtomicLazyReference<Texts>()
    }

    private static let places = Dictionary(uniqueKeysWithValues: Language.allCases.map { ($0, Place()) })

    package static func of(_ language: Language) -> Texts {
        guard let place = places[language] else { fatalError("there is no file of texts for \(language.tag)") }
        return place.texts.load() ?? place.texts.storeIfNil(decoded(TextFile.bytes(of: language)))
    }

    /// The file as it is, or with English texts for the keys that it lacks.
    private static func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> Texts {
        let own = try? JSONDecoder().decode(Texts.self, from: Data(bytes))
        if let own, own.language.isComplete { return own }
        do {
            let whole = completed(try object(bytes), by: try object(TextFile.bytes(of: .english)))
            return try JSONDecoder().decode(Texts.self, from: JSONSerialization.data(withJSONObject: whole))
        } catch {
            // The files are part of the program, and the tests read all of them.
            fatalError("a file of texts cannot be read: \(error)")
        }
    }

    private static func object(_ bytes: UnsafeBufferPointer<UInt8>) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
    }

    private static func completed(_ texts: [String: Any], by english: [String: Any]) -> [String: Any] {
        texts.merging(english) { own, other in
            guard let own = own as? [String: Any], let other = other as? [String: Any] else { return own }
            return completed(own, by: other)
        }
    }
}

extension Language {
    /// The name that its speakers use.
    package var name: String { Texts.of(self).language.name }

    package var direction: Direction { Texts.of(self).language.direction }

    /// The direction of any language, ours or not.
    package static func direction(of tag: String) -> Direction {
        Locale.Language(identifier: tag).characterDirection == .rightToLeft ? .rightToLeft : .leftToRight
    }
}
