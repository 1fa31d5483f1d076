// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingCore
import HomingOperations
import HomingStore
import HomingWire

/// `homing reload`.
struct ReloadCommand: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Have the running server read its settings again, and put in force what can change.",
        discussion: """
            Relay, senders, trusted proxies, the level of the log and most limits change at once. What has changed and \
            needs a restart is named. A file with a fault changes nothing. SIGHUP does the same, and the log says what \
            came of it; a server on PostgreSQL, or on another machine, knows that way alone.

            EXAMPLE
              homing reload
            """)

    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        guard let reload = output.server?.reload else { throw Self.nobody }
        let outcome = try reload()
        output.answer(
            format,
            json: [
                "inForce": .array(outcome.inForce.map { .string($0) }),
                "needRestart": .array(outcome.needRestart.map { .string($0) }),
            ], lines: outcome.lines)
    }

    /// Where no server listens on a socket beside its database.
    ///
    /// - Parameter serverProcess: the server's process, which systemd names to the command of `ExecReload=`.
    func withoutSocket(_ settings: Settings, serverProcess: String?) throws -> CommandAnswer {
        guard settings.database.file == nil else { throw Self.nobody }
        guard let process = serverProcess.flatMap({ Int32($0) }), process > 1, kill(process, SIGHUP) == 0 else {
            throw Refusal.notFound(
                "a server on PostgreSQL has no socket for commands: send it SIGHUP (systemctl reload homing); its log says "
                    + "what came of it")
        }
        var output = CommandOutput()
        output.answer(
            format, json: ["signalled": .int(Int64(process))],
            lines: ["process \(process) reads its settings again; its log says what came of it"])
        return output.answer()
    }

    private static let nobody = Refusal.notFound("no server runs on this database: homing serve")
}
