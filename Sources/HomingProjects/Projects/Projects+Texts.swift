// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingStore
package import HomingTexts
import HomingWire

extension Projects {
    /// Every node keeps those of all projects in memory.
    static let mostTexts: Int64 = 2_000

    /// Says sentences in the project's own words, or in ours again where a text is nil: all or none. A sentence that
    /// Homing has no more can be given back, too.
    ///
    /// - Parameter texts: by their keys (``OwnTexts``).
    /// - Throws: ``Refusal/invalidSetting(_:)`` for a key that no sentence has, or a text that cannot stand there.
    package func setTexts(
        _ texts: [String: String?], in language: Language, of id: ProjectID, by author: Authority
    ) async throws {
        _ = try existing(id)
        let sentences = OwnTexts.sentences(of: language)
        for case (let key, let text?) in texts {
            guard let ours = sentences[key] else {
                let sentence = "there is no sentence \(Printable.given(key)) in \(language.tag)"
                guard let meant = Spelling.nearest(to: key, among: sentences.keys.sorted()) else {
                    throw Refusal.invalidSetting(sentence, remedy: .listTexts(project: id, language: language.tag))
                }
                throw Refusal.invalidSetting(sentence, remedy: .meant(meant))
            }
            if let fault = OwnTexts.fault(text, in: ours) {
                throw Refusal.invalidSetting("\(key) cannot be \(Printable.given(text)): \(fault)")
            }
        }
        try await change(by: author) { tx in
            for (key, text) in texts.sorted(by: { $0.key < $1.key }) {
                let before = try tx.run(
                    "SELECT text FROM project_texts WHERE project = \(id) AND language = \(language.tag) AND key = \(key)"
                ).firstText()
                guard before != text else { continue }
                try tx.run(
                    "DELETE FROM project_texts WHERE project = \(id) AND language = \(language.tag) AND key = \(key)")
                if let text {
                    try tx.run(
                        """
                        INSERT INTO project_texts (project, language, key, text)
                        VALUES (\(id), \(language.tag), \(key), \(text))
                        """)
                }
                tx.note(
                    text == nil ? "text.reset" : "text.set", of: "\(language.tag) \(key)", in: id, before: before,
                    after: text)
            }
            let count = try tx.run("SELECT COUNT(*) FROM project_texts WHERE project = \(id)").firstInt() ?? 0
            guard count <= Self.mostTexts else {
                throw Refusal.invalidSetting("a project says at most \(Self.mostTexts) sentences in its own words")
            }
        }
    }

    static func ownTexts(_ rows: [Row]) throws -> [ProjectID: OwnTexts] {
        var changes: [ProjectID: [String: [String: String]]] = [:]
        for var row in rows {
            let (project, language, key) = (try row.id() as ProjectID, try row.text(), try row.text())
            changes[project, default: [:]][language, default: [:]][key] = try row.text()
        }
        return changes.mapValues { OwnTexts($0) }
    }
}
