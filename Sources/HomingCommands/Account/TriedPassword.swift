// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingStore
import HomingTransfer

/// The password of somebody in a file of accounts, with which an import looks whether it has understood the hashes.
///
/// Nothing else tells: with another project's signer key every hash looks as good as with the right one.
struct TriedPassword: Codable, Sendable {
    private static let largest = 4 << 10

    private var text: String?
    /// Why the file could not be read.
    private var problem: String?

    /// Reads the first line, in the operator's process, wherever the command runs.
    ///
    /// - Parameter path: `-` is standard input.
    init(path: String) {
        let data = path == "-" ? try? FileHandle.standardInput.readToEnd() : FileManager.default.contents(atPath: path)
        // PowerShell writes UTF-16.
        let line = data.map { UnicodeReader.utf8(Array($0.prefix(Self.largest))).prefix { $0 != 0x0A && $0 != 0x0D } }
        guard let line, !line.isEmpty, let text = String(validating: line, as: UTF8.self) else {
            problem = "--password-file \(path) has no password in its first line"
            return
        }
        self.text = text
    }

    /// - Throws: a refusal of the file.
    func value() throws(Refusal) -> String {
        if let problem { throw .invalidSetting(problem) }
        return text ?? ""
    }
}
