// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingWire
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// `homing-emulator`: what Firebase's Auth emulator answers, in memory, for development and tests. It checks nothing
/// that matters: tokens are unsigned, and whoever reaches its port may do anything.
struct EmulatorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "homing-emulator",
        abstract: "Answer as Firebase's Auth emulator does, in memory, for development and tests.",
        discussion: """
            It prints `ready URL` once it answers, and each link that it would have mailed. Nothing is kept after its end, \
            unless --export says where. Tokens are unsigned and everybody is the owner: it listens on loopback only, and \
            nothing that matters may believe it. Sign-in with other providers, by phone and with second factors is left out.

            EXAMPLE
              homing-emulator --port 9099 --project demo-shop --import ./seed
              FIREBASE_AUTH_EMULATOR_HOST=127.0.0.1:9099 npm test
            """)

    @Option(help: "The address to listen on: 127.0.0.1, ::1, or localhost, which is both.") var host = "127.0.0.1"
    @Option(help: "The port; 0 picks one.") var port = 9099
    @Option(help: "The project of requests that name none.") var project = "demo-project"
    @Option(
        name: .customLong("import"),
        help: ArgumentHelp("Begin with a folder of firebase emulators:export.", valueName: "folder"))
    var importFolder: String?
    @Option(
        name: [.customLong("export"), .customLong("export-on-exit")],
        help: ArgumentHelp(
            "Write such a folder at the end: a new one, or over an earlier export of accounts.", valueName: "folder"))
    var exportFolder: String?
    @Option(
        name: .customLong("allow-origin"),
        help: ArgumentHelp(
            "A page elsewhere that may do all that one on localhost may; can be repeated.", valueName: "origin"))
    var allowedOrigins: [String] = []

    func validate() throws {
        guard ["127.0.0.1", "::1", "localhost"].contains(host) else {
            throw ValidationError(
                "--host is 127.0.0.1, ::1 or localhost, not \(host): whoever reaches the emulator may do anything")
        }
        guard (0...65535).contains(port) else { throw ValidationError("--port is 0 to 65535, not \(port)") }
        guard !project.isEmpty, !project.contains("/") else {
            throw ValidationError("--project is the id of a project")
        }
        for origin in allowedOrigins where Trust.origin(origin) == nil {
            throw ValidationError("--allow-origin is as https://app.example or http://app.test:3000, not \(origin)")
        }
    }

    /// Answers until it is asked to end.
    func serve() async throws {
        var world = World(defaultProject: project)
        try exportFolder.map(ExportFolder.init)?.prepare()
        if let importFolder {
            for sentence in try ExportFolder(importFolder).load(into: &world) { warn(sentence) }
        }
        let shared = SharedWorld(world)
        var logger = Logger(label: "homing-emulator")
        logger.logLevel = .critical
        let shownHost = host.contains(":") ? "[\(host)]" : host
        let group = ServiceGroup(
            services: [], gracefulShutdownSignals: [.sigterm, .sigint], cancellationSignals: [], logger: logger)
        await group.addServiceUnlessShutdown(
            Listener(
                at: host == "localhost" ? ["127.0.0.1", "::1"] : [host], port: port,
                EmulatorResponder(shared, trust: Trust(origins: allowedOrigins.compactMap(Trust.origin))),
                logger: logger, in: group
            ) { port in
                let origin = "http://\(shownHost):\(port)"
                shared.begin(at: origin)
                say("ready \(origin)")
            })
        do {
            try await group.run()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw ValidationError(
                "\(shownHost):\(port) is in use already: stop what listens there, or give another --port")
        }
        guard let exportFolder else { return }
        do {
            for sentence in try shared.export(to: ExportFolder(exportFolder)) { warn(sentence) }
        } catch {
            // The folder was good at the start. What is in memory must not be lost with it.
            let path = FileManager.default.temporaryDirectory.path + "/homing-emulator-\(World.randomText(12))"
            _ = try shared.export(to: ExportFolder(path))
            throw ExportFolder.Problem(description: "\(ExportFolder.told(error)) (exported to \(path) instead)")
        }
    }
}

/// A line on standard output, at once. It may have an address in it that somebody sent.
func say(_ line: String) {
    print(TerminalText.line(line))
    fflush(nil)
}

/// A line on standard error.
func warn(_ line: String) {
    FileHandle.standardError.write(Data("homing-emulator: \(TerminalText.line(line))\n".utf8))
}
