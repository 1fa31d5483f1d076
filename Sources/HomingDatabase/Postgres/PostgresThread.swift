// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

/// A thread whose end can be waited for. libpq's TLS library cleans up behind a thread: a process that exits before
/// that is done crashes, and Foundation's threads cannot be joined.
enum PostgresThread {
    private final class Body {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    static func start(_ run: @escaping () -> Void) throws -> pthread_t {
        var handle = pthread_t()
        let body = Unmanaged.passRetained(Body(run))
        let status = pthread_create(
            &handle, nil,
            { context in
                Thread.current.name = "homing-postgres"
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, body.toOpaque())
        guard status == 0 else {
            body.release()
            throw DatabaseFault("no thread can be made: \(String(cString: strerror(status)))")
        }
        return handle
    }

    /// Waits until a thread and what cleans up behind it have ended.
    static func join(_ handle: pthread_t) {
        pthread_join(handle, nil)
    }
}
