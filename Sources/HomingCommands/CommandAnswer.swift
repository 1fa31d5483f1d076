// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// What a command says and how it ends, wherever it ran.
package struct CommandAnswer: Codable, Sendable, Equatable {
    /// The exit status: 0 done, 1 refused or failed, 2 wrong usage.
    package let status: Int32
    /// For stdout.
    package let output: String
    /// For stderr: what went wrong, or what is to be known besides.
    package let errors: String
    /// The stable name of what went wrong, such as `NOT_FOUND`; nil when nothing did.
    package let code: String?

    package init(status: Int32, output: String, errors: String, code: String? = nil) {
        self.status = status
        self.output = output
        self.errors = errors
        self.code = code
    }
}
