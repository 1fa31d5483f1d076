// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingWire

extension IdentityToolkit {
    /// `accounts:awaitOobCode`, which is no operation of Firebase's: waits for what becomes of a bound request.
    static func awaitOobCode(_ context: ProjectContext) async throws -> JSON {
        let fields = context.fields
        guard let id = try fields.text("requestId"), let verifier = try fields.text("codeVerifier") else {
            throw Refusal.invalidRequestID
        }
        let awaited = try await context.homing.actionCodes.awaited(
            id, verifier: verifier, typed: try fields.string("typedCode"), wait: try wait(fields), in: context.project,
            orElse: context.language, on: context.device)
        return answer(awaited)
    }

    /// The seconds that the client wants to wait; a value that says nothing of the kind is left out.
    private static func wait(_ fields: Fields) throws(Refusal) -> Double? {
        switch try fields.value("wait") {
        case .int(let seconds): Double(seconds)
        case .double(let seconds): seconds
        case .string(let text): Int64(text).map(Double.init)
        default: nil
        }
    }

    private static func answer(_ awaited: ActionCodes.Awaited) -> JSON {
        func state(_ name: String, by end: ActionCode.EndedBy? = nil, _ more: [(String, JSON?)] = []) -> JSON {
            .object([("state", .string(name)), ("by", end.map { .string($0.rawValue) })] + more)
        }
        return switch awaited {
        case .pending: state("PENDING")
        case .approved(let account, let isNew, let tokens):
            state(
                "APPROVED",
                [
                    ("localId", .string(account.id.text)), ("email", account.email.map { .string($0.text) }),
                    ("isNewUser", .bool(isNew)),
                ] + tokenMembers(tokens))
        case .goesOn(let code): state("APPROVED", [("oobCode", .string(code))])
        case .done(let end): state("DONE", by: end)
        case .declined(let end): state("DECLINED", by: end)
        case .expired: state("EXPIRED")
        }
    }
}
