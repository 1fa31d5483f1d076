// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import Synchronization

/// Counters for `/metrics`, in Prometheus' text format. Labels hold route names and status classes, never a value of a
/// request.
package final class Metrics: Sendable {
    enum Listener: String {
        case open = "public"
        case admin
    }

    /// Requests by class of status, from 1xx at index 0 on.
    private struct Requests {
        var open = InlineArray<5, Int>(repeating: 0)
        var admin = InlineArray<5, Int>(repeating: 0)
    }

    private let requests = Mutex(Requests())

    package init() {}

    func countRequest(on listener: Listener, status: Int) {
        let index = min(max(status / 100 - 1, 0), 4)
        requests.withLock { requests in
            switch listener {
            case .open: requests.open[index] += 1
            case .admin: requests.admin[index] += 1
            }
        }
    }

    private var requestLines: [String] {
        let requests = requests.withLock { $0 }
        func lines(_ listener: Listener, _ counts: InlineArray<5, Int>) -> [String] {
            counts.indices.filter { counts[$0] > 0 }.map { index in
                "homing_http_requests_total{listener=\"\(listener.rawValue)\",class=\"\(index + 1)xx\"} \(counts[index])"
            }
        }
        return lines(.admin, requests.admin) + lines(.open, requests.open)
    }

    func page(_ context: AdminContext) async throws -> String {
        let homing = context.homing
        let database = homing.database.counts
        let mails = try await homing.outbox.counts()
        var lines: [String] = ["# TYPE homing_http_requests_total counter"]
        lines += requestLines
        lines += [
            "# TYPE homing_database_statements_total counter",
            "homing_database_statements_total \(database.statements)",
            "# TYPE homing_database_writes_total counter", "homing_database_writes_total \(database.writes)",
            "# TYPE homing_database_commits_total counter", "homing_database_commits_total \(database.commits)",
            "# TYPE homing_database_trips_total counter", "homing_database_trips_total \(database.trips)",
            "# TYPE homing_mails_in_hand gauge", "homing_mails_in_hand \(homing.outbox.inHand)",
            "# TYPE homing_database_log_pages gauge", "homing_database_log_pages \(database.logPages)",
            "# TYPE homing_password_pool_depth gauge", "homing_password_pool_depth \(homing.pool.depth)",
            "# TYPE homing_mails gauge",
        ]
        for state in [Outbox.State.queued, .sent, .failed, .expired] {
            lines.append("homing_mails{state=\"\(state.name)\"} \(mails[state] ?? 0)")
        }
        lines += [
            "# TYPE homing_suppressed_addresses gauge",
            "homing_suppressed_addresses \(try await homing.suppressions.count())",
        ]
        return lines.joined(separator: "\n") + "\n"
    }
}
