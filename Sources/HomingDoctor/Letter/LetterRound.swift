// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
internal import HomingMail
internal import HomingWire

/// The other half of a probe: the letters are fetched back from the mailbox, and judged.
package struct LetterRound: Sendable {
    package let letters: [WrittenLetter]
    package let recipient: String

    package init(letters: [WrittenLetter], recipient: String) {
        self.letters = letters
        self.recipient = recipient
    }

    package struct Outcome: Sendable {
        package var findings: [Finding] = []
        package var arrived = 0
        /// From the request to the arrival of the slowest.
        package var seconds: Int64?
    }

    private static let pause = Duration.seconds(2)

    /// Without a mailbox to look into: what became of the letters as far as this server knows.
    package func handedOver() -> [Finding] {
        letters.map { letter in
            guard let at = letter.handedOverAt else { return Self.unsent(letter) }
            return .ok(
                "LETTER_SENT", letter.name,
                "email \(letter.id) was delivered to the relay \(max(0, at - letter.requestedAt) / 1_000) seconds after the request: "
                    + "homing mail probe judges its source")
        }
    }

    /// Looks into the mailbox until all have arrived, or the time is over.
    ///
    /// - Parameter progress: gets the number of those that have arrived.
    package func fetch(
        from inbox: ProbeInbox, waitingAtMost patience: Duration, progress: @Sendable (Int) -> Void = { _ in }
    ) async -> Outcome {
        let sent = letters.filter { $0.handedOverAt != nil }
        var outcome = Outcome(findings: letters.filter { $0.handedOverAt == nil }.map(Self.unsent))
        var missing = Set(sent.map(\.id))
        // Nil once the whole mailbox was seen.
        var fault: ProbeInbox.Fault? = .ended
        let end = ContinuousClock.now + patience
        var judged: [String: [Finding]] = [:]
        while !missing.isEmpty, !Task.isCancelled {
            let visit = await inbox.visit(for: missing.sorted(), until: end, judging: judgement(of: sent))
            for (id, letter) in visit.found where missing.remove(id) != nil {
                judged[id] = letter.findings
                outcome.arrived += 1
                outcome.seconds = [outcome.seconds, letter.seconds].compactMap(\.self).max()
            }
            progress(outcome.arrived)
            switch visit.fault {
            case .refused(let reason):
                // Another try would only count as one more wrong password.
                return with(&outcome, judged, [Self.refused(inbox.url, reason)])
            case .ended: break
            case .unreachable, nil: fault = visit.fault
            }
            guard !missing.isEmpty, ContinuousClock.now + Self.pause < end else { break }
            try? await Task.sleep(for: Self.pause)
        }
        switch fault {
        case _ where missing.isEmpty: return with(&outcome, judged, [])
        case .unreachable(let reason), .refused(let reason):
            return with(&outcome, judged, [Self.unreachable(inbox.url, reason)])
        case .ended:
            let reason = "it answers too slowly to be looked through in \(patience.components.seconds) seconds"
            return with(&outcome, judged, [Self.unreachable(inbox.url, reason)])
        case nil: break
        }
        let seconds = patience.components.seconds
        let late = sent.filter { missing.contains($0.id) }.map { letter in
            Finding.problem(
                "LETTER_MISSING", letter.name,
                "it was delivered to the relay and is not in the mailbox after \(seconds) seconds, nor among its spam",
                "homing mail show \(letter.id) has the relay's words; look whether it came back, and whether the mailbox "
                    + "sorts emails into other folders.")
        }
        return with(&outcome, judged, late)
    }

    private struct Judgement: Sendable {
        let findings: [Finding]
        /// From the request to the arrival.
        let seconds: Int64?
    }

    private func judgement(of sent: [WrittenLetter]) -> @Sendable (String, ProbeInbox.Found) -> Judgement {
        { [recipient] id, arrived in
            let check = LetterCheck(
                arrived.letter, written: sent.first { $0.id == id }, ownHosts: [], recipient: recipient,
                folder: (arrived.folder, arrived.isSpam))
            return Judgement(findings: check.findings(), seconds: check.secondsUnderWay)
        }
    }

    private func with(
        _ outcome: inout Outcome, _ judged: [String: [Finding]], _ more: [Finding]
    ) -> Outcome {
        outcome.findings += letters.flatMap { judged[$0.id] ?? [] } + more
        return outcome
    }

    private static func unsent(_ letter: WrittenLetter) -> Finding {
        .problem(
            "LETTER_NOT_SENT", letter.name,
            "email \(letter.id) was not delivered to the relay: \(letter.reply.map { Printable.ascii($0) } ?? "no answer within a minute")",
            "homing mail show \(letter.id), and homing doctor about the relay.")
    }

    private static func refused(_ url: InboxURL, _ reason: String) -> Finding {
        .problem(
            "INBOX_REFUSED", url.description, reason,
            "Gmail, iCloud and Yahoo want an app password here, and IMAP switched on; Outlook.com takes none: give the "
                + "source to homing mail probe instead.")
    }

    private static func unreachable(_ url: InboxURL, _ reason: String) -> Finding {
        .problem(
            "INBOX_UNREACHABLE", url.description, reason,
            "Look at host and port of the mailbox, and whether IMAP or POP3 is switched on there.")
    }
}

extension LetterProbeResult {
    /// What a round has found, as it is kept.
    package init(_ outcome: LetterRound.Outcome, sent: Int, at milliseconds: Int64) {
        self.init(
            at: milliseconds, sent: sent, arrived: outcome.arrived, seconds: outcome.seconds,
            findings: outcome.findings.map {
                Finding(level: $0.level.rawValue, code: $0.code, subject: $0.subject, seen: $0.seen, advice: $0.advice)
            })
    }
}
