// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingOperations
import HomingProjects
import HomingStore
import HomingWire

/// `homing operator …`.
struct OperatorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operator", abstract: "People who may use the console.",
        discussion: """
            A viewer looks, and sees addresses masked; an editor changes projects; an owner also makes projects and says \
            who the operators are.

            EXAMPLE
              homing operator add ann@example.com --role owner
            """,
        subcommands: [OperatorAdd.self, OperatorList.self, OperatorRemove.self, OperatorLink.self])

    static func json(_ person: Operator) -> JSON {
        [
            "address": .string(person.address), "role": .string(person.role.rawValue),
            "projects": person.projects.map { .array($0.map { .string($0.text) }) } ?? .null,
            "password": .bool(person.hasPassword), "secondFactor": .bool(person.hasSecondFactor),
        ]
    }
}

struct OperatorAdd: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add somebody, or change the role, and print a link that opens the console once.",
        discussion: """
            The link lives an hour. From then on the person signs in with a link that is mailed.

            EXAMPLE
              homing operator add ann@example.com --role editor --project shop
            """)

    @Argument var address: String
    @Option(help: "owner, editor or viewer.") var role: Operator.Role
    @Option(name: .long, help: "A project that the person may see; may be repeated. Without it: all.")
    var project: [ProjectID] = []
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        for id in project { _ = try homing.projects.existing(id) }
        let person = try await homing.operators.add(
            address, role: role, projects: project.isEmpty ? nil : project, by: .command)
        let link = try await homing.newConsoleLink(for: person.address)
        output.answer(
            format, json: ["operator": OperatorCommand.json(person), "link": .string(link)],
            lines: [
                "\(person.address) is \(person.role.rawValue) of "
                    + (person.projects?.map(\.text).joined(separator: ", ") ?? "all projects"),
                "  \(link)",
                "  opens the console once, within an hour; another: homing operator link \(person.address)",
            ])
    }
}

struct OperatorList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List them.", discussion: "EXAMPLE\n  homing operator list")

    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let people = try await homing.operators.list()
        let rows = people.map {
            [
                $0.address, $0.role.rawValue, $0.projects?.map(\.text).joined(separator: ",") ?? "all",
                $0.hasPassword ? "yes" : "no", $0.hasSecondFactor ? "yes" : "no",
            ]
        }
        output.answer(
            format, json: .array(people.map(OperatorCommand.json)),
            styled: Table.lines(
                [["ADDRESS", "ROLE", "PROJECTS", "PASSWORD", "SECOND FACTOR"]] + rows,
                empty: "nobody yet: homing operator add you@example.com --role owner"))
    }
}

struct OperatorRemove: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove somebody, who is signed out at once.",
        discussion: "EXAMPLE\n  homing operator remove ann@example.com")

    @Argument var address: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await homing.operators.remove(address, by: .command)
        output.answer(format, json: ["removed": .string(address)], lines: ["\(address) is no operator any more"])
    }
}

struct OperatorLink: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Print a link that opens the console once, within an hour.",
        discussion: """
            --forget also takes the person's password and second factor away, for somebody who has lost them.

            EXAMPLE
              homing operator link ann@example.com
            """)

    @Argument var address: String
    @Flag(help: "Take the password and the second factor away.") var forget = false
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let person = try await homing.operators.find(address)
        if forget { try await homing.operators.removeCredentials(of: person.address, code: nil, by: .command) }
        let link = try await homing.newConsoleLink(for: person.address)
        output.answer(format, json: ["link": .string(link)], lines: [link])
    }
}

extension Operator.Role: ExpressibleByArgument {}
