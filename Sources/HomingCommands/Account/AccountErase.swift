// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingProjects
import HomingStore
import HomingWire

struct AccountErase: IrreversibleCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Remove everything that is kept about an address, for ever.",
        discussion: """
            Also where nobody has the address: emails that went there, codes, and accounts that had it before lose it. The
            account that has it is deleted. A suppression and the audit log keep a digest in its place. PROJECT is a project
            or one tenant, PROJECT/TENANT; each keeps its own. On a terminal it asks for the address; a script says --yes.

            EXAMPLE
              homing account erase shop ada@example.com --yes
            """)

    @Argument var project: Scope
    @Argument var address: String
    @OptionGroup var consent: Consent
    @OptionGroup var format: OutputOptions

    var loss: String { "everything about \(address) in \(project)" }
    var lossName: String { address }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existingOrTenant(project)
        let address = try EmailAddress(parsing: address)
        let account = try await homing.accounts.erase(address, in: project, by: .command)
        output.answer(
            format, json: ["erased": .string(address.text), "account": account.map { .string($0.text) } ?? .null],
            lines: [
                account.map { "the account \($0) and everything about \(address.text) are gone" }
                    ?? "everything about \(address.text) is gone; no account had it"
            ])
    }
}
