// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingWire

/// The parts of a relay's URL, read strictly and on bytes (RFC 3986 with nothing left to interpretation).
struct SMTPRelayURL {
    let scheme: String
    let host: String
    let port: Int?
    let credentials: SMTPRelay.Credentials?
    private var parameters: [String: String] = [:]

    static let accepted =
        "smtp://[user:password@]host[:port] or smtps://[user:password@]host[:port], with ?connections=1…64, "
        + "&ca=FILE, &tls=required; special characters in user and password percent-encoded"

    init(_ text: String) throws(SMTPRelayFault) {
        let bytes = Array(text.utf8)
        guard bytes.allSatisfy({ ASCII.isVisible($0) && $0 != UInt8(ascii: "#") }), bytes.count <= 2_048 else {
            throw Self.fault("has bytes that no URL has, or is longer than 2,048")
        }
        guard let scheme = ["smtp", "smtps"].first(where: { bytes.starts(with: "\($0)://".utf8) }) else {
            throw Self.fault("does not begin with smtp:// or smtps://")
        }
        self.scheme = scheme
        var rest = bytes.dropFirst(scheme.utf8.count + 3)
        var query: ArraySlice<UInt8>?
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[(mark + 1)...]
            rest = rest[..<mark]
        }
        guard !rest.contains(where: "/\\".utf8.contains) else {
            throw Self.fault("has a path, or a / or \\ that is not percent-encoded")
        }
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
            credentials = try Self.credentials(rest[..<at])
            rest = rest[(at + 1)...]
        } else {
            credentials = nil
        }
        (host, port) = try Self.hostAndPort(rest)
        if let query { try readParameters(query) }
    }

    mutating func takeConnections() throws(SMTPRelayFault) -> Int? {
        guard let text = parameters.removeValue(forKey: "connections") else { return nil }
        guard let count = ASCII.number(text, atMost: 64), count > 0 else {
            throw Self.fault("has a number of connections that is not 1 to 64")
        }
        return count
    }

    mutating func takeAuthorityFile() throws(SMTPRelayFault) -> String? {
        guard let path = parameters.removeValue(forKey: "ca") else { return nil }
        guard !path.isEmpty else { throw Self.fault("has an empty ca") }
        return path
    }

    mutating func takeTLSRequirement() throws(SMTPRelayFault) -> Bool {
        guard let text = parameters.removeValue(forKey: "tls") else { return false }
        guard text == "required" else { throw Self.fault("has a tls other than required") }
        return true
    }

    func refuseTheRest() throws(SMTPRelayFault) {
        if !parameters.isEmpty { throw Self.fault("has a parameter that is not known") }
    }

    private mutating func readParameters(_ query: ArraySlice<UInt8>) throws(SMTPRelayFault) {
        for pair in query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { throw Self.fault("has a parameter without a value") }
            let key = String(decoding: halves[0], as: UTF8.self)
            guard parameters[key] == nil else { throw Self.fault("has a parameter twice") }
            parameters[key] = try Self.decoded(halves[1])
        }
    }

    private static func credentials(_ bytes: ArraySlice<UInt8>) throws(SMTPRelayFault) -> SMTPRelay.Credentials {
        let halves = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty }), !bytes.contains(UInt8(ascii: "@")) else {
            throw fault("has a user without a password, or an @ or : in them that is not percent-encoded")
        }
        return .init(user: try decoded(halves[0]), password: try decoded(halves[1]))
    }

    private static func hostAndPort(_ bytes: ArraySlice<UInt8>) throws(SMTPRelayFault) -> (host: String, port: Int?) {
        var host = bytes
        var port: Int?
        let afterLiteral = bytes.lastIndex(of: UInt8(ascii: "]")) ?? bytes.startIndex
        if let colon = bytes[afterLiteral...].firstIndex(of: UInt8(ascii: ":")) {
            guard let number = ASCII.number(Substring(decoding: bytes[(colon + 1)...], as: UTF8.self), atMost: 65_535),
                number > 0
            else { throw fault("has a port that is not 1 to 65535") }
            port = number
            host = bytes[..<colon]
        }
        guard isHost(host) else { throw fault("has no host, or one with characters that no host has") }
        return (String(decoding: host, as: UTF8.self), port)
    }

    /// A name, whose labels may hold an inner underscore as container networks have them, an IPv4 address, or an IPv6
    /// address in brackets.
    private static func isHost(_ host: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: host, as: UTF8.self)
        if text.utf8.first == UInt8(ascii: "["), text.utf8.last == UInt8(ascii: "]") {
            return IPAddress(parsing: text.dropFirst().dropLast())?.isVersion6 == true
        }
        return WebHost(parsing: text.replacing("_", with: "-")) != nil
    }

    /// Decodes complete percent escapes and UTF-8 only, without control characters: a NUL would cut the text for
    /// libcurl, a line break would reach the wire.
    private static func decoded(_ bytes: ArraySlice<UInt8>) throws(SMTPRelayFault) -> String {
        var result: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            var byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                let digits = bytes[index...].prefix(2).compactMap(Hexadecimal.value)
                guard digits.count == 2 else { throw fault("has a % that does not begin an escape like %40") }
                byte = digits[0] << 4 | digits[1]
                index += 2
            }
            guard !ASCII.isControl(byte) else { throw fault("has an escaped control character") }
            result.append(byte)
        }
        guard let text = String(validating: result, as: UTF8.self) else { throw fault("has escapes that are no UTF-8") }
        return text
    }

    private static func fault(_ what: String) -> SMTPRelayFault {
        SMTPRelayFault(sentence: "The relay's address \(what); accepted is \(accepted).")
    }
}
