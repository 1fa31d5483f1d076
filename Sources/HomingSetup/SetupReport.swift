// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDoctor
package import HomingOperations
import HomingProjects
import HomingStore
package import HomingWire

/// What setup has done, and what comes next.
package struct SetupReport {
    let settings: Settings
    let path: String
    /// What commands need to find that file: nothing at the default place.
    let configuration: String
    /// Whether the file is another one now.
    let isWritten: Bool
    let project: SetupStanding.Project?
    let person: String?
    /// Opens the console once.
    let link: String?
    let findings: [Finding]
    var isRunning = false
    /// How to start the server, where nothing does.
    var startCommand: String?
    /// What other commands have answered.
    var notes: [String] = []
    /// What has failed once everything else was done.
    package internal(set) var problem: String?

    private var publicURL: String { settings.publicURL(boundTo: settings.listen.port).description }

    /// Sends a reset mail, to an account that is there.
    private func request(_ project: SetupStanding.Project, lineBreak: String = " ") -> String {
        """
        curl -H 'Content-Type: application/json'\(lineBreak)\
        -d '{"requestType":"PASSWORD_RESET","email":"you@example.com"}'\(lineBreak)\
        '\(publicURL)/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=\(project.apiKey)'
        """
    }

    package var lines: [StyledLine] {
        var lines = findings.flatMap { finding in
            [finding.level.styledMark + " \(finding.seen)"]
                + (finding.advice.isEmpty ? [] : [StyledLine("  \(finding.advice)")])
        }
        if !lines.isEmpty { lines.append("") }
        lines.append("\(path) \(isWritten ? "is written" : "stays as it was")")
        lines += notes.map { StyledLine($0) }
        if isRunning { lines.append("the server answers at \(publicURL)") }
        var next: [[String]] = []
        if let startCommand { next.append(["start the server", startCommand]) }
        if settings.acme == nil, settings.tls == nil, publicURL.hasPrefix("https:") {
            next.append(["have the proxy pass everything on to", "http://\(settings.listen)"])
        }
        if let link {
            next.append(["open the console, once, within an hour", link])
            if settings.consoleURL == nil, let host = settings.publicURL?.host, settings.adminListen.isLoopback {
                next.append([
                    "from another machine, first",
                    "ssh -L \(settings.adminListen.port):\(settings.adminListen) \(host)",
                ])
            }
        } else {
            next.append([
                "let somebody into the console",
                person.map { "homing operator link \(Printable.shellWord($0))\(configuration)" }
                    ?? "homing operator add you@example.com --role owner\(configuration)",
            ])
        }
        if let project {
            next.append(["the API key of \(project.id)", project.apiKey])
            next.append(["an account", "homing account create \(project.id) you@example.com\(configuration)"])
            next.append(["its reset email", request(project, lineBreak: " \\\n    ")])
        } else {
            next.append([
                "a project", "homing project create shop --authorized-domain www.shop.example\(configuration)",
            ])
        }
        next.append(["what the world sees", "homing doctor\(configuration)"])
        return lines + [""] + next.flatMap { [StyledLine("\($0[0]):", .key), StyledLine("  \($0[1])")] }
    }

    package var json: JSON {
        [
            "config": .string(path), "written": .bool(isWritten), "running": .bool(isRunning),
            "start": startCommand.map { .string($0) } ?? .null, "publicURL": .string(publicURL),
            "project": project.map { project in
                [
                    "id": .string(project.id.text), "apiKey": .string(project.apiKey),
                    "authorizedDomains": .array(project.authorizedDomains.map { .string($0) }),
                    "resetMail": .string(request(project)),
                ]
            } ?? .null,
            "operator": person.map { .string($0) } ?? .null, "link": link.map { .string($0) } ?? .null,
            "notes": .array(notes.map { .string($0) }), "findings": DoctorReport(findings: findings).json,
        ]
    }
}
