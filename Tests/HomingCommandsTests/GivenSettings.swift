// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCommands
import HomingOperations

/// The input of `Settings.load` in a test, independent of the machine.
struct GivenSettings {
    var flags: [String: String] = [:]
    var environment: [String: String] = [:]
    var yaml: String?
    var isRoot = false
    var isTerminal = false
    /// False where the values need not go together.
    var isComplete = true

    func load() throws -> Settings {
        var path: String?
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("homing-\(UUID().uuidString)")
        if let yaml {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appendingPathComponent("homing.yaml")
            try Data(yaml.utf8).write(to: file)
            path = file.path
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        var system = ["HOME": "/nowhere/someone"]
        system.merge(environment) { $1 }
        return try Settings.load(
            flags: flags,
            environment: system,
            configPath: path,
            folders: DefaultFolders(environment: system, isRoot: isRoot, isTerminal: isTerminal),
            isComplete: isComplete
        )
    }

    /// The sentence of the fault, or nil when the settings are taken.
    func refusal() throws -> String? {
        do {
            _ = try load()
            return nil
        } catch let fault as SettingsFault {
            return fault.sentence
        }
    }
}

extension Settings {
    func entry(_ key: String) throws -> SettingEntry {
        guard let entry = entries.first(where: { $0.setting.key == key }) else { throw NoSuchKey(key: key) }
        return entry
    }

    struct NoSuchKey: Error {
        let key: String
    }
}
