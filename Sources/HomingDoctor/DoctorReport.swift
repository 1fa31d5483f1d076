// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingWire

/// The findings, for a person or for a script.
package struct DoctorReport: Sendable {
    package let findings: [Finding]

    package init(findings: [Finding]) {
        self.findings = findings
    }

    package func count(_ level: Finding.Level) -> Int {
        findings.count { $0.level == level }
    }

    package var hasProblems: Bool { count(.problem) > 0 }

    package var summary: String {
        let problems = count(.problem)
        let warnings = count(.warning)
        return "\(problems) problem\(problems == 1 ? "" : "s"), \(warnings) warning\(warnings == 1 ? "" : "s"), "
            + "\(count(.ok)) fine"
    }

    /// The lines by subject, in the order in which the subjects first came up.
    package var lines: [String] {
        var subjects: [String] = []
        for finding in findings where !subjects.contains(finding.subject) { subjects.append(finding.subject) }
        var lines: [String] = []
        for subject in subjects {
            lines.append(subject)
            for finding in findings where finding.subject == subject {
                lines.append("  \(Self.mark(finding.level)) \(finding.code)  \(finding.seen)")
                if !finding.advice.isEmpty { lines.append("      \(finding.advice)") }
            }
            lines.append("")
        }
        return lines + [summary]
    }

    package var json: JSON {
        let entries = findings.map { finding -> JSON in
            [
                "level": .string(finding.level.rawValue), "code": .string(finding.code),
                "subject": .string(finding.subject), "seen": .string(finding.seen), "advice": .string(finding.advice),
            ]
        }
        return [
            "problems": .int(Int64(count(.problem))), "warnings": .int(Int64(count(.warning))),
            "findings": .array(entries),
        ]
    }

    package static func mark(_ level: Finding.Level) -> String {
        switch level {
        case .ok: "✓"
        case .warning: "!"
        case .problem: "✗"
        }
    }
}
