// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts

/// What changed between two texts, line by line.
package struct LineDiff {
    package enum Line: Equatable {
        case same(String)
        case removed(String)
        case added(String)
    }

    /// All lines of both texts, in order; of a change what was removed comes first.
    package let lines: [Line]

    /// Comparing takes the number of lines times that of their differences: two texts with more lines than this, both
    /// together and without what they begin and end with alike, are shown one after the other.
    private static let most = 1000
    /// The lines around a change that are shown with it.
    private static let context = 2

    package init(from old: String, to new: String) {
        let (old, new) = (Self.lines(of: old), Self.lines(of: new))
        let same: (Substring, Substring) -> Bool = { $0.utf8.elementsEqual($1.utf8) }
        let start = zip(old, new).prefix { same($0, $1) }.count
        let (oldRest, newRest) = (old.dropFirst(start), new.dropFirst(start))
        let end = zip(oldRest.reversed(), newRest.reversed()).prefix { same($0, $1) }.count
        lines =
            old.prefix(start).map { .same(String($0)) }
            + Self.middle(Array(oldRest.dropLast(end)), Array(newRest.dropLast(end)))
            + old.suffix(end).map { .same(String($0)) }
    }

    private static func lines(of text: String) -> [Substring] {
        text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static func middle(_ old: [Substring], _ new: [Substring]) -> [Line] {
        guard old.count + new.count <= most else {
            return old.map { .removed(String($0)) } + new.map { .added(String($0)) }
        }
        var (removed, added): (Set<Int>, Set<Int>) = ([], [])
        let (oldNumbers, newNumbers) = numbers(of: old, new)
        for change in newNumbers.difference(from: oldNumbers) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var (lines, here, there): ([Line], Int, Int) = ([], 0, 0)
        while here < old.count || there < new.count {
            if removed.contains(here) {
                lines.append(.removed(String(old[here])))
                here += 1
            } else if added.contains(there) {
                lines.append(.added(String(new[there])))
                there += 1
            } else {
                lines.append(.same(String(new[there])))
                (here, there) = (here + 1, there + 1)
            }
        }
        return lines
    }

    /// A number for each line, the same for the same bytes: lines are compared many times, however long they are.
    private static func numbers(of old: [Substring], _ new: [Substring]) -> ([Int], [Int]) {
        var known: [[UInt8]: Int] = [:]
        func number(_ line: Substring) -> Int {
            let (bytes, next) = (Array(line.utf8), known.count)
            let number = known[bytes] ?? next
            known[bytes] = number
            return number
        }
        return (old.map(number), new.map(number))
    }

    /// The changes with the lines around them; `…` stands for the others. A sign at the beginning of each line says what
    /// its colour says.
    package var html: HTML {
        var pieces: [HTML] = []
        var isGap = false
        for (index, line) in lines.enumerated() {
            let around = lines[max(0, index - Self.context)...min(lines.count - 1, index + Self.context)]
            guard around.contains(where: { !$0.isSame }) else {
                if !isGap { pieces.append("…\n") }
                isGap = true
                continue
            }
            isGap = false
            pieces.append(line.html)
        }
        return "<pre class=\"diff\">\(pieces)</pre>"
    }
}

extension LineDiff.Line {
    fileprivate var isSame: Bool { if case .same = self { true } else { false } }

    fileprivate var html: HTML {
        switch self {
        case .same(let text): "  \(text)\n"
        case .removed(let text): "<del>− \(text)\n</del>"
        case .added(let text): "<ins>+ \(text)\n</ins>"
        }
    }
}
