// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingProjects
import HomingStore

/// What the reader of a mail decides on its page, on any device.
extension ActionCodes {
    /// Approves a bound sign-in by the number that the asking device shows. The client that asked is signed in by it,
    /// and nobody else.
    ///
    /// - Throws: ``Refusal/wrongNumber(triesLeft:)``, counted, or the reason why the code is dead.
    @discardableResult
    package func approve(
        _ text: String, number: String, in project: Project, on device: Device? = nil
    ) async throws -> ActionCode {
        let (sealed, kind) = try open(text, in: project, likely: .signIn)
        guard kind == .signIn else { throw Refusal.codeInvalid(.malformed) }
        let proof = try judge(.number(number), of: sealed, kind, in: project, on: device)
        return try await store.write(in: project) { tx in try tx.codes.approve(sealed.id, by: proof) }
    }

    /// Judges the number that stands in the mail of an unbound sign-in, whose page leads on to the app. Nothing but a
    /// wrong number is counted.
    package func check(
        _ text: String, number: String, in project: Project, on device: Device? = nil
    ) async throws -> ActionCode {
        let (sealed, kind) = try open(text, in: project, likely: .signIn)
        var proof = try judge(.number(number), of: sealed, kind, in: project, on: device)
        proof.ofAskingDevice = nil
        return try await store.write(in: project) { [proof] tx in try tx.codes.check(sealed.id, kind, by: proof) }
    }

    /// Ends a bound request that the reader of its mail has not made.
    @discardableResult
    package func decline(_ text: String, in project: Project) async throws -> ActionCode {
        let (sealed, kind) = try open(text, in: project, likely: .signIn)
        return try await store.write(in: project) { tx in
            let code = try tx.codes.decline(sealed.id, kind)
            tx.report(.codeDeclined, account: try tx.accounts.find(code.address)?.id)
            return code
        }
    }
}
