// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingOperations
import HomingStore
import HomingWire

/// `homing ready`.
struct ReadyCommand: SettingsCommand {
    static let configuration = CommandConfiguration(
        commandName: "ready", abstract: "Ask the server on this machine whether it is ready; exit 1 if it is not.",
        discussion: """
            Asks for /readyz at the address in `listen`, as a load balancer does: for the health check of a container, and \
            for scripts that wait for a start. Where sockets are handed over, give their address with --listen.

            EXAMPLE
              homing ready --wait 60
            """)

    @Option(help: "Ask again for so many seconds, until the server is ready.") var wait = 0
    @OptionGroup var format: OutputOptions

    func run(with settings: Settings) async throws -> CommandAnswer {
        guard settings.listen.port != 0 else {
            throw Refusal.invalidSetting(
                "HOMING_LISTEN has port 0, which is another one at each start: give the port in use")
        }
        let url = try await Readiness.wait(for: settings, seconds: wait)
        var output = CommandOutput()
        output.answer(format, json: ["ready": .bool(true), "url": .string(url)], lines: ["ready"])
        return output.answer()
    }
}
