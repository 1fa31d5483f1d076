// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// One check of the doctor: the subject, the observation, and the remedy.
package struct Finding: Sendable, Equatable {
    package enum Level: String, Sendable, CaseIterable {
        case ok, warning, problem
    }

    package let level: Level
    /// Stable, for scripts: `APPLE_FILE_REDIRECTED`.
    package let code: String
    /// The subject of the check: a host, a project, the relay, a mail domain.
    package let subject: String
    /// The observation.
    package let seen: String
    /// One sentence with the remedy; empty when nothing is to be done.
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
