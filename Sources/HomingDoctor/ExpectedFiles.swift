// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The association files that this server has for a host; nil where it answers 404.
package struct ExpectedFiles: Sendable, Equatable, Codable {
    package var apple: String?
    package var android: String?

    package init(apple: String? = nil, android: String? = nil) {
        self.apple = apple
        self.android = android
    }
}
