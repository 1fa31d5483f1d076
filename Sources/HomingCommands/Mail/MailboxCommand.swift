// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingStore
import HomingWire

/// `homing mailbox`.
struct MailboxCommand: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "mailbox", abstract: "Print a fresh link that opens the mailbox page, once.",
        discussion: """
            The mailbox is there while a server runs with HOMING_MAIL_URL=mailbox:, for development. The link lives an \
            hour; the browser that opens it stays in for twelve.

            EXAMPLE
              homing mailbox
            """)

    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        guard let server = output.server else {
            throw Refusal.notFound("no server runs on this database: HOMING_MAIL_URL=mailbox: homing serve")
        }
        guard let link = try await server.newMailboxLink() else {
            throw Refusal.notFound(
                "this server hands its emails to a relay and has no mailbox: HOMING_MAIL_URL=mailbox: homing serve")
        }
        output.answer(format, json: ["link": .string(link)], lines: [link])
    }
}
