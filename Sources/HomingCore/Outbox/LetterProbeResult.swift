// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
import HomingDatabase
import HomingStore
import HomingWire

/// What the last nightly probe found in the letters that arrived.
package struct LetterProbeResult: Sendable, Codable, Equatable {
    package struct Finding: Sendable, Codable, Equatable {
        /// `ok`, `warning`, `problem`.
        package let level: String
        package let code: String
        package let subject: String
        package let seen: String
        package let advice: String

        package init(level: String, code: String, subject: String, seen: String, advice: String) {
            self.level = level
            self.code = code
            self.subject = subject
            self.seen = seen
            self.advice = advice
        }
    }

    /// Milliseconds since 1970.
    package let at: Int64
    /// How many letters were mailed, and how many of them arrived.
    package let sent: Int
    package let arrived: Int
    /// From the request to the arrival of the slowest; nil where none arrived.
    package let seconds: Int64?
    package let findings: [Finding]

    package init(at: Int64, sent: Int, arrived: Int, seconds: Int64?, findings: [Finding]) {
        self.at = at
        self.sent = sent
        self.arrived = arrived
        self.seconds = seconds
        self.findings = findings
    }

    package var isFine: Bool { sent > 0 && sent == arrived && !findings.contains { $0.level == "problem" } }
}

extension Outbox {
    private static let probeName = "letter_probe"

    /// Keeps what a probe found in the place of what the one before it did.
    package func keep(_ result: LetterProbeResult) async throws {
        let text = String(decoding: try JSONEncoder().encode(result), as: UTF8.self)
        try await store.write { tx in
            tx.later(
                """
                INSERT INTO key_state (name, value) VALUES (\(Self.probeName), \(text))
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                """)
        }
    }

    /// What the last probe found; nil where there was none.
    package func lastProbe() async throws -> LetterProbeResult? {
        let text = try await store.read { tx in
            try tx.run("SELECT value FROM key_state WHERE name = \(Self.probeName)").firstText()
        }
        // What another version has kept is as if there were nothing.
        return text.flatMap { try? JSONDecoder().decode(LetterProbeResult.self, from: Data($0.utf8)) }
    }
}
