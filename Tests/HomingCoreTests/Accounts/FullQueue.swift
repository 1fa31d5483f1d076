// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Dispatch
import HomingCore
import HomingDatabase
import HomingPasswords

extension HashingPool {
    /// Runs the body while both threads of a test's pool do nothing and the one job that may wait waits
    /// (`Limits(passwordQueue: 1)`).
    func whileFull(_ body: () async throws -> Void) async throws {
        let isHeld = DispatchSemaphore(value: 0)
        // A job is over a moment after its caller has heard of it.
        while depth > 0 { try await Task.sleep(for: .milliseconds(1)) }
        let before = waits.snapshot.count
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { for _ in 1...3 { isHeld.signal() } }
            for number in 1...3 {
                group.addTask { try await self.run(for: "somebody \(number)") { isHeld.wait() } }
                while depth < number { try await Task.sleep(for: .milliseconds(1)) }
                while waits.snapshot.count < before + min(number, 2) { try await Task.sleep(for: .milliseconds(1)) }
            }
            try await body()
        }
    }
}
