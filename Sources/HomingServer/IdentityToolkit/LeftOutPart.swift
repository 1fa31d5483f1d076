// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingStore
package import HomingWire

/// A part of a document that is left out where the rest is taken, and why.
package struct LeftOutPart: Sendable, Equatable {
    /// The path in the document, with dots.
    package let part: String
    /// What is wrong with it, for the person who gave the document.
    package let reason: String
    /// Whether it is what every document of Firebase has and only Firebase can serve.
    package let isFirebasesOwn: Bool

    package init(_ part: String, _ reason: String, isFirebasesOwn: Bool = false) {
        self.part = part
        self.reason = reason
        self.isFirebasesOwn = isFirebasesOwn
    }

    /// A part that cannot be; the reason is the refusal's sentence, without its code.
    package init(_ part: String, _ refusal: Refusal) {
        self.init(part, refusal.explanation)
    }

    init(_ path: [String], _ refusal: Refusal) { self.init(path.joined(separator: "."), refusal) }

    /// In one line.
    package var sentence: String { "\(part): \(reason)" }

    package var json: JSON { ["part": .string(part), "reason": .string(reason)] }
}
