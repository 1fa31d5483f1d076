// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingLinkRules
import HomingMail
import HomingOperations
import HomingStore
import HomingWire

/// `homing mail bounce`, which a mail server runs for each message to the bounce address.
struct MailBounce: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "bounce", abstract: "Take a message that came to the bounce address, from standard input.",
        discussion: """
            A mail server runs this for each message to the address of mail.bounces, and gives the recipient as the \
            argument; without one it is looked for in Delivered-To, X-Original-To, To and Return-Path. A message to anything \
            but the envelope sender of an email from here changes nothing. The first mebibyte is read.

            Exits 0 whatever the message was, since nobody could answer it, and 75 when it could not be taken now: a mail \
            server keeps it then, and tries again.

            EXAMPLE
              homing mail bounce < bounce.eml
            """)

    @Argument(help: "The recipient of the message.") var recipient: String?
    @OptionGroup var format: OutputOptions

    /// The status for "not now" (EX_TEMPFAIL of sysexits.h), which mail servers know.
    static let failureStatus: Int32 = 75

    var inputSource: InputSource { .startOfStandardInput(BounceMessage.longest) }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let bytes = try await output.input?.whole(atMost: BounceMessage.longest) ?? []
        let message = BounceMessage(bytes)
        let recipients = recipient.map { [$0] } ?? message.recipients
        guard let mail = try recipients.compactMap({ try BounceAddress.mail(in: $0, ring: homing.keys.ring) }).first
        else {
            return answer(
                nil, nil, "this message was to no envelope sender of an email from here: nothing is changed", &output)
        }
        let outcome = try await homing.suppressions.take(message.bounces, about: mail, by: .command)
        answer(mail, outcome, Self.line(mail, outcome, Bounce.words(message.bounces)), &output)
    }

    private func answer(
        _ mail: String?, _ outcome: Suppressions.Outcome?, _ line: String, _ output: inout CommandOutput
    ) {
        let record: JSON = [
            "verdict": .string("\(outcome?.verdict ?? .nothing)"), "mail": mail.map { .string($0) } ?? .null,
            "project": outcome.map { .string($0.project.text) } ?? .null,
            "recipient": outcome.map { .string($0.address) } ?? .null,
            "until": outcome?.until.map { .string(MailCommand.time($0)) } ?? .null,
        ]
        output.answer(format, json: record, lines: [line])
    }

    private static func line(_ mail: String, _ outcome: Suppressions.Outcome?, _ words: String) -> String {
        guard let outcome else { return "email \(mail) is gone, or has failed already: nothing is changed" }
        switch outcome.verdict {
        case .nothing: return "email \(mail) may still arrive, or has arrived: nothing is changed"
        case .noted: return "email \(mail) \(words): homing mail show \(mail)"
        case .failed: return "email \(mail) has failed (\(words)); \(outcome.address) is not suppressed"
        case .suppressed:
            let end = outcome.until.map { "suppressed until \(MailCommand.time($0))" } ?? "suppressed already"
            return "email \(mail) has failed (\(words)); \(outcome.address) is \(end)"
        }
    }
}
