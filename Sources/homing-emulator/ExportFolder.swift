// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingWire

/// A folder as `firebase emulators:export` writes it: what tests begin with, and what they left.
struct ExportFolder {
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private static let metadataName = "firebase-export-metadata.json"
    private static let ownFolder = "auth_export"
    /// The edition of Firebase's tools whose form this is.
    private static let version = "15.28.1"

    let url: URL

    init(_ path: String) { url = URL(filePath: path, directoryHint: .isDirectory) }

    // MARK: Reading

    /// Takes over settings and accounts of the folder.
    ///
    /// - Returns: what there is to say about it, a sentence for each account that could not be taken.
    func load(into world: inout World) throws -> [String] {
        guard let metadata = try json(url.appending(path: Self.metadataName)) else {
            return ["\(url.path) has no \(Self.metadataName): nothing was imported"]
        }
        guard let own = metadata["auth"]?.objectValue?["path"]?.stringValue else {
            return ["\(url.path) is of other emulators only: nothing was imported"]
        }
        let folder = url.appending(path: own, directoryHint: .isDirectory)
        let project = world.defaultProject
        var sentences: [String] = []
        if let config = try json(folder.appending(path: "config.json")) {
            do throws(Fault) {
                _ = try world.changeEmulatorConfig(of: project, by: Body(config))
            } catch {
                throw Problem(description: "config.json cannot be taken: \(error.message)")
            }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("accounts") }
        for name in names.sorted() where name.hasSuffix(".json") {
            let tenant = name.dropFirst("accounts".count).dropLast(".json".count).drop { $0 == "-" }
            let place = Place(project: project, tenant: tenant.isEmpty ? nil : String(tenant))
            guard let document = try json(folder.appending(path: name)) else { continue }
            do throws(Fault) {
                let answer = try world.batchCreate(Call(in: place, body: Body(document)))
                for error in answer.objectValue?["error"]?.arrayValue ?? [] {
                    let (index, text) = (error.objectValue?["index"]?.integerValue, error.objectValue?["message"])
                    sentences.append("\(name): account \(index ?? 0) was not taken: \(text?.stringValue ?? "")")
                }
            } catch {
                guard error.message != "MISSING_USER_ACCOUNT" else { continue }
                throw Problem(description: "\(name) cannot be taken: \(error.message)")
            }
        }
        return sentences
    }

    /// The object in a file; nil where there is no file.
    private func json(_ file: URL) throws -> JSON.Object? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let bytes = Array(try Data(contentsOf: file))
        do {
            guard let object = try JSON.parse(bytes, mostValues: bytes.count).objectValue else {
                throw Problem(description: "\(file.path) is no JSON object")
            }
            return object
        } catch let fault as JSONFault {
            throw Problem(description: "\(file.path) is no JSON: \(fault)")
        }
    }

    // MARK: Writing

    /// Writes all settings and accounts of the default project, in the place of what the folder was.
    func save(_ world: inout World) throws {
        let files = FileManager.default
        let parent = url.deletingLastPathComponent()
        try files.createDirectory(at: parent, withIntermediateDirectories: true)
        let draft = parent.appending(path: ".\(url.lastPathComponent).\(ProcessInfo.processInfo.processIdentifier)")
        try? files.removeItem(at: draft)
        let folder = draft.appending(path: Self.ownFolder, directoryHint: .isDirectory)
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        let edition: JSON = .string(Self.version)
        let metadata: JSON = ["version": edition, "auth": ["version": edition, "path": .string(Self.ownFolder)]]
        try write(metadata, to: draft.appending(path: Self.metadataName))
        let project = world.defaultProject
        try write(world.emulatorConfig(of: project), to: folder.appending(path: "config.json"))
        let tenants = world.tenants(of: project).map(\.id)
        for tenant in [nil] + tenants.map({ Optional($0) }) {
            let call = Call(
                in: Place(project: project, tenant: tenant), body: Body(JSON.Object([("maxResults", -1)])))
            try write(
                world.batchGet(call),
                to: folder.appending(path: tenant.map { "accounts-\($0).json" } ?? "accounts.json"))
        }
        if files.fileExists(atPath: url.path) { try files.removeItem(at: url) }
        try files.moveItem(at: draft, to: url)
    }

    private func write(_ value: JSON, to file: URL) throws {
        try Data(value.write()).write(to: file)
    }
}
