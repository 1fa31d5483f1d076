// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

/// What the columns of a file, or the members of its first object, mean.
struct LinkFileColumns {
    let source: LinkFileSource
    /// The meaning of each column; nil for those that are unknown.
    let meanings: [LinkFileSource.Field?]

    /// - Parameters:
    ///   - names: those of the columns, or of the members of an object.
    ///   - source: whose file it is; nil to find out.
    ///   - isTable: whether each name stands for a column of its own, so that none may mean the same as another.
    init(
        of names: [String], from source: LinkFileSource?, line: Int, isTable: Bool = true
    ) throws(LinkFileFault) {
        let readings = (source.map { [$0] } ?? LinkFileSource.allCases).map { Reading(of: names, $0) }
        // Of two that know as many columns, the one in which no two columns mean the same.
        let best = readings.filter(\.isEnough).enumerated().max { one, other in
            let (one, other) = ((one.element, one.offset), (other.element, other.offset))
            if one.0.known != other.0.known { return one.0.known < other.0.known }
            if (one.0.twice == nil) != (other.0.twice == nil) { return one.0.twice != nil }
            return one.1 > other.1
        }
        guard let best = best?.element else {
            throw LinkFileFault(.missingColumns(source, found: names.map { Self.shown($0) }), line: line)
        }
        if isTable, let twice = best.twice {
            throw LinkFileFault(.columnTwice(Self.shown(names[twice])), line: line)
        }
        self.source = best.source
        meanings = best.meanings
    }

    /// What one source makes of the names.
    private struct Reading {
        let source: LinkFileSource
        let meanings: [LinkFileSource.Field?]
        /// The place of a column that means the same as another one before it.
        let twice: Int?
        let known: Int

        init(of names: [String], _ source: LinkFileSource) {
            self.source = source
            let meanings = names.map { source.field(of: $0) }
            self.meanings = meanings
            known = meanings.count { $0 != nil }
            var seen: Set<LinkFileSource.Field> = []
            twice = meanings.firstIndex { field in
                guard let field, field != .notKept, field != .ignored, field != .otherTarget else { return false }
                return !seen.insert(field).inserted
            }
        }

        /// Whether the columns say where each link leads, and what it is called unless it gets an ending.
        var isEnough: Bool {
            let fields = Set(meanings.compactMap(\.self))
            return !fields.isDisjoint(with: [.parameter(.link)] + source.form.otherTargets)
                && (source.form.makesEndings || !fields.isDisjoint(with: [.shortLink, .customLink, .ending]))
        }
    }

    // MARK: For the operator

    private static let mostShown = 12

    static func list(_ names: [String]) -> String {
        let more = names.count - mostShown
        return names.prefix(mostShown).map { "\"\($0)\"" }.joined(separator: ", ")
            + (more > 0 ? " and \(more) more" : "")
    }

    /// A column's name for a message. The first row of a file without a header is a link, which may carry a code.
    static func shown(_ name: String) -> String {
        if name.utf8.contains(UInt8(ascii: "/")) { return "a URL" }
        return String(
            decoding: SecretMask.masked(name).utf8.prefix(40).filter { ASCII.isPrintable($0) }, as: UTF8.self)
    }
}

extension LinkFileSource {
    /// What a column of this name means; nil where nothing of the kind is known.
    func field(of name: String) -> Field? {
        let bytes = Array(name.utf8)
        let fields = Self.fields[self] ?? [:]
        if let open = bytes.lastIndex(of: UInt8(ascii: "(")),
            let close = bytes[open...].firstIndex(of: UInt8(ascii: ")")),
            let field = fields[Self.key(bytes[open..<close])]
        {
            return field
        }
        return fields[Self.key(bytes)]
    }

    /// The place of a name among those of its field: of several that say something the first one is believed.
    func rank(of name: String) -> Int {
        Self.ranks[self]?[Self.key(name.utf8)] ?? .max
    }

    /// The names by which a message calls what a file must have.
    var required: [String] {
        form.names.filter { field, _ in
            switch field {
            case .parameter(.link): true
            case .shortLink: !form.makesEndings
            case .ending: !form.makesEndings && !form.names.contains { $0.0 == .shortLink }
            default: false
            }
        }.compactMap { $0.1.first }
    }

    private static func key(_ name: some Sequence<UInt8>) -> [UInt8] {
        name.filter(ASCII.isLetterOrDigit).map { ASCII.folded($0) }
    }

    private static let fields = index { field, _ in field }
    private static let ranks = index { _, rank in rank }

    private static func index<Value>(_ value: (Field, Int) -> Value) -> [LinkFileSource: [[UInt8]: Value]] {
        Dictionary(
            uniqueKeysWithValues: allCases.map { source in
                let entries = source.form.names.flatMap { field, names in
                    names.enumerated().map { (key($1.utf8), value(field, $0)) }
                }
                return (source, Dictionary(entries) { first, _ in first })
            })
    }
}
