// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

/// How many mails may be asked for that go to one address.
///
/// All requests are counted, whether somebody has the address or not: who asks must not learn it. Hence requests that
/// mail nobody must not use up the mails of somebody else:
///
/// - A change of address mails nobody where the new address is taken. It has an hour of its own.
/// - Whatever else was asked for, the first mail of each kind in an hour always goes.
struct MailLimit {
    private let counters: [(counter: Counter, limit: Int)]
    /// The hour of all kinds, and of this kind alone; nil when the hour is not limited.
    private let hour: (all: Counter, kind: Counter, limit: Int)?

    init(_ kind: ActionCodeKind, to address: EmailAddress, in project: String, _ limits: Limits) {
        func counter(_ subject: String, _ seconds: Int64) -> Counter {
            Counter(project: project, subject: subject, windowSeconds: seconds)
        }
        let mails = "mail \(address.text)"
        var counters = [(counter("\(mails) \(kind.name)", 60), limits.mailPerAddressMinute)]
        if kind == .verifyAndChangeEmail {
            counters.append((counter("change \(address.text)", 3600), limits.mailPerAddressHour))
            hour = nil
        } else {
            let limit = limits.mailPerAddressHour
            hour = limit > 0 ? (counter(mails, 3600), counter("hour \(address.text) \(kind.name)", 3600), limit) : nil
        }
        self.counters = counters.filter { $0.1 > 0 }
    }

    /// Counts one more in each; the first rows of their answers are for ``allows(_:)``.
    func count(at now: Moment) -> [SQL] {
        (counters.map(\.counter) + (hour.map { [$0.all, $0.kind] } ?? [])).map { $0.increment(at: now) }
    }

    /// - Parameter counts: of the statements of ``count(at:)``, in their order.
    func allows(_ counts: [Int]) -> Bool {
        guard zip(counts, counters).allSatisfy({ $0 <= $1.limit }) else { return false }
        guard let hour else { return true }
        let (all, ofKind) = (counts[counters.count], counts[counters.count + 1])
        return all <= hour.limit || ofKind == 1
    }
}
