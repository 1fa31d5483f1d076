// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingWire
internal import Yams

/// `homing.yaml`: nested mappings whose leaves are the settings.
package struct SettingsFile {
    /// The values by key, with dots.
    package private(set) var values: [String: (String, SettingSource)] = [:]

    private let path: String

    /// - Parameter isRequired: whether the file must exist; the file at the default path may be missing.
    package init(path: String, isRequired: Bool) throws(SettingsFault) {
        try self.init(path: path, text: Self.text(path: path, isRequired: isRequired) ?? "")
    }

    /// - Parameter text: what the file holds, or would.
    package init(path: String, text: String) throws(SettingsFault) {
        self.path = path
        // No file is the usual case, and the reader of YAML takes milliseconds to make ready.
        if text.isEmpty { return }
        let root: Node?
        do {
            root = try compose(yaml: text)
        } catch {
            let reason = "\(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
            throw SettingsFault("\(shownPath) is not YAML that can be read: \(Printable.line(reason, atMost: 300))")
        }
        guard let root, !Self.isNull(root) else { return }
        guard case .mapping(let mapping) = root else {
            throw SettingsFault("\(shownPath) must hold a mapping of settings, such as `listen: 127.0.0.1:9099`.")
        }
        try read(mapping, prefix: "")
    }

    private mutating func read(_ mapping: Node.Mapping, prefix: String) throws(SettingsFault) {
        for (keyNode, node) in mapping {
            let line = keyNode.mark?.line ?? 0
            guard let name = keyNode.scalar?.string else {
                throw SettingsFault("\(shownPath), line \(line): a key must be a plain word.")
            }
            let key = prefix + name
            // `admin.owner:` in one word would be a second spelling of the same setting.
            let isDotted = name.utf8.contains(UInt8(ascii: "."))
            if !isDotted, Self.settings.contains(key) {
                values[key] = (try value(of: node, key: key, line: line), .file(path: path, line: line))
            } else if !isDotted, Self.sections.contains(key) {
                // People comment settings out and leave an empty section.
                if Self.isNull(node) { continue }
                guard case .mapping(let inner) = node else {
                    throw SettingsFault(
                        "\(shownPath), line \(line): \(key) is a section, its settings stand indented below.")
                }
                try read(inner, prefix: key + ".")
            } else {
                throw .unknown(key, in: "\(shownPath), line \(line)", candidates: Self.settings.sorted())
            }
        }
    }

    /// A scalar as written, or a list of them with commas between.
    private func value(of node: Node, key: String, line: Int) throws(SettingsFault) -> String {
        if let scalar = node.scalar { return scalar.string }
        let pieces = node.sequence?.map { $0.scalar?.string }
        guard let pieces, !pieces.isEmpty, !pieces.contains(nil) else {
            throw SettingsFault("\(shownPath), line \(line): \(key) must be one value, or a list of plain values.")
        }
        return pieces.compactMap { $0 }.joined(separator: ",")
    }

    private var shownPath: String { Printable.line(path, atMost: 200) }

    private static let settings = Set(Setting.all.map(\.key))

    /// `tls` and `tls.acme` for `tls.acme.agree`.
    private static let sections = Set(
        settings.flatMap { key in
            key.indices.filter { key[$0] == "." }.map { String(key[..<$0]) }
        }
    )

    private static func isNull(_ node: Node) -> Bool {
        node.tag == Tag(.null) || node.scalar.map { $0.string.isEmpty && $0.style == .plain } ?? false
    }

    /// Settings are a page, not a book; a device or a log given by mistake is not read to its end.
    private static let largestSize = 1 << 20

    package static func text(path: String, isRequired: Bool) throws(SettingsFault) -> String? {
        let shown = Printable.line(path, atMost: 200)
        guard let file = FileHandle(forReadingAtPath: path) else {
            if !isRequired, !FileManager.default.fileExists(atPath: path) { return nil }
            throw SettingsFault(
                "\(shown) cannot be read: name the settings file with --config PATH and let this user read it.")
        }
        defer { try? file.close() }
        let data: Data
        do {
            data = try file.read(upToCount: largestSize + 1) ?? Data()
        } catch {
            throw SettingsFault("\(shown) cannot be read: name a file with --config PATH.")
        }
        guard data.count <= largestSize else {
            throw SettingsFault(
                "\(shown) is larger than 1 MiB, which no settings file is; name another with --config PATH.")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw SettingsFault("\(shown) is not UTF-8 text.")
        }
        return text
    }
}
