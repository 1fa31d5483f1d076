// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Testing

extension Tag {
    /// Several callers, or several nodes, at once. `scripts/test` runs the files with this tag once more as on an
    /// engine whose transactions are serialisable by default.
    @Tag static var races: Self
}
