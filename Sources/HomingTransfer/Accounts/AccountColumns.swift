// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingStore
import HomingWire

/// Which columns of a file mean what: `id=user_id,email=mail`. What is not named has a column of its own name, whatever
/// its case, spaces, hyphens and underscores.
package struct AccountColumns: Sendable, Codable {
    /// What an account has, in the words of `auth:export`; `id` is its `localId`.
    package static let fields =
        ["id", "email", "emailVerified", "passwordHash", "salt", "createdAt", "lastSignedInAt", "disabled"]
        + AccountText.all.map(\.member)

    /// The names of columns, by what they mean.
    private var columns: [String: String] = [:]
    /// The names of columns that are left out.
    private var ignored: [String]

    /// - Parameter ignored: the names of columns that are left out, each of which the file has.
    package init(ignoring ignored: [String] = []) { self.ignored = ignored }

    /// - Throws: a refusal that says which pair is wrong.
    package init(parsing text: String, ignoring ignored: [String] = []) throws(Refusal) {
        self.ignored = ignored
        for pair in ASCII.split(text, at: UInt8(ascii: ",")) {
            guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                throw .invalidSetting("--columns is FIELD=COLUMN,…, such as id=user_id,email=mail")
            }
            let (field, column) = (String(pair[..<equals]), String(pair[equals...].dropFirst()))
            guard let known = Heading(field).exactly(oneOf: Self.fields), !column.isEmpty else {
                throw .invalidSetting("--columns knows the fields \(Self.fields.joined(separator: ", "))")
            }
            columns[known] = column
        }
    }

    /// What the columns of a file mean. Those that mean nothing keep their names, and those that are left out have
    /// none.
    ///
    /// - Throws: a fault of a column that is there twice or not at all, and of one whose name is nearly that of a field
    ///   which no column has: left out in silence it would let in who is blocked.
    func meanings(
        of header: [String], from source: AccountSource
    ) throws(AccountExportReader.Fault) -> [String?] {
        let known = source.columns
        let headings = header.map { Heading($0) }
        guard Set(header.map { Array($0.utf8) }).count == header.count else {
            throw .init(description: "the first row names a column twice")
        }
        var meanings: [Int: String] = [:]
        for (field, column) in columns.sorted(by: { $0.key < $1.key }) {
            meanings[try place(of: column, in: header, headings, "--columns")] = field
        }
        var left: Set<Int> = []
        for column in ignored { left.insert(try place(of: column, in: header, headings, "--ignore-column")) }
        var others: [Int] = []
        for place in header.indices where meanings[place] == nil && !left.contains(place) {
            let field = headings[place].exactly(oneOf: known)
            // A column whose name means something, where another one has that meaning.
            if let field, columns[field] != nil {
                meanings[place] = "column \(header[place])"
            } else if let field {
                guard !meanings.values.contains(where: { ASCII.areEqual($0, field) }) else {
                    throw .init(description: "the first row has two columns that mean \(field)")
                }
                meanings[place] = field
            } else {
                others.append(place)
            }
        }
        let given = Set(meanings.values)
        guard source.idColumns.contains(where: given.contains) else {
            throw .init(
                description: "the first row names no column \(source.idColumns.joined(separator: " or "))"
                    + (source == .csv ? ": say which one it is with --columns id=COLUMN,…" : ""))
        }
        for place in others {
            let missing = known.filter { !given.contains($0) }
            let isLoose = source == .csv
            if let field = missing.first(where: { headings[place].resembles($0, orItsMeaning: isLoose) }) {
                throw .init(description: headings[place].problem(field, source))
            }
            meanings[place] = header[place]
        }
        return header.indices.map { meanings[$0] }
    }

    /// The place of a column that the operator has named.
    private func place(
        of column: String, in header: [String], _ headings: [Heading], _ option: String
    ) throws(AccountExportReader.Fault) -> Int {
        if let place = header.firstIndex(where: { ASCII.areEqual($0, column) }) { return place }
        let plain = Heading(column).plain
        guard let place = headings.firstIndex(where: { $0.plain == plain }) else {
            throw .init(description: "the first row names no column \(Heading(column).quoted), which \(option) has")
        }
        return place
    }
}

/// What the first row of a file calls a column.
struct Heading {
    let name: String
    /// Without case, spaces, hyphens and underscores.
    let plain: [UInt8]

    init(_ name: String) {
        self.name = name
        plain = name.utf8.filter { !" \t-_".utf8.contains($0) }.map(ASCII.folded)
    }

    /// What other tables call a field; first what says who is kept out.
    private static let others = [
        "disabled": ["blocked", "banned", "suspended", "locked", "active", "enabled", "status"],
        "passwordHash": ["pwd", "passwd"], "photoUrl": ["picture", "avatar"], "phoneNumber": ["mobile"],
        "lastSignedInAt": ["lastlogin"], "customAttributes": ["claims"],
    ]

    /// The name among these that it is, of two spellings the same one.
    func exactly(oneOf names: [String]) -> String? {
        names.first { ASCII.areEqual($0, name) } ?? names.first { Heading($0).plain == plain }
    }

    /// Whether it may have been meant as a field: a slip away from its name; or, where names are anybody's own, a part
    /// of it, or more than it, or another word for it.
    func resembles(_ field: String, orItsMeaning isLoose: Bool) -> Bool {
        let known = Heading(field).plain
        if known.count > 4, slips(to: known) <= (known.count < 8 ? 1 : 2) { return true }
        guard isLoose, plain.count > 2 else { return false }
        if known.count > 3, plain.contains(known) { return true }
        if plain.count > 3, known.starts(with: plain) || known.suffix(plain.count).elementsEqual(plain) { return true }
        return Self.others[field]?.contains { plain.contains(Array($0.utf8)) } ?? false
    }

    /// How many letters are wrong, missing, too many, or swapped with the next one.
    private func slips(to other: [UInt8]) -> Int {
        // Longer names are none that somebody has mistyped.
        guard abs(plain.count - other.count) <= 2, plain.count <= 32 else { return .max }
        var rows = [Array(0...other.count)]
        for (row, byte) in plain.enumerated() {
            var next = [row + 1]
            for (column, theirs) in other.enumerated() {
                var least = min(rows[row][column + 1], next[column]) + 1
                least = min(least, rows[row][column] + (byte == theirs ? 0 : 1))
                if row > 0, column > 0, byte == other[column - 1], plain[row - 1] == theirs {
                    least = min(least, rows[row - 1][column - 1] + 1)
                }
                next.append(least)
            }
            rows.append(next)
        }
        return rows[plain.count][other.count]
    }

    var quoted: String {
        "\""
            + String(
                decoding: name.utf8.prefix(80).map { ASCII.isPrintable($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
            + "\""
    }

    /// What is wrong with a heading that resembles a field, and what to do about it.
    func problem(_ field: String, _ source: AccountSource) -> String {
        let saysOpposite =
            ASCII.areEqual(field, "disabled") && ["active", "enabled"].contains { plain.contains(Array($0.utf8)) }
        let (meaning, remedy) =
            if saysOpposite {
                ("may say the opposite of disabled", "make a column disabled of it")
            } else if source == .csv {
                ("may mean \(field)", "say so with --columns \(field)=\(quoted)")
            } else {
                ("may mean \(field)", "call it so")
            }
        return "the first row names the column \(quoted), which is not known and \(meaning): \(remedy), or leave it "
            + "out with --ignore-column \(quoted)"
    }
}
