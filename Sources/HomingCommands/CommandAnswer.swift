// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingOperations

/// The output of a command and its exit status, wherever the command ran.
package struct CommandAnswer: Codable, Sendable, Equatable {
    /// The exit status: 0 done, 1 refused or failed, 2 wrong usage.
    package let status: Int32
    /// For stdout.
    package let output: String
    /// How parts of it look on a terminal.
    package let styles: [TerminalStyle.Part]?
    /// For stderr: the error, or notes beside the answer.
    package let errors: String
    /// The stable name of the error, such as `NOT_FOUND`; nil when there is none.
    package let code: String?
    /// Texts for files of the operator, by their paths in the command's folder.
    package let files: [String: String]?

    package init(
        status: Int32, output: String, styles: [TerminalStyle.Part] = [], errors: String, code: String? = nil,
        files: [String: String]? = nil
    ) {
        self.status = status
        self.output = output
        self.styles = styles.isEmpty ? nil : styles
        self.errors = errors
        self.code = code
        self.files = files
    }
}
