// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
package import HomingCore
import HomingWire

/// How the hashes of an export were made, as Firebase's console shows it (Authentication, Users, ⋮, Password hash
/// parameters), or as lines `name: value` with the names of `firebase auth:import`.
///
/// It is a file, because the signer key must not stand where everybody on the machine can read it.
package struct HashConfig: Codable, Sendable {
    private static let largest = 16 << 10

    private var read: PasswordScheme?
    /// Why the file could not be read.
    private var problem: String?

    /// Reads the file, in the operator's process, wherever the command runs.
    init(path: String) {
        guard let data = FileManager.default.contents(atPath: path), data.count <= Self.largest,
            let text = String(validating: data, as: UTF8.self)
        else {
            problem = "--hash-config \(path) cannot be read: give the path of a text file"
            return
        }
        do {
            read = try Self.scheme(text)
        } catch {
            problem = "--hash-config \(path): \(Program.line(for: error))"
        }
    }

    /// - Throws: a refusal of the file.
    func scheme() throws(Refusal) -> PasswordScheme? {
        if let problem { throw .invalidSetting(problem) }
        return read
    }

    /// - Throws: a refusal that says which line is wrong, and what is missing.
    package static func scheme(_ text: String) throws(Refusal) -> PasswordScheme {
        if let document = (try? JSON.parse(Array(text.utf8)))?.objectValue { return try scheme(in: document) }
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.trimmingCharacters(in: CharacterSet(charactersIn: " \t,;\"'"))
            if words.isEmpty || words.utf8.first == UInt8(ascii: "#") || words.hasSuffix("{") || words == "}" {
                continue
            }
            guard let colon = words.utf8.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "=") })
            else {
                throw .invalidSetting("\"\(Printable.line(words, atMost: 80))\" is no line NAME: VALUE")
            }
            values[try PasswordScheme.parameter(String(words[..<colon]))] = String(words[colon...].dropFirst())
                .trimmingCharacters(in: CharacterSet(charactersIn: " \t\"'"))
        }
        return try PasswordScheme(values: values)
    }

    /// The admin config document's `signIn.hashConfig`, or that object alone.
    private static func scheme(in document: JSON.Object) throws(Refusal) -> PasswordScheme {
        let config = document["signIn"]?.objectValue?["hashConfig"]?.objectValue ?? document
        guard config["algorithm"] != nil else {
            throw .invalidSetting("the JSON has no signIn.hashConfig: read the config as an owner of the project")
        }
        var values: [String: String] = [:]
        for member in config.members {
            values[try PasswordScheme.parameter(member.key)] =
                member.value.stringValue ?? member.value.integerValue.map { String($0) } ?? ""
        }
        return try PasswordScheme(values: values)
    }
}
