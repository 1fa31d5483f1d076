// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Tracing

/// The parts of a request that a trace shows.
package enum Spans {
    /// Runs work as a part of the trace that the task belongs to. Outside of one the work just runs.
    package static func part<Answer>(_ name: String, _ work: () async throws -> Answer) async rethrows -> Answer {
        guard let context = ServiceContext.current, !context.isEmpty else { return try await work() }
        return try await withSpan(name, context: context) { _ in try await work() }
    }
}
