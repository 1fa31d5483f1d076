// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase
import HomingLinkRules
package import HomingStore
import HomingTexts
internal import HomingWire

/// A template that is to be in force; nil for our own words.
package struct TemplateChange: Sendable {
    package let kind: MailKind
    package let language: String
    package let template: MailTemplate?
    /// The version that its author began from; nil where the author does not care.
    package let base: Int?

    /// - Throws: ``Refusal/invalidSetting(_:)`` for a language that is no tag.
    package init(_ kind: MailKind, _ language: String, to template: MailTemplate?, from base: Int? = nil)
        throws(Refusal)
    {
        guard let tag = LanguageTag(parsing: language) else {
            throw .invalidSetting("\(Printable.given(language)) is no language: use a tag such as de or pt-BR")
        }
        self.kind = kind
        self.language = tag.text
        self.template = template.flatMap { $0.isEmpty ? nil : $0 }
        self.base = base
    }

    package var name: String { "\(kind.rawValue) \(language)" }
}

extension Projects {
    /// Puts templates in force, all or none. What is in force already makes no version.
    ///
    /// - Returns: the versions that are in force now, in the order of the changes.
    /// - Throws: ``Refusal/invalidTemplate(_:in:)``, or ``Refusal/templateChanged(newest:)`` where a newer version than
    ///   the author's is in force.
    @discardableResult
    package func save(
        _ changes: [TemplateChange], of id: ProjectID, by author: Authority
    ) async throws -> [TemplateVersion] {
        _ = try existing(id)
        try check(changes)
        return try await self.change(by: author) { tx in
            try changes.map { try Self.save($0, of: id, tx) }
        }
    }

    /// Puts one template in force, in the transaction of whoever asks for it.
    ///
    /// - Returns: the version that is in force now.
    static func save(
        _ change: TemplateChange, of id: ProjectID, _ tx: borrowing Transaction
    ) throws -> TemplateVersion {
        let newest = try newest(change.kind, change.language, of: id, tx)
        if let base = change.base, base != newest?.number ?? 0, let newest {
            throw Refusal.templateChanged(newest: newest)
        }
        if let newest, newest.template == change.template { return newest }
        let next = TemplateVersion(
            kind: change.kind, language: change.language, number: (newest?.number ?? 0) + 1,
            author: tx.work.authority.text, createdAt: tx.now, template: change.template)
        guard newest != nil || next.template != nil else { return next }
        if newest?.template == nil, next.template != nil {
            let languages = try countInForce(change.kind, of: id, tx)
            guard languages < mostLanguages else {
                throw Refusal.invalidSetting(
                    "\(change.kind.rawValue) has templates in \(languages) languages, and \(mostLanguages) is the "
                        + "most: go back to Homing's words in one first", remedy: .resetTemplate)
            }
        }
        try tx.run(
            """
            INSERT INTO template_versions (project, kind, language, version, author, created_at, template)
            VALUES (
                \(id), \(next.kind), \(next.language), \(next.number), \(next.author), \(next.createdAt),
                \(next.template?.stored)
            )
            """)
        tx.note(
            next.template == nil ? "template.reset" : "template.set", of: change.name, in: id,
            before: newest.map { "version \($0.number)" }, after: "version \(next.number)")
        return next
    }

    /// Refuses templates that cannot be in force.
    package func check(_ changes: [TemplateChange]) throws(Refusal) {
        for change in changes {
            let faults = change.template?.faults(for: change.kind, in: change.language) ?? []
            guard faults.isEmpty else { throw .invalidTemplate(faults, in: change.name) }
        }
    }

    /// The versions of a template, the newest first.
    package func versions(
        _ kind: MailKind, _ language: String, of id: ProjectID, limit: Int = 1000
    ) async throws -> [TemplateVersion] {
        _ = try existing(id)
        let language = LanguageTag(parsing: language)?.text ?? language
        return try await store.read { tx in
            try tx.run(
                """
                SELECT kind, language, version, author, created_at, template FROM template_versions
                WHERE project = \(id) AND kind = \(kind) AND language = \(language) ORDER BY version DESC LIMIT \(limit)
                """
            ).compactMap(Self.version)
        }
    }

