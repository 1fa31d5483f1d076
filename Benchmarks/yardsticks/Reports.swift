// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

/// Tells the script that connections are taken.
func sayReady() {
    FileHandle.standardOutput.write(Data("ready\n".utf8))
}

/// One line of JSON on standard output: a yardstick's only result.
func report(_ result: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    FileHandle.standardOutput.write(try encoder.encode(result) + Data("\n".utf8))
}

/// The text that a yardstick in C left in its fault.
func sentence<Text>(of text: Text) -> String {
    withUnsafeBytes(of: text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
