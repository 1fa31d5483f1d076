// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingLinkRules
package import HomingStore
import HomingTexts

extension Projects {
    /// Changes how a project looks.
    ///
    /// - Throws: ``Refusal/changedMeanwhile(_:)`` where the brand is no longer what the change's author saw.
    package func setBrand(_ change: BrandChange, of id: ProjectID, by author: Authority) async throws {
        _ = try existing(id)
        try await self.change(by: author) { tx in
            let stored = try tx.run(
                "SELECT project, logo, color, support, postal FROM brands WHERE project = \(id)")
            let before = try stored.first.map { try Self.brand($0).brand } ?? Brand()
            try change.checkExpected(of: before)
            let after = try change.applied(to: before)
            guard after != before else { return }
            try tx.run(
                after.isEmpty
                    ? "DELETE FROM brands WHERE project = \(id)"
                    : """
                    INSERT INTO brands (project, logo, color, support, postal)
                    VALUES (
                        \(id), \(after.logo?.bytes), \(after.color?.text), \(after.supportAddress?.text),
                        \(after.postalLine)
                    )
                    ON CONFLICT (project) DO UPDATE SET logo = excluded.logo, color = excluded.color,
                        support = excluded.support, postal = excluded.postal
                    """)
            tx.note("brand.set", of: id.text, in: id, before: before.summary, after: after.summary)
        }
    }

    static let brands: SQL = "SELECT project, logo, color, support, postal FROM brands"

    static func brand(_ row: Row) throws -> (project: ProjectID, brand: Brand) {
        var row = row
        let project: ProjectID = try row.id()
        var brand = Brand()
        brand.logo = try row.optionalBytes().map { try Logo(checking: $0) }
        brand.color = try row.optionalText().flatMap { BrandColor(parsing: $0) }
        brand.supportAddress = try row.optionalText().map { EmailAddress(stored: $0) }
        brand.postalLine = try row.optionalText()
        return (project, brand)
    }
}

extension Brand {
    /// The brand in one line, for the audit log.
    fileprivate var summary: String? {
        let properties: [(String, String?)] = [
            ("logo", logo.map { "\($0.format.rawValue) \($0.digest)" }), ("colour", color?.text),
            ("support", supportAddress?.text), ("postal", postalLine),
        ]
        let words = properties.compactMap { name, value in value.map { "\(name) \($0)" } }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}
