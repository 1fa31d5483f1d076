// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingOperations
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

    /// `2 to fix, 1 warning, 5 OK`.
    package var summary: String {
        "\(count(.problem)) to fix, \(Printable.count(count(.warning), "warning")), \(count(.ok)) OK"
    }

    /// What somebody reads who is told that there is something to fix.
    package var request: String { "\(summary): do what stands under each \(Finding.Level.problem.mark)" }

    /// The lines by subject, in the order in which the subjects first came up. The sum stands below them only where
    /// nothing is to fix: else the error has it.
    package var lines: [StyledLine] {
        var subjects: [String] = []
        for finding in findings where !subjects.contains(where: { $0.utf8.elementsEqual(finding.subject.utf8) }) {
            subjects.append(finding.subject)
        }
        var lines: [StyledLine] = []
        for subject in subjects {
            lines.append(StyledLine(subject, .heading))
            for finding in findings where finding.subject.utf8.elementsEqual(subject.utf8) {
                lines += Self.lines(finding, indent: "  ")
            }
            lines.append("")
        }
        return hasProblems ? lines : lines + [StyledLine(summary)]
    }

    private static func lines(_ finding: Finding, indent: String) -> [StyledLine] {
        let first = StyledLine(indent) + finding.level.styledMark + "  \(finding.code)  \(finding.seen)"
        return [first] + (finding.advice.isEmpty ? [] : [StyledLine("\(indent)    \(finding.advice)")])
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
}

extension Finding.Level {
    /// The word that an operator reads.
    package var mark: String {
        switch self {
        case .ok: "OK"
        case .warning: "Warning"
        case .problem: "Fix"
        }
    }

    /// The word in its colour, in a column of its own.
    package var styledMark: StyledLine {
        let style: TerminalStyle =
            switch self {
            case .ok: .ok
            case .warning: .warning
            case .problem: .fix
            }
        let width = Self.allCases.map(\.mark.utf8.count).max() ?? 0
        return StyledLine(mark, style) + StyledLine(String(repeating: " ", count: width - mark.utf8.count))
    }
}
