// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingPasswords
import HomingStore
import HomingTransfer

/// The ``HashParameters`` of an import, from a file: the signer key must not stand where everybody on the machine can
/// read it.
struct HashConfig: Codable, Sendable {
    private var read: PasswordScheme?
    /// Why the file could not be read.
    private var problem: String?

    /// Reads the file, in the operator's process, wherever the command runs.
    init(path: String) {
        guard let data = FileManager.default.contents(atPath: path), data.count <= HashParameters.largest,
            let text = String(validating: UnicodeReader.utf8(Array(data)), as: UTF8.self)
        else {
            problem = "--hash-config \(path) cannot be read: give the path of a text file"
            return
        }
        do {
            read = try HashParameters.scheme(text)
        } catch {
            problem = "--hash-config \(path): \(Program.line(for: error))"
        }
    }

    /// - Throws: a refusal of the file.
    func scheme() throws(Refusal) -> PasswordScheme? {
        if let problem { throw .invalidSetting(problem) }
        return read
    }
}
