// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
package import HomingCore
package import HomingMail
package import HomingServer
internal import HomingWire

/// The output of `serve` on standard output: the line that scripts wait for, and on a terminal the facts that a person
/// needs first.
package struct Welcome: Sendable {
    private static let mostProjects = 5

    package let isForPerson = isatty(STDOUT_FILENO) == 1

    package init() {}

    package func show(_ ready: HomingServer.Ready, _ projects: [Project]) async throws {
        var lines = ["ready public=\(ready.publicURL) admin=\(ready.adminURL)"]
        if isForPerson {
            lines += ["", "  Homing     \(ready.publicURL)"]
            lines.append(
                "  console    \(try await ready.newConsoleLink())   (opens once; another: homing operator add)")
            if let link = ready.mailboxLink {
                lines.append("  mailbox    \(link)   (opens once; another: homing mailbox)")
            }
            lines += list(projects)
            lines += ["  stop       Ctrl-C", ""]
        } else if let link = ready.mailboxLink {
            lines.append("mailbox \(link)")
        }
        say(lines)
    }

    private func list(_ projects: [Project]) -> [String] {
        guard !projects.isEmpty else {
            return ["  project    none yet: homing project create shop --authorized-domain localhost"]
        }
        var lines = projects.prefix(Self.mostProjects).map { project in
            "  project    \(project.projectID)   \(Printable.line(project.name, atMost: 60))   "
                + "API key \(project.linkKey)"
        }
        let left = projects.count - Self.mostProjects
        if left > 0 { lines.append("             and \(left) more: homing project list") }
        return lines
    }

    /// Prints a line for a mail that was kept instead of sent. It has the link, so it goes to a terminal and to no log.
    package func tell(_ mail: Delivery.Kept) {
        let recipient = Printable.line(mail.recipient, atMost: 320)
        let subject = Printable.line(mail.subject, atMost: 100)
        guard let link = mail.link else {
            return say([
                "  mail       \(recipient)   \(mail.note == nil ? subject : "none: nobody here has this address")"
            ])
        }
        say(["  mail       \(recipient)   \(subject)   \(link)"])
    }

    private func say(_ lines: [String]) {
        // Whoever started the server may not read the output.
        Descriptor.write(lines.joined(separator: "\n") + "\n", to: Descriptor.output)
    }
}
