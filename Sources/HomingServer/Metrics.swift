// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import Synchronization

/// Counters for `/metrics`, in Prometheus' text format. Labels hold route names and status classes, never a value of a
/// request.
package final class Metrics: Sendable {
    private let counters = Mutex<[String: Int]>([:])

    package init() {}

    /// Adds one to a counter, such as `homing_http_requests_total{listener="public",class="2xx"}`.
    func count(_ series: String) {
        counters.withLock { $0[series, default: 0] += 1 }
    }

    func page(_ homing: Homing) async throws -> String {
        let database = homing.database.counts
        let mails = try await homing.outbox.counts()
        var lines: [String] = ["# TYPE homing_http_requests_total counter"]
        lines += counters.withLock { $0.sorted { $0.key < $1.key } }.map { "\($0.key) \($0.value)" }
        lines += [
            "# TYPE homing_database_statements_total counter",
            "homing_database_statements_total \(database.statements)",
            "# TYPE homing_database_writes_total counter", "homing_database_writes_total \(database.writes)",
            "# TYPE homing_database_commits_total counter", "homing_database_commits_total \(database.commits)",
            "# TYPE homing_password_pool_depth gauge", "homing_password_pool_depth \(homing.pool.depth)",
            "# TYPE homing_mails gauge",
        ]
        for state in [Outbox.State.queued, .sent, .failed, .expired] {
            lines.append("homing_mails{state=\"\(state.name)\"} \(mails[state] ?? 0)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
