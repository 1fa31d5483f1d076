// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Why a parser of one setting does not take a value.
enum Rejection: Error, Equatable {
    /// The row's own sentence of what is accepted says it all.
    case notAccepted
    /// Something that this value in particular should be told.
    case because(String)
}
