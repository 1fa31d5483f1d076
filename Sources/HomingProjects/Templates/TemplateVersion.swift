// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
package import HomingTexts
import HomingWire

/// One state of a project's template for a kind of mail in a language. States are kept for ever, the newest is in
/// force.
package struct TemplateVersion: Sendable, Equatable {
    package let kind: MailKind
    /// A language tag in its usual spelling (``LanguageTag/text``).
    package let language: String
    /// From 1; what was never written is version 0.
    package let number: Int
    /// Who saved it (``Authority/text``).
    package let author: String
    package let createdAt: Moment
    /// Nil where the project went back to our words.
    package let template: MailTemplate?
    /// The template's HTML as it was checked; nil where it has none. It is read when a mail is written, and not
    /// whenever the projects are.
    package var markup: LetterMarkup? { template?[.html].flatMap { try? LetterMarkup(checking: $0) } }

    package init(
        kind: MailKind, language: String, number: Int, author: String, createdAt: Moment, template: MailTemplate?
    ) {
        self.kind = kind
        self.language = language
        self.number = number
        self.author = author
        self.createdAt = createdAt
        self.template = template
    }
}

/// That somebody saved a version, without what it says.
package struct TemplateSaving: Sendable, Equatable {
    package let number: Int
    /// Who saved it (``Authority/text``).
    package let author: String
    package let createdAt: Moment
    /// Whether the project went back to our words.
    package let isReset: Bool
}

/// The newest version of every template of a project.
package struct TemplateShelf: Sendable, Equatable {
    private var versions: [MailKind: [TemplateVersion]] = [:]

    package init() {}

    package mutating func add(_ version: TemplateVersion) {
        versions[version.kind, default: []].append(version)
    }

    /// In the order of kinds and languages.
    package var all: [TemplateVersion] {
        MailKind.withTemplates.flatMap { kind in
            (versions[kind] ?? []).sorted { $0.language < $1.language }
        }
    }

    /// All that are in force.
    package var inForce: [TemplateVersion] { all.filter { $0.template != nil } }

    package func newest(_ kind: MailKind, _ language: String) -> TemplateVersion? {
        versions[kind]?.first { ASCII.areEqual($0.language, language) }
    }

    /// The template in force for a person's language, by the lookup of RFC 4647, section 3.4: `de-AT` finds `de`. A
    /// template for another form of the language is found last, such as `pt-BR` for `pt-PT` or `zh-CN` for `zh-Hans`:
    /// the team's own words come before ours.
    ///
    /// - Parameter left: the language of a template that is passed over, as if it were not there.
    package func match(_ kind: MailKind, for tag: LanguageTag, leavingOut left: String? = nil) -> TemplateVersion? {
        guard let versions = versions[kind] else { return nil }
        let inForce = versions.filter { version in
            version.template != nil && left.map { ASCII.areEqual($0, version.language) } != true
        }
        guard !inForce.isEmpty else { return nil }
        for length in (1...tag.subtags.count).reversed() {
            let shorter = tag.subtags.prefix(length).joined(separator: "-")
            if let found = inForce.first(where: { ASCII.areEqual($0.language, shorter) }) { return found }
        }
        return inForce.first { Language.isReadAlike($0.language, tag.text) }
    }

    /// Whether any mail has words of the project's own for a person's language.
    package func speaks(_ tag: LanguageTag) -> Bool {
        MailKind.withTemplates.contains { match($0, for: tag) != nil }
    }
}
