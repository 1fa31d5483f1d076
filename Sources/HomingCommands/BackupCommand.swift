// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingCore
import HomingDatabase
import HomingWire

/// `homing backup`.
struct BackupCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write a consistent copy of the database, without the key.",
        discussion: """
            The key file is not in it: keep that somewhere else, a backup without it opens nothing.

            EXAMPLE
              homing backup /var/backups/homing-$(date +%F).db
            """)

    @Argument(help: "A file that is not there yet.") var path: String
    @OptionGroup var output: OutputOptions

    func run(in house: Homing, _ console: inout Console) async throws {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw Refusal.alreadyExists("\(path) exists already: a backup never writes over a file")
        }
        try await house.database.copy(to: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64 ?? 0
        console.answer(
            output, json: ["path": .string(path), "bytes": .int(size)],
            lines: ["\(path) holds everything but the key (\(size) bytes)"])
    }
}
