// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// Finds the name that was probably meant.
package enum Spelling {
    /// The candidate with the fewest insertions, deletions and replacements, at most a third of the name's length.
    package static func nearest(to name: String, among candidates: [String]) -> String? {
        guard name.utf8.count <= 64 else { return nil }
        let scored = candidates.map { (candidate: $0, distance: distance(folded(name), folded($0))) }
        guard let best = scored.min(by: { $0.distance < $1.distance }), best.distance <= max(1, name.utf8.count / 3)
        else { return nil }
        return best.candidate
    }

    private static func folded(_ text: String) -> [UInt8] {
        text.utf8.map(ASCII.folded)
    }

    /// Levenshtein's distance, one row at a time.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (index, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (byte == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}

extension Remedy {
    /// The name that was probably meant, or what else can be done where none is like it.
    package static func meant(by name: String, among names: [String], else remedy: Remedy) -> Remedy {
        Spelling.nearest(to: name, among: names).map { .meant($0) } ?? remedy
    }
}
