// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation

/// Why ``HomingApp`` could not be configured from a file.
public struct HomingConfigurationError: Error, Sendable, Equatable, LocalizedError {
    /// What is wrong with which file, and what to do.
    public let message: String

    init(_ message: String) {
        self.message = message
    }

    /// The message.
    public var errorDescription: String? { message }
}