    /// Who saved the versions of a template and when, the newest first, without what they say.
    package func history(
        _ kind: MailKind, _ language: String, of id: ProjectID, limit: Int = 50
    ) async throws -> [TemplateSaving] {
        _ = try existing(id)
        let language = LanguageTag(parsing: language)?.text ?? language
        return try await store.read { tx in
            try tx.run(
                """
                SELECT version, author, created_at, CASE WHEN template IS NULL THEN 1 ELSE 0 END FROM template_versions
                WHERE project = \(id) AND kind = \(kind) AND language = \(language) ORDER BY version DESC LIMIT \(limit)
                """
            ).map { row in
                var row = row
                return TemplateSaving(
                    number: Int(try row.int()), author: try row.text(), createdAt: try row.moment(),
                    isReset: try row.int() == 1)
            }
        }
    }

    /// One version of a template; nil where there is none of the number.
    package func version(
        _ number: Int, of kind: MailKind, _ language: String, in id: ProjectID
    ) async throws -> TemplateVersion? {
        let language = LanguageTag(parsing: language)?.text ?? language
        return try await store.read { tx in
            try tx.run(
                """
                SELECT kind, language, version, author, created_at, template FROM template_versions
                WHERE project = \(id) AND kind = \(kind) AND language = \(language) AND version = \(number)
                """
            ).first.flatMap(Self.version)
        }
    }

    /// Puts an older version in force again, as a new one.
    @discardableResult
    package func restore(
        _ number: Int, of kind: MailKind, _ language: String, in id: ProjectID, from base: Int? = nil,
        by author: Authority
    ) async throws -> TemplateVersion {
        guard let version = try await version(number, of: kind, language, in: id) else {
            throw Refusal.notFound(
                "there is no version \(number) of \(kind.rawValue) \(Printable.given(language))",
                remedy: .listTemplateVersions(project: id, kind: kind.rawValue, language: language))
        }
        let change = try TemplateChange(kind, language, to: version.template, from: base)
        return try await save([change], of: id, by: author)[0]
    }

    // MARK: Rows

    /// Of one kind of mail: every node keeps what is in force in memory.
    package static let mostLanguages = 100

    private static func countInForce(
        _ kind: MailKind, of id: ProjectID, _ tx: borrowing Transaction
    ) throws -> Int64 {
        try tx.run(
            """
            SELECT COUNT(*) FROM template_versions
            WHERE project = \(id) AND kind = \(kind) AND template IS NOT NULL AND version = (
                SELECT MAX(v.version) FROM template_versions v
                WHERE v.project = template_versions.project AND v.kind = template_versions.kind
                    AND v.language = template_versions.language
            )
            """
        ).firstInt() ?? 0
    }

    /// The newest version of every template.
    static let newestTemplates: SQL = """
        SELECT kind, language, version, author, created_at, template, project FROM template_versions
        WHERE version = (
            SELECT MAX(v.version) FROM template_versions v
            WHERE v.project = template_versions.project AND v.kind = template_versions.kind
                AND v.language = template_versions.language
        )
        """

    private static func newest(
        _ kind: MailKind, _ language: String, of id: ProjectID, _ tx: borrowing Transaction
    ) throws -> TemplateVersion? {
        try tx.run(
            """
            SELECT kind, language, version, author, created_at, template FROM template_versions
            WHERE project = \(id) AND kind = \(kind) AND language = \(language) ORDER BY version DESC LIMIT 1
            """
        ).first.flatMap(Self.version)
    }

    /// Nil for a kind of mail that another node writes and this one does not know.
    package static func version(_ row: Row) throws -> TemplateVersion? {
        var row = row
        return try version(of: &row)
    }

    package static func version(of row: inout Row) throws -> TemplateVersion? {
        let (kind, language, number) = (MailKind(rawValue: try row.text()), try row.text(), Int(try row.int()))
        let (author, createdAt) = (try row.text(), try row.moment())
        let template = try row.optionalText().map { try MailTemplate(stored: $0) }
        return kind.map {
            TemplateVersion(
                kind: $0, language: language, number: number, author: author, createdAt: createdAt, template: template)
        }
    }
}
