// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// How many mails may be asked for that go to one address.
///
/// All requests are counted, whether somebody has the address or not: who asks must not learn it. Hence requests that
/// mail nobody must not use up the mails of somebody else:
///
/// - A change of address mails nobody where the new address is taken. It has an hour of its own.
/// - Whatever else was asked for, the first mail of each kind in an hour always goes.
struct MailLimit {
    private let limited: [(counter: Counter, limit: Int)]
    /// The hour of all kinds, and of this kind alone; nil when the hour is not limited.
    private let hour: (all: Counter, kind: Counter, limit: Int)?

    init(_ kind: ActionCodeKind, to address: EmailAddress, _ limits: Limits) {
        let mails = "mail \(address.text)"
        var limited = [
            (Counter(subject: "\(mails) \(kind.name)", windowSeconds: 60), limits.mailPerAddressMinute)
        ]
        if kind == .verifyAndChangeEmail {
            limited.append((Counter(subject: "change \(address.text)"), limits.mailPerAddressHour))
            hour = nil
        } else {
            let limit = limits.mailPerAddressHour
            let ofKind = Counter(subject: "hour \(address.text) \(kind.name)")
            hour = limit > 0 ? (Counter(subject: mails), ofKind, limit) : nil
        }
        self.limited = limited.filter { $0.1 > 0 }
    }

    /// What is to be counted, one more in each.
    var counters: [Counter] {
        limited.map(\.counter) + (hour.map { [$0.all, $0.kind] } ?? [])
    }

    /// - Parameter counts: of ``counters``, in their order.
    func allows(_ counts: [Int]) -> Bool {
        guard zip(counts, limited).allSatisfy({ $0 <= $1.limit }) else { return false }
        guard let hour else { return true }
        let (all, ofKind) = (counts[limited.count], counts[limited.count + 1])
        return all <= hour.limit || ofKind == 1
    }
}
