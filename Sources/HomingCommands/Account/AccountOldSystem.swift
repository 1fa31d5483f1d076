// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingPasswords
import HomingProjects
import HomingStore
import HomingWire

/// `homing account old-system`: who still has to be asked about at the system that accounts came from, and the end of
/// it.
struct AccountOldSystem: IrreversibleCommand {
    static let configuration = CommandConfiguration(
        commandName: "old-system", abstract: "Show how many accounts an old system still verifies, or ask it no more.",
        discussion: """
            An import with --verify-with has a system asked about the password of each account, at the first sign-in. It is \
            asked until the last account has signed in, and failed sign-ins depend on it meanwhile. --end takes the password \
            from those who have not come by now: they choose a new one by mail. Then the old system can be switched off.

            EXAMPLE
              homing account old-system shop
              homing account old-system shop --end --yes
            """)

    @Argument var project: Scope
    @Flag(help: "Ask it no more.") var end = false
    @OptionGroup var answer: Consent
    @OptionGroup var format: OutputOptions

    /// To show it removes nothing.
    var consent: Consent {
        var consent = answer
        consent.yes = answer.yes || !end
        return consent
    }

    var loss: String { "the passwords of all accounts of \(project) that have not signed in since the move" }
    var lossName: String { project.text }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existingOrTenant(project)
        guard let system = try await homing.accounts.schemes.oldSystem(of: project)?.system else {
            output.answer(format, json: ["url": .null], lines: ["\(project.scope) has no old system"])
            return
        }
        guard end else {
            let count = try await homing.accounts.countUnverified(in: project)
            output.answer(
                format, json: ["url": .string(system.place), "accounts": .int(Int64(count))],
                lines: ["\(system.place) is still to be asked about \(Printable.count(count, "account"))"])
            return
        }
        let ended = try await homing.accounts.endOldSystem(of: project, by: .command) ?? 0
        output.answer(
            format, json: ["url": .string(system.place), "ended": .int(Int64(ended))],
            lines: ["\(system.place) is asked no more: \(ended) accounts have no password now"])
    }
}
