// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingOperations
import HomingStore
import HomingWire

/// `homing node`.
struct NodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "node", abstract: "The servers that share one PostgreSQL.", subcommands: [NodeList.self])
}

struct NodeList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the servers on this database, and how they are.",
        discussion: """
            CLOCK is how far a server's clock is ahead of the database's, LAG how long its last sign of life took to be \
            written, MAILS how many mails it is sending, KEYS the versions in its key file. A server whose file lacks the \
            version in use answers 503. One that has told nothing for 30 seconds is silent, and off the list after an hour.

            EXAMPLE
              homing node list
            """)

    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        guard homing.nodes.areSeveralPossible else {
            throw Refusal.invalidSetting(
                "this database is a SQLite file, which one server owns: HOMING_DATABASE_URL=postgresql://… is for several"
            )
        }
        let nodes = try await homing.nodes.list()
        let inUse = homing.keys.ring.active
        let key = homing.keys.ring.fingerprint(inUse) ?? ""
        output.answer(
            format,
            json: .array(
                nodes.map { node, isAlive, secondsAgo in
                    [
                        "name": .string(node.name), "version": .string(node.version), "alive": .bool(isAlive),
                        "startedAt": .string(MailCommand.time(node.startedAt)), "seenSecondsAgo": .int(secondsAgo),
                        "clockMilliseconds": .int(node.clock), "lagMilliseconds": .int(node.lag),
                        "mailsInHand": .int(Int64(node.mails)),
                        "keys": node.versions.map { .array($0.map { .int($0) }) } ?? .null,
                        "hasKeyInUse": node.keys.map { .bool($0.contains(key)) } ?? .null,
                    ]
                }),
            styled: Table.lines(
                [["NODE", "VERSION", "STATUS", "SEEN", "STARTED", "CLOCK", "LAG", "EMAILS", "KEYS"]]
                    + nodes.map { node, isAlive, secondsAgo in
                        [
                            Printable.line(node.name, atMost: 80), Printable.line(node.version, atMost: 40),
                            !isAlive ? "silent" : node.keys?.contains(key) == false ? "lacks key \(inUse)" : "alive",
                            "\(secondsAgo) s ago", MailCommand.time(node.startedAt), "\(node.clock) ms",
                            "\(node.lag) ms", String(node.mails),
                            node.versions?.map(String.init).joined(separator: " ") ?? "?",
                        ]
                    }, empty: "no server is running on this database", states: ["alive": .ok, "silent": .fix]))
        if let skewed = nodes.first(where: { abs($0.node.clock) > Nodes.greatestSkew }) {
            output.note(
                "the clock of \(Printable.line(skewed.node.name, atMost: 80)) is wrong: timedatectl set-ntp true there")
        }
        if let lacking = nodes.first(where: { $0.isAlive && $0.node.keys?.contains(key) == false }) {
            output.note(
                "\(Printable.line(lacking.node.name, atMost: 80)) has not the key version in use (\(inUse)): copy "
                    + "\(homing.keys.path) there")
        }
    }
}

extension Nodes.Node {
    /// The versions in its key file.
    fileprivate var versions: [Int64]? { keys.map { $0.compactMap { Int64($0.prefix { $0 != ":" }) } } }
}
