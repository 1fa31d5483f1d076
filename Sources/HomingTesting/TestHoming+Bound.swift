// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingProjects
package import HomingStore

/// A code that is bound to ``TestHoming/verifier``, as the client that asked and the mail know it.
package struct BoundCode: Sendable {
    package let code: String
    package let sealed: SealedID
    package let kind: ActionCodeKind
    package let requestID: String
    package let number: String
    package let typed: String

    /// Two digits that are not the number.
    package var wrongNumber: String { String((Int(number) ?? 0) % 90 + 10) }

    /// Eight digits that are not the code.
    package var wrongTyped: String { (typed.hasPrefix("0") ? "1" : "0") + typed.dropFirst() }
}

extension TestHoming {
    package static let verifier = String(repeating: "v", count: 43)

    /// Asks for a code as a client with ``verifier`` does.
    package func ask(
        _ kind: ActionCodeKind, for address: String = TestHoming.ann, newAddress: String? = nil,
        from asked: AskedFrom? = nil, in project: Project? = nil
    ) async throws -> BoundRequest {
        try await ask(kind, address, newAddress, asked, isMailed: true, in: project).bound
    }

    /// A bound code for ``ann``, whose account is made when there is none.
    package func bound(
        _ kind: ActionCodeKind, for address: String = TestHoming.ann, newAddress: String? = nil,
        from asked: AskedFrom? = nil, in project: Project? = nil
    ) async throws -> BoundCode {
        let project = try project ?? shop
        if try await core.accounts.find(try EmailAddress(parsing: address), in: project) == nil {
            try await account(address, isVerified: true, in: project)
        }
        let new = kind == .verifyAndChangeEmail ? newAddress ?? "ann@new.example" : nil
        let (issued, bound) = try await ask(kind, address, new, asked, isMailed: false, in: project)
        guard let code = issued.code else { throw Refusal.emailNotFound }
        let (sealed, kind) = try core.actionCodes.request(withID: bound.requestID, in: project)
        return BoundCode(
            code: code, sealed: sealed, kind: kind, requestID: bound.requestID, number: bound.matchNumber,
            typed: try typedCode(of: bound.requestID, in: project))
    }

    /// The code that stands in a mail, whether anybody gets the mail or not.
    package func typedCode(of requestID: String, in project: Project? = nil) throws -> String {
        let project = try project ?? shop
        let (sealed, kind) = try core.actionCodes.request(withID: requestID, in: project)
        return try core.actionCodes.numbers(of: sealed, kind, in: project).typedCode() ?? ""
    }

    private func ask(
        _ kind: ActionCodeKind, _ address: String, _ newAddress: String?, _ asked: AskedFrom?, isMailed: Bool,
        in project: Project?
    ) async throws -> (issued: ActionCodes.Issued, bound: BoundRequest) {
        let issued = try await core.actionCodes.request(
            ActionCodes.Request(
                project: try project ?? shop, kind: kind, subject: .address(try EmailAddress(parsing: address)),
                newAddress: try newAddress.map { try EmailAddress(parsing: $0) }, settings: ActionCodeSettings(),
                language: "en", isMailed: isMailed, isAdmin: !isMailed,
                challenge: CodeChallenge(of: Self.verifier), asked: asked))
        guard let bound = issued.bound else { throw Refusal.invalidRequestID }
        return (issued, bound)
    }
}
