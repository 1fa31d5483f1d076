// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingWire

/// A folder as `firebase emulators:export` writes it: what tests begin with, and what they left.
struct ExportFolder {
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    static let metadataName = "firebase-export-metadata.json"
    static let ownName = "auth_export"
    static let configName = "config.json"

    /// What the file system refuses is told in Foundation's words.
    static func told(_ error: any Error) -> String { (error as? CocoaError)?.localizedDescription ?? "\(error)" }

    let url: URL

    init(_ path: String) { url = URL(filePath: path, directoryHint: .isDirectory) }

    // MARK: Names of files

    /// The file of a tenant's accounts, or of the project's own; nil where no file can have such a name.
    ///
    /// Firebase's emulator writes the tenant's id as it is, which a slash makes impossible, and takes it back as a part
    /// of a URL's path, where percent-encoding is what it was before.
    static func accountsName(of tenant: String?) -> String? {
        let name = tenant.map { "accounts-\(percentEncoded($0)).json" } ?? "accounts.json"
        return name.utf8.count <= 255 ? name : nil
    }

    static func isAccountsName(_ name: String) -> Bool { name.hasPrefix("accounts") && name.hasSuffix(".json") }

    private static func tenant(ofAccountsName name: String) -> String? {
        let text = name.dropFirst("accounts".count).dropLast(".json".count)
        guard text.count > 1, text.first == "-" else { return nil }
        return percentDecoded(text.dropFirst()) ?? String(text.dropFirst())
    }

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
        // A folder that was fetched from somewhere does not say which others are read.
        guard !own.hasPrefix("/"),
            !own.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual("..".utf8) })
        else { throw Problem(description: "\(Self.metadataName) names a folder outside of \(url.path): \(own)") }
        let folder = url.appending(path: own, directoryHint: .isDirectory)
        let project = world.defaultProject
        var sentences: [String] = []
        if let config = try json(folder.appending(path: Self.configName)) {
            do throws(Fault) {
                _ = try world.changeEmulatorConfig(of: project, by: Body(config))
            } catch {
                throw Problem(description: "\(Self.configName) cannot be taken: \(error.message)")
            }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter(Self.isAccountsName)
        for name in names.sorted() {
            let place = Place(project: project, tenant: Self.tenant(ofAccountsName: name))
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
    func json(_ file: URL) throws -> JSON.Object? {
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
}
