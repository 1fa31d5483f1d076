// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase
import HomingLinkRules
package import HomingStore

extension ProjectTransaction {
    package var counters: CounterRows { CounterRows(work: work) }
}

/// The counters of a transaction's project.
package struct CounterRows {
    package let work: ProjectWork

    /// Counts one more event of each counter and runs other statements beside it, in one round trip. Answers the counts
    /// in the order of the counters, and the rows of the other statements.
    package func increment(_ counters: [Counter], beside others: [SQL] = []) throws -> (counts: [Int], answers: [[Row]])
    {
        try increment(counters, in: work.project.scope, beside: others)
    }

    /// The same of mails, which come to one address from all tenants of a project.
    package func incrementMails(_ counters: [Counter], beside others: [SQL] = []) throws -> (
        counts: [Int], answers: [[Row]]
    ) {
        try increment(counters, in: work.project.projectID.scope, beside: others)
    }

    private func increment(
        _ counters: [Counter], in project: Scope, beside others: [SQL]
    ) throws -> (counts: [Int], answers: [[Row]]) {
        guard !counters.isEmpty else { return ([], try work.run(others)) }
        var answers = try work.run([Counter.increment(counters, in: project, at: work.now)] + others)
        var counts: [String: Int64] = [:]
        for var row in answers.removeFirst() {
            let n = try row.int()
            counts[try row.text()] = n
        }
        return (counters.map { Int(counts[$0.subject] ?? 0) }, answers)
    }

    /// Takes back an event that was counted before it was known to be innocent.
    package func decrement(_ counter: Counter) {
        work.later(counter.decrement(in: work.project.scope))
    }

    /// Forgets the failed sign-ins at an address, of every caller.
    package func forgetFailedSignIns(at address: EmailAddress) {
        let failures = "sign-in \(digest(of: address))"
        // Two statements: one with OR would read every counter of the project.
        work.later("DELETE FROM limits WHERE project = \(work.project.scope) AND subject = \(failures)")
        work.later(
            """
            DELETE FROM limits
            WHERE project = \(work.project.scope) AND subject >= \(failures + " ") AND subject < \(failures + "!")
            """)
    }

    /// Whether a notice may be mailed. Notices are limited only for an address that nobody has proven: whoever signed
    /// up with a stranger's address could have the stranger flooded.
    package func allowsNotice(to address: EmailAddress, isProven: Bool) throws -> Bool {
        let limit = work.store.limits.mailPerAddressHour
        guard !isProven, limit > 0 else { return true }
        let counter = Counter(subject: "notice \(digest(of: address))")
        return try incrementMails([counter]).counts.allSatisfy { $0 <= limit }
    }

    private func digest(of address: EmailAddress) -> String {
        work.store.ring.digest(of: address, in: work.project.projectID.scope)
    }
}
