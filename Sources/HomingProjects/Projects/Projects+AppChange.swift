// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingDatabase
package import HomingLinkRules
package import HomingStore
internal import HomingWire

/// A change of one property of a registered app.
package struct AppChange: Sendable {
    package let property: RegisteredApp.Property
    /// As ``RegisteredApp/set(_:to:)`` takes it; empty for none.
    package let text: String
    /// What its author saw; nil where that does not matter.
    package let expected: String?

    package init(_ property: RegisteredApp.Property, to text: String, expected: String? = nil) {
        self.property = property
        self.text = text
        self.expected = expected
    }
}

extension Projects {
    /// Changes properties of a registered app: all or none.
    ///
    /// - Returns: the app as it is registered now.
    /// - Throws: ``Refusal/changedMeanwhile(_:)`` where a property is no longer what its author saw.
    @discardableResult
    package func setApp(
        _ platform: RegisteredApp.Platform, _ app: String, to changes: [AppChange], in id: ProjectID,
        by author: Authority
    ) async throws -> RegisteredApp {
        _ = try existing(id)
        return try await change(by: author) { tx in
            guard let before = try Self.app(platform, app, of: id, tx) else {
                throw Refusal.notFound(
                    "\(Printable.given(app)) is not registered in \(id)", remedy: .listApps(project: id))
            }
            var after = before
            for change in changes {
                let now = before.text(of: change.property)
                if let expected = change.expected, !expected.utf8.elementsEqual(now.utf8) {
                    throw Refusal.changedMeanwhile("\(app) is another one than when you began: refresh, then save")
                }
                try after.set(change.property, to: change.text)
            }
            after = try after.validated()
            guard after != before else { return before }
            let kept = try Self.keep(after, in: id, tx)
            tx.note("app.set", of: app, in: id, before: before.summary, after: kept.summary)
            return kept
        }
    }
}
