// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation

/// A folder of a test's own, in memory where the system offers that.
package struct TestFolder: Sendable {
    package let path: String

    package init() throws {
        let world = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        path = "\(world)/homing-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    package func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// Runs a test in a folder that is removed afterwards.
@discardableResult
package func withFolder<Answer>(
    _ body: (TestFolder) async throws -> Answer
) async throws -> Answer {
    let folder = try TestFolder()
    defer { folder.remove() }
    return try await body(folder)
}
