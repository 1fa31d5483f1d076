// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingStore
import HomingTesting
import Testing

/// Two different codes of one account, used on two nodes at the same time: what is left is what one of the two orders
/// leaves.
@Suite(.tags(.races)) struct PairsOfVerbsTests {
    private static let new = "ann@new.example"
    private static let strangers = "The stranger's 1 password"

    enum Verb: String, CaseIterable {
        case reset, verification, change, recovery, signIn

        fileprivate func code(_ node: TestHoming) async throws -> String {
            switch self {
            case .reset: try await node.code(.passwordReset, for: TestHoming.ann)
            case .verification: try await node.code(.verifyEmail, for: TestHoming.ann)
            case .change: try await node.code(.verifyAndChangeEmail, for: TestHoming.ann, newAddress: new)
            // Of a change to this address that there was before.
            case .recovery: try await node.mailedCode(to: "ann@old.example")
            case .signIn: try await node.code(.signIn, for: TestHoming.ann)
            }
        }

        fileprivate func use(_ code: String, on node: TestHoming) async -> String {
            let kind: ActionCodeKind =
                switch self {
                case .reset: .passwordReset
                case .verification: .verifyEmail
                case .change: .verifyAndChangeEmail
                case .recovery: .recoverEmail
                case .signIn: .signIn
                }
            do {
                try await node.redeem(code, kind)
                return "done"
            } catch {
                return "\(error)"
            }
        }
    }

    /// An account, whose address is proven or not, with a session and a code for each of two verbs.
    private func withCodes(
        _ verbs: [Verb], isVerified: Bool,
        _ body: @escaping @Sendable (TestHoming, TestHoming, [String]) async throws -> [String]
    ) async throws -> String {
        let end = Live("")
        try await withTwoNodes { first, second in
            let isRecovered = verbs.contains(.recovery)
            let address = isRecovered ? "ann@old.example" : TestHoming.ann
            try await first.signUp(address, password: Self.strangers)
            if isRecovered {
                let change = try await first.code(.verifyAndChangeEmail, for: address, newAddress: TestHoming.ann)
                _ = try await first.core.actionCodes.apply(change, in: try first.shop, language: "en")
                _ = try await first.signIn(TestHoming.ann, password: Self.strangers)
            }
            try await first.rows("UPDATE accounts SET email_verified = \(isVerified)")
            var codes: [String] = []
            for verb in verbs { codes.append(try await verb.code(first)) }
            let outcomes = try await body(first, second, codes)
            end.set(try await (outcomes + state(second)).joined(separator: "; "))
        }
        return end.value
    }

    /// What anybody could notice of the end.
    private func state(_ node: TestHoming) async throws -> [String] {
        var lines: [String] = []
        for (name, query) in [
            ("account", "SELECT email || ' ' || email_verified || email_link FROM accounts ORDER BY email"),
            ("session", "SELECT account FROM sessions WHERE ended_at IS NULL"),
            ("code", "SELECT 'of kind ' || kind FROM codes WHERE state = 0 ORDER BY kind"),
            ("mail", "SELECT kind || ' to ' || recipient FROM outbox ORDER BY kind, recipient"),
        ] as [(String, SQL)] {
            for row in try await node.rows(query) {
                var row = row
                let text = try row.text()
                lines.append(name == "session" ? name : "\(name) \(text)")
            }
        }
        for address in [TestHoming.ann, Self.new, "ann@old.example"] {
            for (whose, password) in [("the owner's", TestHoming.password), ("the stranger's", Self.strangers)] {
                guard (try? await node.signIn(address, password: password)) != nil else { continue }
                lines.append("\(whose) password opens \(address)")
            }
        }
        return lines
    }

    @Test(
        arguments: [
            [Verb.reset, .verification], [.reset, .change], [.reset, .signIn], [.verification, .change],
            [.verification, .signIn], [.change, .signIn], [.recovery, .reset], [.recovery, .signIn],
        ], [false, true])
    func `what is left of two codes that are used at once is what one of the two orders leaves`(
        verbs: [Verb], isVerified: Bool
    ) async throws {
        var serial: Set<String> = []
        for order in [[0, 1], [1, 0]] {
            serial.insert(
                try await withCodes(verbs, isVerified: isVerified) { first, second, codes in
                    var outcomes = ["", ""]
                    for index in order {
                        outcomes[index] = await verbs[index].use(codes[index], on: index == 0 ? first : second)
                    }
                    return outcomes
                })
        }
        for order in [[0, 1], [1, 0]] {
            let end = try await withCodes(verbs, isVerified: isVerified) { first, second, codes in
                let outcomes = try await meeting(
                    behind: "SELECT 1 FROM accounts FOR UPDATE", on: order.map { [first, second][$0] }
                ) { node, place in await verbs[order[place]].use(codes[order[place]], on: node) }
                return order.map { outcomes[$0] }
            }
            #expect(serial.contains(end), "\(end)\nis none of\n\(serial.joined(separator: "\n"))")
        }
    }
}
