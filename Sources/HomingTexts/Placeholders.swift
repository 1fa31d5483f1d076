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

        fileprivate var isolate: Isolate? {
            switch self {
            case .email, .newEmail, .host, .server, .relay, .inviter, .network: .leftToRight
            case .appName, .displayName: .ownDirection
            default: nil
            }
        }
    }

    /// How a value keeps its own direction.
    fileprivate enum Isolate {
        /// Addresses and hosts.
        case leftToRight
        /// Names, whose first letter tells it.
        case ownDirection

        var mark: String { self == .leftToRight ? "\u{2066}" : "\u{2068}" }
        var attribute: String { self == .leftToRight ? " dir=\"ltr\"" : "" }
    }

    /// A value in both spellings.
    private struct Value {
        let text: String
        let html: HTML
        /// Whether it is a name such as “Acme Inc.”: its full stop is also that of a sentence that ends with it.
        let endsWithStop: Bool
    }

    private var values: [Name: Value] = [:]
    /// The direction of the sentences; nil where values are put in as they are.
    private let direction: Language.Direction?
    /// Whether HTML has an element around a value that keeps its direction: where a value may be part of an attribute,
    /// it has none.
    private let hasElements: Bool

    /// - Parameter direction: that of the sentences. In them a name or an address that is written in the other direction
    ///   turns nothing around it, and nothing turns it (UAX #9, isolates).
    package init(_ values: [Name: String] = [:], in direction: Language.Direction? = nil, hasElements: Bool = true) {
        self.direction = direction
        self.hasElements = hasElements
        for (name, text) in values { set(name, to: text) }
    }

    /// Sets a value, which is escaped in HTML.
    package mutating func set(_ name: Name, to text: String) { set(name, to: text, html: HTML(escaping: text)) }

    /// Sets a value with markup of its own for HTML, for instance in bold type.
    package mutating func set(_ name: Name, to text: String, html: HTML) {
        let endsWithStop = name.isolate == .ownDirection && text.utf8.last == UInt8(ascii: ".")
        guard let isolate = name.isolate, let direction, !text.isEmpty,
            direction == .rightToLeft || text.unicodeScalars.contains(where: \.isRightToLeft)
        else {
            values[name] = Value(text: text, html: html, endsWithStop: endsWithStop)
            return
        }
        values[name] = Value(
            text: "\(isolate.mark)\(text)\u{2069}",
            html: hasElements
                ? "<bdi\(HTML(trusted: isolate.attribute))>\(html)</bdi>"
                // In a template any other value may be part of an attribute.
                : name == .network ? "\u{2066}\(html)\u{2069}" : html,
            endsWithStop: endsWithStop)
    }

    /// A text without the marks around values, for a place that has none.
    package static func withoutIsolates(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { (0x2066...0x2069).contains($0.value) }) else { return text }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: text.unicodeScalars.filter { !(0x2066...0x2069).contains($0.value) })
        return String(scalars)
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
                if value.endsWithStop, Self.isStop(template, at: index) { index += 1 }
            } else {
                result.append(template[percent])
                index = percent + 1
            }
        }
        result.append(contentsOf: template[index...])
        return result
    }

    /// Whether a sentence ends with the full stop at this byte.
    private static func isStop(_ bytes: [UInt8], at index: Int) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: ".") else { return false }
        guard index + 1 < bytes.count else { return true }
        return [UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "<")].contains(bytes[index + 1])
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

extension Unicode.Scalar {
    /// A letter of Hebrew, Arabic, Syriac, Thaana, N’Ko and their like, by the blocks of Unicode.
    fileprivate var isRightToLeft: Bool {
        switch value {
        case 0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfefc, 0x10800...0x10fff, 0x1e800...0x1efff: true
        default: false
        }
    }
}
