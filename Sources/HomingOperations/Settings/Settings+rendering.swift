// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// The output of `homing config`: every setting in force with its source, secrets masked.
extension Settings {
    /// One line each: key, value, source; in columns.
    package var text: String {
        let rows = entries.map { [$0.setting.key, $0.shown ?? "none", "\($0.source)"] }
        let widths = (0..<2).map { column in rows.map { $0[column].unicodeScalars.count }.max() ?? 0 }
        return rows.map { row in
            let cells = (0..<2).map { column in
                row[column] + String(repeating: " ", count: widths[column] - row[column].unicodeScalars.count)
            }
            return "\(cells[0])  \(cells[1])  \(row[2])\n"
        }.joined()
    }

    /// `{"settings":[{"key","variable","flag","value","source","from"}]}`; limits are numbers, lists are arrays, a
    /// value that is not set is null.
    package var json: String {
        let objects = entries.map { entry in
            let fields = [
                ("key", Printable.quoted(entry.setting.key)),
                ("variable", Printable.quoted(entry.setting.variable)),
                ("flag", Printable.quoted("--\(entry.setting.flag)")),
                ("value", entry.json),
                ("source", Printable.quoted(entry.source.word)),
                ("from", Printable.quoted("\(entry.source)")),
            ]
            return "    {" + fields.map { "\(Printable.quoted($0)): \($1)" }.joined(separator: ", ") + "}"
        }
        return "{\n  \"settings\": [\n\(objects.joined(separator: ",\n"))\n  ]\n}\n"
    }
}

extension SettingEntry {
    /// The value with its type.
    fileprivate var json: String {
        if setting.isList {
            let items = (shown ?? "").split(separator: ",").map { Printable.quoted($0.filter { $0 != " " }) }
            return "[\(items.joined(separator: ", "))]"
        }
        guard let shown else { return "null" }
        return setting.key.hasPrefix("limits.") ? shown : Printable.quoted(shown)
    }
}
