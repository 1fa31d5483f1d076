// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation

/// Runs blocking work on a thread of its own: the cooperative pool has as many threads as cores and must not wait.
package enum OwnThread {
    package static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                ignoreBrokenPipes()
                continuation.resume(returning: work())
            }
            thread.name = "blocking"
            thread.stackSize = 1_024 * 1_024
            thread.start()
        }
    }

    /// With CURLOPT_NOSIGNAL libcurl leaves SIGPIPE to us.
    private static func ignoreBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
