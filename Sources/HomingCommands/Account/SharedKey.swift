// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingProjects
import HomingStore

/// The key by which an old system knows Homing, from a file: it must not stand where everybody on the machine can read
/// it.
struct SharedKey: Codable, Sendable {
    private static let largest = 4 << 10

    private var text: String?
    /// Why the file could not be read.
    private var problem: String?

    /// Reads the file, in the operator's process, wherever the command runs.
    init(path: String) {
        guard let data = FileManager.default.contents(atPath: path), data.count <= Self.largest,
            let text = String(validating: data, as: UTF8.self)
        else {
            problem =
                "--verify-key \(path) cannot be read: give the path of a file with the key, such as "
                + "openssl rand -hex 32 makes"
            return
        }
        self.text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// - Throws: a refusal of the file.
    func value() throws(Refusal) -> String {
        if let problem { throw .invalidSetting(problem) }
        return text ?? ""
    }
}
