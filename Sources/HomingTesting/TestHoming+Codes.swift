// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingProjects
package import HomingStore

extension TestHoming {
    /// The address of the codes in a test, unless the test names another.
    package static let ann = "ann@home.example"

    /// A live code of a kind for ``ann``, whose account is made when there is none.
    package func liveCode(_ kind: ActionCodeKind) async throws -> String {
        if try await found(Self.ann) == nil { try await account(Self.ann, isVerified: true) }
        switch kind {
        case .passwordReset, .verifyEmail, .signIn: return try await code(kind, for: Self.ann)
        case .verifyAndChangeEmail: return try await code(kind, for: Self.ann, newAddress: "ann@new.example")
        case .recoverEmail:
            let change = try await code(.verifyAndChangeEmail, for: Self.ann, newAddress: "ann@new.example")
            _ = try await core.actionCodes.apply(change, in: try shop, language: "en")
            return try await mailedCode(to: Self.ann)
        }
    }

    /// Uses up a code of ``ann``, with the verb of its kind.
    package func redeem(
        _ code: String, _ kind: ActionCodeKind, password: String = TestHoming.password, proof: CodeProof = .none,
        in project: Project? = nil
    ) async throws {
        let project = try project ?? shop
        switch kind {
        case .passwordReset:
            try await core.actionCodes.resetPassword(
                code, to: password, proof: proof, in: project, language: "en", from: "192.0.2.1")
        case .signIn:
            _ = try await core.actionCodes.signIn(
                code, address: try EmailAddress(parsing: Self.ann), linking: nil, proof: proof, in: project)
        case .verifyEmail, .verifyAndChangeEmail, .recoverEmail:
            _ = try await core.actionCodes.apply(code, proof: proof, in: project, language: "en")
        }
    }
}
