// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingLinkRules
import HomingOperations
import HomingProjects
import HomingStore
import HomingWire

/// Several short texts as one input: JSON with their names and contents, since a command has one input, wherever it
/// runs.
package enum InputFiles {
    private static let largestFile = 256 << 10
    private static let mostFiles = 1000
    /// In bytes, for everything together.
    static let largest = 32 << 20

    /// - Parameter files: `-` is the path of standard input.
    static func input(_ files: [(name: String, path: String)]) throws -> CommandInput {
        guard files.count <= mostFiles else {
            throw Refusal.invalidSetting("there are \(files.count) files; at most \(mostFiles) are read at once")
        }
        let members = try files.map { name, path in
            let contents =
                path == "-"
                ? FileHandle.standardInput.readDataToEndOfFile() : FileManager.default.contents(atPath: path)
            guard let data = contents else {
                throw Refusal.notFound("\(path) cannot be read: give the path of a file")
            }
            guard data.count <= largestFile else {
                throw Refusal.invalidSetting("\(path) has \(data.count) bytes; at most \(largestFile) are read")
            }
            guard let text = String(validating: data, as: UTF8.self) else {
                throw Refusal.invalidSetting("\(path) is not UTF-8")
            }
            return (name, JSON.string(text))
        }
        return CommandInput(JSON.object(JSON.Object(members)).write(pretty: false))
    }

    /// The files of a folder and of those below it, by their paths in it. Names that begin with a dot, and README.md,
    /// are for others.
    static func input(folder: String) throws -> CommandInput {
        guard let walk = FileManager.default.enumerator(atPath: folder) else {
            throw Refusal.notFound("\(folder) cannot be read: give the path of a folder")
        }
        var files: [(name: String, path: String)] = []
        for case let name as String in walk {
            let parts = name.split(separator: "/")
            let path = "\(folder)/\(name)"
            var isFolder: ObjCBool = false
            guard !parts.contains(where: { $0.hasPrefix(".") }), parts.last != "README.md",
                FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue
            else { continue }
            files.append((name, path))
        }
        return try input(files.sorted { $0.name < $1.name })
    }

    /// Writes texts into a folder, in the operator's process.
    package static func write(_ files: [String: String], to folder: String) throws {
        for (name, text) in files {
            // They come from the server, which may not choose where root writes.
            let parts = name.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }) else {
                throw Refusal.invalidSetting("\(Printable.line(name, atMost: 200)) is no name of a file in a folder")
            }
            let path = "\(folder)/\(name)"
            do {
                try FileManager.default.createDirectory(
                    atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            } catch {
                throw Refusal.invalidSetting(
                    "\(path) cannot be written (\(error.localizedDescription)): give a folder that you may write to")
            }
            try ReplacedFile.write(Array(text.utf8), to: path)
        }
    }
}

extension CommandInput {
    /// The texts of an input of several, by name.
    func files() async throws -> [String: String] {
        guard let object = try JSON.parse(try await whole(atMost: InputFiles.largest)).objectValue else { return [:] }
        return Dictionary(object.members.map { ($0.key, $0.value.stringValue ?? "") }) { _, last in last }
    }
}
