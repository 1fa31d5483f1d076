// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
import HomingCore
package import HomingMail
package import HomingProjects
package import HomingServer
internal import HomingWire

/// The output of `serve` on standard output: the line that scripts wait for, and on a terminal the facts that a person
/// needs first.
package struct Welcome: Sendable {
    private static let mostProjects = 5

    package let isForPerson = isatty(STDOUT_FILENO) == 1

    package init() {}

    package func show(_ ready: HomingServer.Ready, _ projects: [Project]) async throws {
        var lines: [StyledLine] = ["ready public=\(ready.publicURL) admin=\(ready.adminURL)"]
        if isForPerson {
            lines += ["", Self.fact("Homing", "\(ready.publicURL)")]
            let link = try await ready.newConsoleLink()
            lines.append(Self.fact("console", "\(link)   (opens once; another: homing operator add)"))
            if let link = ready.mailboxLink {
                lines.append(Self.fact("mailbox", "\(link)   (opens once; another: homing mailbox)"))
            }
            lines += list(projects)
            lines += [Self.fact("stop", "Ctrl-C"), ""]
        } else if let link = ready.mailboxLink {
            lines.append("mailbox \(link)")
        }
        say(lines)
    }

    private func list(_ projects: [Project]) -> [StyledLine] {
        guard !projects.isEmpty else {
            return [Self.fact("project", "none yet: homing project create shop --authorized-domain localhost")]
        }
        var lines = projects.prefix(Self.mostProjects).map { project in
            Self.fact(
                "project",
                "\(project.projectID)   \(Printable.line(project.name, atMost: 60))   API key \(project.linkKey)")
        }
        let left = projects.count - Self.mostProjects
        if left > 0 { lines.append(Self.fact("", "and \(left) more: homing project list")) }
        return lines
    }

    /// A line with its name in a column of its own.
    private static func fact(_ name: String, _ value: String) -> StyledLine {
        "  " + StyledLine(name, .key) + "\(String(repeating: " ", count: 11 - name.utf8.count))\(value)"
    }

    /// Prints a line for a mail that was kept instead of sent. It has the link, so it goes to a terminal and to no log.
    package func tell(_ mail: Delivery.Kept) {
        let recipient = Printable.line(mail.recipient, atMost: 320)
        let subject = Printable.line(mail.subject, atMost: 100)
        guard let link = mail.link else {
            let text = mail.note == nil ? subject : "none: nobody here has this address"
            return say([Self.fact("email", "\(recipient)   \(text)")])
        }
        say([Self.fact("email", "\(recipient)   \(subject)   \(link)")])
    }

    private func say(_ lines: [StyledLine]) {
        // Whoever started the server may not read the output.
        Descriptor.show(lines.map { $0 + "\n" }.reduce(StyledLine(""), +), on: Descriptor.output)
    }
}
