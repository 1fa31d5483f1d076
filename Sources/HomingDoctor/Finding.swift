// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// One check of the doctor: the subject, the observation, and the remedy.
package struct Finding: Sendable, Equatable {
    package enum Level: String, Sendable, CaseIterable {
        case ok, warning, problem
    }

    /// The part of a project that a finding is about.
    package enum Area: Sendable {
        case apps, linkDomains, links, mail, server
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
    /// Given by whoever ran the check.
    package private(set) var area = Area.server

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

    func about(_ area: Area) -> Finding {
        var finding = self
        finding.area = area
        return finding
    }
}

extension [Finding] {
    func about(_ area: Finding.Area) -> [Finding] { map { $0.about(area) } }
}
