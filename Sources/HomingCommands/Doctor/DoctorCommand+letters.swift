// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingCore
import HomingDoctor
import HomingMail
import HomingOperations
import HomingProjects
import HomingStore

/// `homing doctor --letter`: the server mails the letters and tells how it wrote them; they are fetched back and judged
/// here, where the operator's password of the mailbox is.
extension DoctorCommand {
    private static let secretVariable = "HOMING_INBOX_SECRET"
    private static let longestSecret = 1_024

    func judgeLetters(to address: String, _ settings: Settings) async throws -> CommandAnswer {
        let address = try EmailAddress(parsing: address)
        guard (1...3_600).contains(wait) else { throw ValidationError("--wait takes 1 to 3600 seconds") }
        if settings.relay == .mailbox {
            throw Refusal.invalidSetting("emails are kept here and not sent (mail.url: mailbox:), so none would arrive")
        }
        // Asked for before anything is mailed.
        let inbox = try probeInbox(for: address, settings)
        let answer = try await ProgressLine.during { progress in
            progress(Progress("mailing letters", done: 0, of: nil, .items))
            return try await answerOfServer(settings)
        }
        guard answer.status == 0 else { return answer }
        let letters = try JSONDecoder().decode([WrittenLetter].self, from: Data(answer.output.utf8))
        let round = LetterRound(letters: letters, recipient: address.text)
        guard let inbox else { return Self.answer(DoctorReport(findings: round.handedOver()), format) }
        let outcome = await ProgressLine.during { progress in
            await round.fetch(from: inbox, waitingAtMost: .seconds(wait)) { arrived in
                progress(Progress("waiting for letters", done: Int64(arrived), of: Int64(letters.count), .items))
            }
        }
        return Self.answer(DoctorReport(findings: outcome.findings), format)
    }

    /// In the server that owns the data.
    func mailLetters(to address: String, in homing: Homing, _ output: inout CommandOutput) async throws {
        guard output.server != nil else {
            throw Refusal.invalidSetting("no server runs that would send them: start homing serve, then run this again")
        }
        let probe = LetterProbe(homing)
        let ids = try await probe.send(to: try EmailAddress(parsing: address), project: project, by: .command)
        let letters = try await probe.letters(ids, waitingAtMost: .seconds(60))
        output.say(String(decoding: try JSONEncoder().encode(letters), as: UTF8.self))
    }

    /// The mailbox that is named; else the one of the settings, where it is this address's; nil for none.
    private func probeInbox(for address: EmailAddress, _ settings: Settings) throws -> ProbeInbox? {
        guard let url = inbox.flatMap(InboxURL.init(parsing:)) else {
            guard let url = settings.probeInbox, let secret = settings.probeSecret, settings.probeAddress == address
            else { return nil }
            return ProbeInbox(url, secret: secret, authorityFile: ca, resolutions: resolve)
        }
        return ProbeInbox(url, secret: try secret(of: url), authorityFile: ca, resolutions: resolve)
    }

    private func secret(of url: InboxURL) throws -> String {
        let given: String
        if let file = inboxSecretFile {
            guard let bytes = FileManager.default.contents(atPath: file), bytes.count <= Self.longestSecret,
                let text = String(data: bytes, encoding: .utf8)
            else {
                throw Refusal.invalidSetting(
                    "--inbox-secret-file \(file): there is no short text that this user can read")
            }
            given = text
        } else if let text = ProcessInfo.processInfo.environment[Self.secretVariable] {
            given = text
        } else if isatty(STDIN_FILENO) == 1, let typed = getpass("Password of \(url) (not shown): ") {
            given = String(cString: typed)
        } else {
            throw Refusal.invalidSetting(
                "the password of \(url) is missing: set \(Self.secretVariable), or give --inbox-secret-file")
        }
        let secret = given.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !secret.isEmpty else { throw Refusal.invalidSetting("the password of \(url) is empty") }
        return secret
    }
}
