// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// Fills the placeholders of a text, such as `%APP_NAME%`, in mails and pages alike.
///
/// There is one pass: placeholders inside a value are never filled, so a person who calls themselves `%LINK%` gets no
/// link. A placeholder without a value is left unchanged. The names are those of Firebase's mail templates.
package struct Placeholders: Sendable {
    /// The names of placeholders. The first five are Firebase's; the rest are for our own texts.
    package enum Name: String, Sendable, CaseIterable {
        case link = "LINK"
        case email = "EMAIL"
        case newEmail = "NEW_EMAIL"
        case appName = "APP_NAME"
        case displayName = "DISPLAY_NAME"
        /// The time of the event, in words.
        case time = "TIME"
        /// The device of the event, in words.
        case device = "DEVICE"
        /// What was asked for, in words.
        case request = "REQUEST"
        /// The network of the event.
        case network = "NETWORK"
        /// The code that can be typed where the mail was asked for.
        case code = "CODE"
        /// The number that the page behind the link asks for.
        case number = "NUMBER"
        /// Our own public URL.
        case server = "SERVER"
        /// The host of the relay.
        case relay = "RELAY"
        /// Who has invited an operator.
        case inviter = "INVITER"
        /// The lifetime of a link, in words.
        case lifetime = "LIFETIME"
        /// The host that a button leads to.
        case host = "HOST"
        /// A number of characters.
        case count = "COUNT"
        /// A page's title, without the app's name.
        case title = "TITLE"
        /// A day in words, and the hour of it.
        case date = "DATE"
        case clock = "CLOCK"
        case browser = "BROWSER"
        case system = "SYSTEM"

        /// The placeholder as a text writes it.
        package var spelling: String { "%\(rawValue)%" }
    }

    /// A value in both spellings.
    private struct Value {
        let text: String
        let html: HTML
    }

    private var values: [Name: Value] = [:]

    package init(_ values: [Name: String] = [:]) {
        for (name, text) in values { set(name, to: text) }
    }

    /// Sets a value, which is escaped in HTML.
    package mutating func set(_ name: Name, to text: String) {
        values[name] = Value(text: text, html: HTML(escaping: text))
    }

    /// Sets a value with markup of its own for HTML, for instance in bold type.
    package mutating func set(_ name: Name, to text: String, html: HTML) {
        values[name] = Value(text: text, html: html)
    }

    package func filling(_ name: Name, with text: String) -> Placeholders {
        var copy = self
        copy.set(name, to: text)
        return copy
    }

    /// Fills a plain text.
    package func fill(_ template: String) -> String {
        String(decoding: fill(Array(template.utf8)) { Array($0.text.utf8) }, as: UTF8.self)
    }

    /// Fills markup; the values are escaped.
    package func fill(_ template: HTML) -> HTML {
        HTML(trusted: fill(template.bytes) { $0.html.bytes })
    }

    /// Fills a plain text for a page: the text and the values are escaped.
    package func fillEscaping(_ template: String) -> HTML {
        fill(HTML(escaping: template))
    }

    /// Whether every placeholder of the text has a value.
    package func canFill(_ template: String) -> Bool {
        let bytes = Array(template.utf8)
        return bytes.indices.allSatisfy { index in
            guard let found = Self.placeholder(in: bytes, at: index) else { return true }
            return values[found.name] != nil
        }
    }

    /// Everything in a text that looks like a placeholder, known or not, without its percent signs: three letters or
    /// more, so that a percent-encoded byte is none.
    package static func names(in text: String) -> [String] {
        let bytes = Array(text.utf8)
        let percent = UInt8(ascii: "%")
        var names: [String] = []
        var start = 0
        while let open = bytes[start...].firstIndex(of: percent) {
            let name = bytes[(open + 1)...].prefix { ASCII.isLetter($0) || $0 == UInt8(ascii: "_") }
            start = open + 1
            guard name.count >= 3, name.endIndex < bytes.count, bytes[name.endIndex] == percent else { continue }
            names.append(String(decoding: name, as: UTF8.self))
            start = name.endIndex + 1
        }
        return names
    }

    private func fill(_ template: [UInt8], _ spelling: (Value) -> [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(template.count + 64)
        var index = template.startIndex
        while let percent = template[index...].firstIndex(of: UInt8(ascii: "%")) {
            result.append(contentsOf: template[index..<percent])
            if let found = Self.placeholder(in: template, at: percent), let value = values[found.name] {
                result.append(contentsOf: spelling(value))
                index = found.end
            } else {
                result.append(template[percent])
                index = percent + 1
            }
        }
        result.append(contentsOf: template[index...])
        return result
    }

    /// The placeholder that begins at this very byte.
    private static func placeholder(in bytes: [UInt8], at start: Int) -> (name: Name, end: Int)? {
        let percent = UInt8(ascii: "%")
        guard bytes[start] == percent else { return nil }
        var end = start + 1
        while end < bytes.count, bytes[end] != percent {
            guard end - start <= 16, isNameByte(bytes[end]) else { return nil }
            end += 1
        }
        guard end < bytes.count else { return nil }
        guard let name = Name(rawValue: String(decoding: bytes[(start + 1)..<end], as: UTF8.self)) else { return nil }
        return (name, end + 1)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isUppercaseLetter(byte) || byte == UInt8(ascii: "_")
    }
}
