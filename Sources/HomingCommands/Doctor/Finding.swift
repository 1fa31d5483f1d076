// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// One thing that the doctor looked at, what was there, and what to do about it.
package struct Finding: Sendable, Equatable {
    package enum Level: String, Sendable, CaseIterable {
        case ok, warning, problem
    }

    package let level: Level
    /// Stable, for scripts: `APPLE_FILE_REDIRECTED`.
    package let code: String
    /// What was looked at: a host, a project, the relay, a mail domain.
    package let subject: String
    /// What was there.
    package let seen: String
    /// One sentence that says what to do; empty when there is nothing to do.
    package let advice: String

    private init(level: Level, code: String, subject: String, seen: String, advice: String) {
        self.level = level
        self.code = code
        self.subject = subject
        self.seen = seen
        self.advice = advice
    }

    package static func ok(_ code: String, _ subject: String, _ seen: String) -> Finding {
        Finding(level: .ok, code: code, subject: subject, seen: seen, advice: "")
    }

    package static func warning(_ code: String, _ subject: String, _ seen: String, _ advice: String) -> Finding {
        Finding(level: .warning, code: code, subject: subject, seen: seen, advice: advice)
    }

    package static func problem(_ code: String, _ subject: String, _ seen: String, _ advice: String) -> Finding {
        Finding(level: .problem, code: code, subject: subject, seen: seen, advice: advice)
    }
}
