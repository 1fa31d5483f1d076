// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingWire

/// Whatever stands in the folder and is not of the Auth emulator stays as it is.
extension ExportFolder {
    /// The edition of Firebase's tools whose form this is.
    private static let version: JSON = "15.28.1"

    private var metadataFile: URL { url.appending(path: Self.metadataName) }
    private var ownFolder: URL { url.appending(path: Self.ownName, directoryHint: .isDirectory) }

    /// Makes sure that an export can be written here, and makes the folder.
    ///
    /// - Returns: what is known of the exports in it.
    @discardableResult
    func prepare() throws -> JSON.Object {
        let path = url.path
        if FileIdentity(path) == nil { try make(url) }
        guard let folder = FileIdentity(path), folder.kind == .folder else {
            throw Problem(description: "\(path) is no folder: export to a new one, or to one of an earlier export")
        }
        guard !FileIdentity.currentFolderAndParents.contains(folder) else {
            throw Problem(
                description: "\(path) is the current folder or holds it: export to a folder of its own, as ./export")
        }
        for (file, kind) in [(metadataFile, FileIdentity.Kind.file), (ownFolder, .folder)] {
            guard let found = FileIdentity(file.path, followsLinks: false), found.kind != kind else { continue }
            throw Problem(description: "\(file.path) is no \(kind): move it away")
        }
        let metadata = try json(metadataFile)
        if metadata == nil, try !FileManager.default.contentsOfDirectory(atPath: path).isEmpty {
            throw Problem(
                description: "\(path) is not empty and has no \(Self.metadataName): export to a new folder, or to one "
                    + "of an earlier export")
        }
        // Nothing but trying says whether it can be written to.
        try FileManager.default.removeItem(at: newFolder())
        return metadata ?? JSON.Object()
    }

    /// Writes all settings and accounts of the default project, in the place of an earlier export of them.
    ///
    /// - Returns: a sentence for each tenant that is left out.
    func save(_ world: World) throws -> [String] {
        var metadata = try prepare()
        let draft = try newFolder()
        let sentences: [String]
        do {
            sentences = try write(world, to: draft)
            try exchange(draft)
        } catch {
            try? FileManager.default.removeItem(at: draft)
            throw error
        }
        metadata["version"] = metadata["version"] ?? Self.version
        metadata["auth"] = ["version": Self.version, "path": .string(Self.ownName)]
        try Data(JSON.object(metadata).write()).write(to: metadataFile, options: .atomic)
        return sentences
    }

    private func write(_ world: World, to folder: URL) throws -> [String] {
        func write(_ value: JSON, _ name: String) throws {
            try Data(value.write()).write(to: folder.appending(path: name))
        }
        let project = world.defaultProject
        try write(world.emulatorConfig(of: project), Self.configName)
        var sentences: [String] = []
        for tenant in [nil] + world.tenants(of: project).map({ Optional($0.id) }) {
            if let name = Self.accountsName(of: tenant) {
                try write(world.accounts(in: Place(project: project, tenant: tenant)), name)
            } else {
                sentences.append("tenant \(tenant ?? "") was not exported: no file can have a name of that length")
            }
        }
        return sentences
    }

    /// Puts a new folder of accounts in the place of the older one, and into it what else somebody keeps there.
    private func exchange(_ draft: URL) throws {
        let files = FileManager.default
        guard FileIdentity(ownFolder.path) != nil else { return try files.moveItem(at: draft, to: ownFolder) }
        let older = try newFolder()
        try files.removeItem(at: older)
        try files.moveItem(at: ownFolder, to: older)
        do {
            try files.moveItem(at: draft, to: ownFolder)
        } catch {
            try files.moveItem(at: older, to: ownFolder)
            throw error
        }
        for name in try files.contentsOfDirectory(atPath: older.path) {
            let file = older.appending(path: name)
            let isOwn = name == Self.configName || Self.isAccountsName(name)
            if isOwn, FileIdentity(file.path, followsLinks: false)?.kind == .file {
                try files.removeItem(at: file)
            } else {
                try files.moveItem(at: file, to: ownFolder.appending(path: name))
            }
        }
        try files.removeItem(at: older)
    }

    /// An empty folder under a name that nothing has.
    private func newFolder() throws -> URL {
        let folder = url.appending(
            path: ".\(Self.ownName).\(World.randomText(12))", directoryHint: .isDirectory)
        try make(folder)
        return folder
    }

    private func make(_ folder: URL) throws {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw Problem(
                description: "\(url.path) cannot be written to: export to another folder (\(Self.told(error)))")
        }
    }
}
