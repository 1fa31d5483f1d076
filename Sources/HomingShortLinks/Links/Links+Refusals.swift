// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingLinkRules
package import HomingStore

extension Refusal {
    /// Somebody else has saved the link since its author began; the link as it is now is the cause.
    package static func linkChanged(newest: StoredLink) -> Refusal {
        Refusal(
            .linkChanged,
            "version \(newest.version) of \(newest.domain)/\(newest.suffix) is the newest by now"
                + (newest.author.map { ", saved by \($0)" } ?? "") + ": look at it, then save yours again",
            status: .aborted, cause: newest)
    }

    /// An ending that a link has already.
    static func endingTaken(_ url: String, by link: StoredLink?, wanted query: String) -> Refusal {
        guard let link else { return .alreadyExists("\(url) leads elsewhere already", remedy: .showLink) }
        if link.deletedAt != nil {
            return .alreadyExists(
                "\(url) was deleted, and its ending is never given away: restore it, or choose another",
                remedy: .showLink)
        }
        return .alreadyExists(
            link.query.utf8.elementsEqual(query.utf8)
                ? "\(url) exists already, and its name or its settings are others: edit it, or choose another ending"
                : "\(url) leads elsewhere already", remedy: .showLink)
    }

    /// A link that was deleted is restored before it is changed.
    static func linkDeleted(_ url: String) -> Refusal {
        .notFound("\(url) was deleted: restore one of its versions", remedy: .showLink)
    }
}

extension Refusal.Code {
    package static let linkChanged = Self("LINK_CHANGED", says: "ABORTED")
}
