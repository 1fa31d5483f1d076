// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCertificates
import HomingCore
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingWire

/// `homing key …`: the master keys behind codes, tokens and encrypted data.
struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Master keys: add a version, use it, retire an old one.",
        discussion: "EXAMPLE\n  homing key list",
        subcommands: [KeyList.self, KeyAdd.self, KeyUse.self, KeyRetire.self, KeyFloor.self])

    static func answer(
        _ homing: Homing, _ sentence: String, version: UInt8, _ format: OutputOptions, _ output: inout CommandOutput
    ) {
        let ring = homing.keys.ring
        output.answer(
            format,
            json: [
                "version": .int(Int64(version)), "inUse": .int(Int64(ring.active)), "floor": .int(Int64(ring.floor)),
                "versions": .array(ring.versions.map { .int(Int64($0)) }),
            ], lines: [sentence])
    }
}

struct KeyList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the versions in the key file, and what each is for.",
        discussion: "EXAMPLE\n  homing key list")

    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let ring = homing.keys.ring
        let versions = try homing.keys.versions()
        func state(_ version: UInt8, isRetired: Bool) -> String {
            if isRetired { return "retired" }
            if version == ring.active { return "in use" }
            return version < ring.floor ? "below the floor" : version > ring.active ? "not used yet" : "still verifies"
        }
        let states = versions.map { ($0.version, state($0.version, isRetired: $0.isRetired)) }
        output.answer(
            format,
            json: .array(states.map { ["version": .int(Int64($0.0)), "state": .string($0.1)] }),
            styled: Table.lines([["VERSION", "STATUS"]] + states.map { [String($0.0), $0.1] }, empty: ""))
        output.note("in \(homing.keys.path); codes and refresh tokens below version \(ring.floor) are void")
    }
}

struct KeyAdd: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a new secret to the key file; it is not used yet.",
        discussion: "EXAMPLE\n  homing key add")

    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let version = try await homing.keys.add(by: .command)
        let sentence =
            "key version \(version) is in \(homing.keys.path): copy the file away"
            + (homing.nodes.areSeveralPossible ? " and to every server" : "") + ", then homing key use \(version)"
        KeyCommand.answer(homing, sentence, version: version, format, &output)
    }
}

struct KeyUse: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "use",
        abstract: "Make new codes and tokens with a version, and with new signing keys, from now on.",
        discussion: """
            Of several servers on one PostgreSQL each needs a copy of the key file first: the command waits a few seconds for \
            them to tell that they have the version, and otherwise names those that have not, and changes nothing.

            EXAMPLE
              homing key use 2
            """)

    @Argument var version: UInt8
    @Flag(help: "Also where servers lack the version: they answer 503 until they have the file.")
    var force = false
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try homing.keys.check(usable: version)
        if !force { try await waitForNodes(of: homing) }
        try await homing.keys.use(version, by: .command)
        try await homing.signingKeys.rotate(by: .command)
        KeyCommand.answer(homing, "key version \(version) is in use", version: version, format, &output)
    }
}

extension KeyUse {
    /// Longer than it takes a node to see that its file is another one, and to tell of it.
    private static let longestWait = Duration.seconds(6)

    private func waitForNodes(of homing: Homing) async throws {
        guard homing.nodes.areSeveralPossible, let key = homing.keys.ring.fingerprint(version) else { return }
        let end = ContinuousClock.now + Self.longestWait
        while true {
            let lacking = try await homing.nodes.lacking(key)
            if lacking.isEmpty { return }
            guard ContinuousClock.now < end else { throw refusal(lacking, homing) }
            try await Task.sleep(for: .milliseconds(500))
        }
    }

    private func refusal(_ lacking: [Nodes.Node], _ homing: Homing) -> Refusal {
        let names = lacking.map { Printable.line($0.name, atMost: 80) }.joined(separator: ", ")
        return .invalidSetting(
            "nothing is changed: these servers have not told that they have this key version \(version): \(names); copy "
                + "\(homing.keys.path) there, and try again (homing node list has what each has; one that was killed counts "
                + "for 30 seconds; --force does not ask)")
    }
}

struct KeyRetire: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "retire", abstract: "Make a version worthless, with every code and token of it.",
        discussion: "EXAMPLE\n  homing key retire 1")

    @Argument var version: UInt8
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await homing.signingKeys.reseal()
        try await homing.operators.reseal()
        try await homing.accounts.schemes.reseal()
        try await Certificates(homing).reseal()
        try await homing.projects.resealSenderDomainKeys()
        try await homing.projects.resealMailTransports()
        try await homing.projects.resealLinkWebhooks()
        try await homing.keys.retire(version, by: .command)
        KeyCommand.answer(homing, "key version \(version) is retired", version: version, format, &output)
    }
}

struct KeyFloor: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "floor",
        abstract: "Refuse codes and refresh tokens below a version, and ID tokens of older signing keys.",
        discussion: "EXAMPLE\n  homing key floor 2")

    @Argument var version: UInt8
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await homing.keys.raiseFloor(to: version, by: .command)
        try await homing.signingKeys.retireOlder(by: .command)
        KeyCommand.answer(
            homing, "codes and refresh tokens below version \(version) are void", version: version, format, &output)
    }
}
