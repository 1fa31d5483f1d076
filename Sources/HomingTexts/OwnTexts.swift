// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import Synchronization

/// Sentences that a project says in its own words, and ours for all others.
///
/// A key is the way to a sentence in a file of `Texts/`, such as `pages.reset.title`, `letters.signIn.paragraphs.0` or
/// `times.day.few`.
package final class OwnTexts: Sendable, Equatable {
    /// By the tag of one of our languages, then by key.
    package let changes: [String: [String: String]]

    private final class Place: Sendable {
        let texts = AtomicLazyReference<Texts>()
    }

    private let places: [String: Place]

    package init(_ changes: [String: [String: String]] = [:]) {
        self.changes = changes
        places = changes.mapValues { _ in Place() }
    }

    package static func == (left: OwnTexts, right: OwnTexts) -> Bool { left.changes == right.changes }

    /// The texts of a language, read once.
    package func texts(in language: Language) -> Texts {
        guard let place = places[language.tag], let changes = changes[language.tag] else { return Texts.of(language) }
        return place.texts.load() ?? place.texts.storeIfNil(Texts.made(language, replacing: changes))
    }

    // MARK: Keys

    /// The sentences of a language by their keys, English where it lacks one.
    package static func sentences(of language: Language) -> [String: String] {
        var found: [String: String] = [:]
        func collect(_ value: Any, at key: String) {
            switch value {
            case let text as String: found[key] = text
            case let texts as [Any]: for (index, text) in texts.enumerated() { collect(text, at: "\(key).\(index)") }
            case let object as [String: Any]:
                for (name, value) in object where !name.hasSuffix("#") && !(key.isEmpty && name == "language") {
                    collect(value, at: key.isEmpty ? name : "\(key).\(name)")
                }
            default: break
            }
        }
        collect(Texts.object(of: language), at: "")
        return found
    }

    /// The reason why a text cannot take the place of a sentence; nil where it can.
    package static func fault(_ text: String, in place: String) -> String? {
        if text.isEmpty { return "it is empty" }
        if text.utf8.count > longest { return "it has more than \(longest) bytes" }
        if text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7f...0x9f).contains($0.value) }) {
            return "it has characters that nobody can see"
        }
        let known = Set(Placeholders.names(in: place))
        return Placeholders.names(in: text).first { !known.contains($0) }.map { name in
            known.isEmpty
                ? "nothing stands for %\(name)% in this sentence"
                : "nothing stands for %\(name)% in this sentence, only for \(known.sorted().map { "%\($0)%" }.joined(separator: ", "))"
        }
    }

    /// The longest of ours has less than 400 in English, and scripts take up to three times as much.
    private static let longest = 2_000
}
