// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore

extension Refusal {
    /// What stands against a template, and the template's name; the faults are the cause.
    package static func invalidTemplate(_ faults: [TemplateFault], in name: String) -> Refusal {
        Refusal(.invalidTemplate, "\(name): " + faults.map(\.line).joined(separator: "; "), cause: faults)
    }

    /// Somebody else has saved the template since its author began; the newest version is the cause.
    package static func templateChanged(newest: TemplateVersion) -> Refusal {
        Refusal(
            .templateChanged,
            "version \(newest.number) of \(newest.kind.rawValue) \(newest.language) is the newest by now, saved by "
                + "\(newest.author): look at it, then save yours again", status: .aborted, cause: newest)
    }
}

extension Refusal.Code {
    package static let invalidTemplate: Self = "INVALID_TEMPLATE"
    package static let templateChanged = Self("TEMPLATE_CHANGED", says: "ABORTED")
}
