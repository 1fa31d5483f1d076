// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore

/// The limit of requested mails to one address.
///
/// All requests are counted, whether somebody has the address or not, because the caller must not learn which. Hence
/// requests that mail nobody must not use up the mails of somebody else:
///
/// - A change of address mails nobody where the new address is taken. Changes have an hourly count of their own.
/// - The first mail of each kind in an hour always goes, whatever else was asked for.
struct MailLimit {
    private let limited: [(counter: Counter, limit: Int)]
    /// The hourly counters of all kinds and of this kind alone; nil when the hour is not limited.
    private let hour: (all: Counter, kind: Counter, limit: Int)?

    /// - Parameter address: the address's digest (``KeyRing/digest(of:in:)``).
    init(_ kind: ActionCodeKind, to address: String, _ limits: Limits) {
        let mails = "mail \(address)"
        var limited = [
            (Counter(subject: "\(mails) \(kind.name)", windowSeconds: 60), limits.mailPerAddressMinute)
        ]
        if kind == .verifyAndChangeEmail {
            limited.append((Counter(subject: "change \(address)"), limits.mailPerAddressHour))
            hour = nil
        } else {
            let limit = limits.mailPerAddressHour
            let ofKind = Counter(subject: "hour \(address) \(kind.name)")
            hour = limit > 0 ? (Counter(subject: mails), ofKind, limit) : nil
        }
        self.limited = limited.filter { $0.1 > 0 }
    }

    /// The counters that a request increments.
    var counters: [Counter] {
        limited.map(\.counter) + (hour.map { [$0.all, $0.kind] } ?? [])
    }

    /// The counter of the day in which an address hears once that nobody has an account with it. Whoever asks is
    /// counted, so that a known address costs the same.
    static func told(_ address: String) -> Counter {
        Counter(subject: "told \(address)", windowSeconds: 86_400)
    }

    /// The longest time in seconds after which a mail is allowed again, where ``allows(_:)`` says no.
    func secondsToWait(_ counts: [Int]) -> Int {
        let over = zip(counts, limited).filter { $0 > $1.limit }.map(\.1.counter.windowSeconds)
        return Int(over.max() ?? 3600)
    }

    /// - Parameter counts: the counts of ``counters``, in their order.
    func allows(_ counts: [Int]) -> Bool {
        guard zip(counts, limited).allSatisfy({ $0 <= $1.limit }) else { return false }
        guard let hour else { return true }
        let (all, ofKind) = (counts[limited.count], counts[limited.count + 1])
        return all <= hour.limit || ofKind == 1
    }
}
