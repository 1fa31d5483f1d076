// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingProjects
import HomingStore

extension ActionCodes {
    /// Reads a code of any kind without using it.
    ///
    /// - Throws: ``Refusal/codeInvalid(_:)`` or ``Refusal/codeExpired``.
    package func inspect(_ text: String, in project: Project) async throws -> ActionCode {
        let (sealed, kind) = try open(text, in: project)
        return try await store.read(in: project) { tx in try tx.codes.find(sealed.id, kind) }
    }

    /// Reads a code even when it is dead, for a page that offers a new link. Nil for a forged or forgotten code.
    package func remember(_ text: String, in project: Project) async throws -> ActionCode? {
        guard let (sealed, kind) = try? open(text, in: project) else { return nil }
        return try await store.read(in: project) { tx in try tx.codes.remember(sealed.id, kind) }
    }

    /// Checks the MAC, and finds the kind by trying all five. Never asks the database.
    ///
    /// - Parameter likely: the kind to try first; each further one costs another MAC.
    func open(
        _ text: String, in project: Project, likely: ActionCodeKind = .passwordReset
    ) throws(Refusal) -> (sealed: SealedID, kind: ActionCodeKind) {
        let kinds = [likely] + ActionCodeKind.allCases.filter { $0 != likely }
        let contexts = kinds.map { ActionCode.context($0, project: project.scope) }
        guard let opened = try SealedID.open(text, for: .actionCode, contexts: contexts, ring: store.ring) else {
            throw .codeInvalid(.malformed)
        }
        return (opened.sealed, kinds[opened.context])
    }

    /// The code as its link has it.
    func text(of sealed: SealedID, _ kind: ActionCodeKind, in project: Project) throws -> String {
        let context = ActionCode.context(kind, project: project.scope)
        guard let code = try sealed.text(for: .actionCode, context: context, ring: store.ring) else {
            throw KeyFault.unknownVersion(sealed.version)
        }
        return code
    }
}
