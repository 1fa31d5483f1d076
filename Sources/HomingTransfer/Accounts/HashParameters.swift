// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
package import HomingPasswords
package import HomingStore
import HomingWire

/// How the hashes of an export were made, as Firebase's console shows it (Authentication, Users, ⋮, Password hash
/// parameters), on many lines, on one or as JSON; or as lines `name: value` with the names of `firebase auth:import`.
package enum HashParameters {
    /// In bytes: a whole admin config document fits. Reading takes the square of it.
    package static let largest = 16 << 10

    /// - Throws: a refusal that says which part is wrong, and what is missing.
    package static func scheme(_ text: String) throws(Refusal) -> PasswordScheme {
        guard text.utf8.count <= largest else {
            throw .invalidSetting("the parameters have at most \(largest >> 10) KiB")
        }
        if let document = (try? JSON.parse(Array(text.utf8)))?.objectValue { return try scheme(in: document) }
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) where ASCII.trimmed(line).utf8.first != UInt8(ascii: "#") {
            for part in line.utf8.split(whereSeparator: { ",;{}".utf8.contains($0) }).map(Substring.init) {
                try read(part, into: &values)
            }
        }
        return try PasswordScheme(values: values)
    }

    /// Reads what stands between two commas: a name and its value, or more of them with blanks between; or the name of
    /// all.
    private static func read(_ part: Substring, into values: inout [String: String]) throws(Refusal) {
        let marks = CharacterSet(charactersIn: " \t\"'")
        var rest = part.trimmingCharacters(in: marks)
        while !rest.isEmpty {
            let colon = rest.utf8.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "=") }
            let name = String(rest[..<(colon ?? rest.endIndex)])
            let behind = colon.map { rest[$0...].dropFirst().trimmingCharacters(in: marks) } ?? ""
            // `hash_config {`, and `"hashConfig": {` in JSON that is not quite JSON.
            if behind.isEmpty, wrappers.contains(where: { PasswordScheme.isName(name, $0) }) { return }
            guard colon != nil else {
                throw .invalidSetting("\"\(Printable.line(rest, atMost: 80))\" is no NAME: VALUE")
            }
            let end = behind.utf8.firstIndex { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } ?? behind.endIndex
            values[try PasswordScheme.parameter(name)] = behind[..<end].trimmingCharacters(in: marks)
            rest = behind[end...].trimmingCharacters(in: marks)
        }
    }

    /// The names of what stands around the parameters, the outer one first.
    private static let wrappers = ["signIn", "hashConfig"]

    /// The admin config document's `signIn.hashConfig`, `hash_config`, or that object alone.
    private static func scheme(in document: JSON.Object) throws(Refusal) -> PasswordScheme {
        var config = document
        for wrapper in wrappers {
            let inner = config.members.first { PasswordScheme.isName($0.key, wrapper) }?.value.objectValue
            config = inner ?? config
        }
        guard config.members.contains(where: { (try? PasswordScheme.parameter($0.key)) == "algorithm" }) else {
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
