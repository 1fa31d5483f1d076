// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

extension LetterCheck {
    /// Milliseconds since 1970 when the mailbox's server took the letter; nil where it does not say.
    package var arrivedAt: Int64? {
        letter.values("received").lazy.compactMap { ReceivedField($0).date }.first.map { $0 * 1_000 }
    }

    /// Seconds since 1970 that a field of the letter names; nil outside the years that calendars write with four digits.
    /// Whoever writes the field chooses the number, and sums are made of it.
    package static func date(ofSeconds seconds: Int64) -> Int64? {
        (0..<253_402_300_800).contains(seconds) ? seconds : nil
    }

    /// Seconds from the request to the arrival; nil where one of both is not known.
    package var secondsUnderWay: Int64? {
        guard let written, let arrivedAt else { return nil }
        // Received has whole seconds, and clocks differ.
        return max(0, (arrivedAt - written.requestedAt) / 1_000)
    }

    /// A delay that people notice: the code of a mail is filled in by their phones for three minutes.
    private static let slow: Int64 = 120
    private static let slowHandOver: Int64 = 10

    /// Whether it was encrypted between strangers, and how long each server kept it.
    func wayFindings() -> [Finding] {
        let hops = letter.values("received").map(ReceivedField.init)
        return encryption(hops) + times(hops)
    }

    private func encryption(_ hops: [ReceivedField]) -> [Finding] {
        let strangers = hops.filter(\.isBetweenStrangers)
        let plain = strangers.filter { !$0.isEncrypted }
        guard plain.isEmpty else {
            let names = plain.map {
                "\(Self.shown($0.from ?? $0.address ?? "somebody")) to \(Self.shown($0.by ?? "somebody"))"
            }
            return [
                .problem(
                    "LETTER_NOT_ENCRYPTED", subject, "it went without TLS from \(Self.words(Set(names)))",
                    "Whoever is between them can read the link. Have your relay demand TLS; of the receiver's own servers "
                        + "only their operator can.")
            ]
        }
        guard !strangers.isEmpty else { return [] }
        return [.ok("LETTER_TLS_OK", subject, "it went with TLS wherever it left one organisation for another")]
    }

    private func times(_ hops: [ReceivedField]) -> [Finding] {
        // From the first server to the last.
        let dated = hops.reversed().compactMap { hop in hop.date.map { (hop, $0) } }
        var delays = zip(dated, dated.dropFirst()).map { (name: $1.0.by, seconds: $1.1 - $0.1) }
        let handOver = written.flatMap { written in
            written.handedOverAt.map { max(0, ($0 - written.requestedAt) / 1_000) }
        }
        if let handed = written?.handedOverAt, let first = dated.first {
            delays.insert((first.0.by, first.1 - handed / 1_000), at: 0)
        }
        let worst = delays.max { $0.seconds < $1.seconds }
        if let handOver, handOver >= Self.slowHandOver {
            return [
                .warning(
                    "LETTER_SLOW", subject, "it was delivered to the relay \(handOver) seconds after the request",
                    "homing mail show of the email says why; where the relay was not away, /metrics says how long it takes."
                )
            ]
        }
        if let worst, worst.seconds >= Self.slow {
            return [
                .warning(
                    "LETTER_SLOW", subject,
                    "it took \(worst.seconds) seconds to \(Self.shown(worst.name ?? "one server"))",
                    "That server, or the one before it, let the letter wait: ask its operator about queues and greylisting."
                )
            ]
        }
        let parts = [
            handOver.map { "delivered to the relay \(Printable.count($0, "second")) after the request" },
            secondsUnderWay.map { "arrived \(Printable.count($0, "second")) after it" }
                ?? dated.last.flatMap { last in
                    dated.first.map { "under way for \(max(0, last.1 - $0.1)) seconds" }
                },
        ].compactMap(\.self)
        return parts.isEmpty ? [] : [.ok("LETTER_TIMES_OK", subject, parts.joined(separator: ", "))]
    }
}
