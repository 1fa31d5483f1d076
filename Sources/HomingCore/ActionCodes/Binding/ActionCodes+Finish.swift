// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingProjects
package import HomingStore
import HomingWire

/// How a bound request is finished away from its link: by whoever waits for it.
extension ActionCodes {
    /// Signs the asking client in after somebody has approved it elsewhere, once.
    ///
    /// - Throws: ``Refusal/codeInvalid(_:)`` where there is nothing to collect, or not by this verifier.
    package func collect(
        _ sealed: SealedID, verifier: String, in project: Project, orElse spoken: String? = nil,
        on device: Device? = nil
    ) async throws -> (account: Account, isNew: Bool, tokens: Tokens) {
        guard let challenge = CodeChallenge(of: verifier) else { throw Refusal.invalidRequestID }
        return try await arrive(in: project) { tx in
            guard let code = try tx.codes.collect(sealed.id, by: challenge) else {
                throw Refusal.codeInvalid(.used)
            }
            return try Self.signIn(by: code, linking: nil, orElse: spoken, on: device, tx)
        }
    }

    /// What a code does that was typed right.
    package enum Typed: Sendable {
        case signedIn(account: Account, isNew: Bool, tokens: Tokens)
        /// Of another kind than sign-in: the code of the link, which goes on as usual.
        case goesOn(code: String)
    }

    /// Finishes a request at the client that asked, by the code that stands in the mail.
    ///
    /// - Throws: ``Refusal/wrongTypedCode(triesLeft:)``, counted; ``Refusal/invalidRequestID`` for another verifier.
    package func redeemTyped(
        _ sealed: SealedID, _ kind: ActionCodeKind, typed: String, verifier: String, in project: Project,
        orElse spoken: String? = nil, on device: Device? = nil
    ) async throws -> Typed {
        guard let challenge = CodeChallenge(of: verifier) else { throw Refusal.invalidRequestID }
        try await judge(typed, sealed, kind, challenge, in: project)
        guard kind == .signIn else {
            return .goesOn(code: try await code(typedFor: sealed, kind, challenge, in: project))
        }
        let arrival = try await arrive(in: project) { tx in
            let code = try tx.codes.typed(sealed.id, .uses(challenge))
            return try Self.signIn(by: code, linking: nil, orElse: spoken, on: device, tx)
        }
        return .signedIn(account: arrival.account, isNew: arrival.isNew, tokens: arrival.tokens)
    }

    /// What a code does that was typed right on the page that waits, which has no verifier.
    package enum Finished: Sendable {
        /// The client that asked collects the sign-in.
        case approved
        case goesOn(code: String)
    }

    /// Finishes a request on the hosted page that waits for it, by the code that stands in the mail.
    package func finish(requestID: String, typed: String, in project: Project) async throws -> Finished {
        let (sealed, kind) = try request(withID: requestID, in: project)
        try await judge(typed, sealed, kind, nil, in: project)
        guard kind == .signIn else {
            return .goesOn(code: try await code(typedFor: sealed, kind, nil, in: project))
        }
        try await store.write(in: project) { tx in _ = try tx.codes.typed(sealed.id, .approves) }
        return .approved
    }

    /// Throws the refusal of a code that was typed wrong. Whether it is right is known without the database, which has
    /// to count a wrong one.
    private func judge(
        _ typed: String, _ sealed: SealedID, _ kind: ActionCodeKind, _ challenge: CodeChallenge?, in project: Project
    ) async throws {
        guard let digits = TypedDigits.read(typed, count: FinishNumbers.typedLength) else {
            let reason = try await store.read(in: project) { tx in
                try tx.codes.whyNotTyped(sealed.id, kind, challenge, isReadable: false)
            }
            throw reason
        }
        let code = try numbers(of: sealed, kind, in: project).typedCode()
        guard let code, areEqualInConstantTime(code.utf8, digits.utf8) else {
            try await store.write(in: project) { tx in try tx.codes.countWrongTyped(sealed.id, kind, challenge) }
            return
        }
    }

    /// The code of the link, for whoever has typed the one of the mail.
    private func code(
        typedFor sealed: SealedID, _ kind: ActionCodeKind, _ challenge: CodeChallenge?, in project: Project
    ) async throws -> String {
        try await store.read(in: project) { tx in try tx.codes.checkTyped(sealed.id, kind, challenge) }
        return try text(of: sealed, kind, in: project)
    }
}
