// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// `name=value` pairs between semicolons, the form of DKIM and DMARC records (RFC 6376, section 3.2).
package struct TagList: Sendable, Equatable {
    package let tags: [(name: String, value: String)]

    package init(parsing text: String) {
        tags = text.split(separator: ";").compactMap { pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { return nil }
            return (Self.trimmed(halves[0]).lowercased(), Self.trimmed(halves[1]))
        }
    }

    package subscript(_ name: String) -> String? {
        tags.first { $0.name == name }?.value
    }

    package static func == (left: TagList, right: TagList) -> Bool {
        left.tags.elementsEqual(right.tags) { $0 == $1 }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(Substring(ASCII.trimmed(text.utf8, of: ASCII.isBlank)))
    }
}
