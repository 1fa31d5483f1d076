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
    let user: String?
    private(set) var secret: String?
    /// The URL as it was written, without its secret.
    let bare: String
    private(set) var parameters: [String: String] = [:]

    static let accepted =
        "smtp://[user:password@]host[:port] or smtps://[user:password@]host[:port], with ?connections=1…64, "
        + "&ca=FILE, &tls=required, &oauth=microsoft|google|custom for an access token in place of the password; "
        + "special characters in user and password percent-encoded"

    init(_ text: String) throws(SMTPRelayFault) {
        do throws(URLReading.Flaw) {
            try self.init(reading: text)
        } catch {
            throw Self.fault(error.words)
        }
    }

    private init(reading text: String) throws(URLReading.Flaw) {
        let (bytes, query) = try URLReading.parts(of: text)
        guard let scheme = ["smtp", "smtps"].first(where: { bytes.starts(with: "\($0)://".utf8) }) else {
            throw Flaw(words: "does not begin with smtp:// or smtps://")
        }
        self.scheme = scheme
        var rest = bytes.dropFirst(scheme.utf8.count + 3)
        guard !rest.contains(where: "/\\".utf8.contains) else {
            throw Flaw(words: "has a path, or a / or \\ that is not percent-encoded")
        }
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
            let credentials = rest[..<at]
            (user, secret) = try Self.userAndSecret(credentials)
            rest = rest[(at + 1)...]
            bare = URLReading.text(text, without: (credentials.firstIndex(of: UInt8(ascii: ":")) ?? at)..<at)
        } else {
            user = nil
            bare = text
        }
        (host, port) = try Self.hostAndPort(rest)
        if let query { parameters = try URLReading.parameters(query) }
    }

    private typealias Flaw = URLReading.Flaw

    /// All that decides where the secret goes, and who signs in with it.
    var destination: [String] {
        let port = port ?? (scheme == "smtps" ? 465 : 25)
        return ["\(scheme)://\(ASCII.lowercased(host)):\(port)", "user=\(user ?? "")"]
            + URLReading.deciding(parameters)
    }

    mutating func takeConnections() throws(SMTPRelayFault) -> Int? {
        guard let text = parameters.removeValue(forKey: "connections") else { return nil }
        do throws(URLReading.Flaw) {
            return try URLReading.connections(text)
        } catch {
            throw Self.fault(error.words)
        }
    }

    mutating func takeAuthorityFile() throws(SMTPRelayFault) -> String? {
        guard let path = parameters.removeValue(forKey: "ca") else { return nil }
        guard !path.isEmpty else { throw Self.fault("has an empty ca") }
        return path
    }

    /// The file of the secret, where one is named.
    var secretFile: String? { parameters["secret-file"] }

    mutating func takeTLSRequirement() throws(SMTPRelayFault) -> Bool {
        guard let text = parameters.removeValue(forKey: "tls") else { return false }
        guard text == "required" else { throw Self.fault("has a tls other than required") }
        return true
    }

    /// Adds the secret that stands elsewhere: in an environment variable, or in the file of `secret-file`.
    mutating func add(_ secret: String?) throws(SMTPRelayFault) {
        guard let secret else { return }
        parameters["secret-file"] = nil
        guard self.secret == nil else { throw Self.fault("has a secret, and another one stands outside of it") }
        guard user != nil else { throw Self.fault("has no user, whose secret stands outside of it") }
        self.secret = secret
    }

    mutating func takeTokenLogin(authorityFile: String?) throws(SMTPRelayFault) -> SMTPRelay.TokenLogin? {
        let grant: OAuthGrant?
        do throws(OAuthGrantFault) {
            grant = try OAuthGrant.take(
                from: &parameters, for: user, secret: secret, authorityFile: authorityFile)
        } catch {
            throw Self.fault(error.what)
        }
        guard let grant, let user else { return nil }
        let name = parameters.removeValue(forKey: "mechanism")
        guard let mechanism = name.map(SMTPRelay.TokenLogin.Mechanism.init(rawValue:)) ?? .xoauth2 else {
            throw Self.fault("has a mechanism that is neither xoauth2 nor oauthbearer")
        }
        return .init(user: user, mechanism: mechanism, grant: grant)
    }

    func credentials() throws(SMTPRelayFault) -> SMTPRelay.Credentials? {
        guard let user else { return nil }
        guard let secret else { throw Self.fault(Self.hasNoPassword) }
        return .init(user: user, password: secret)
    }

    func refuseTheRest() throws(SMTPRelayFault) {
        if !parameters.isEmpty { throw Self.fault("has a parameter that is not known") }
    }

    private static let hasNoPassword =
        "has a user without a password, or an @ or : in them that is not percent-encoded"

    private static func userAndSecret(
        _ bytes: ArraySlice<UInt8>
    ) throws(URLReading.Flaw) -> (user: String, secret: String?) {
        let halves = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard halves.count <= 2, halves.allSatisfy({ !$0.isEmpty }), !bytes.contains(UInt8(ascii: "@")) else {
            throw Flaw(words: hasNoPassword)
        }
        return (try URLReading.decoded(halves[0]), halves.count == 2 ? try URLReading.decoded(halves[1]) : nil)
    }

    private static func hostAndPort(_ bytes: ArraySlice<UInt8>) throws(URLReading.Flaw) -> (host: String, port: Int?) {
        var host = bytes
        var port: Int?
        let afterLiteral = bytes.lastIndex(of: UInt8(ascii: "]")) ?? bytes.startIndex
        if let colon = bytes[afterLiteral...].firstIndex(of: UInt8(ascii: ":")) {
            guard let number = ASCII.number(Substring(decoding: bytes[(colon + 1)...], as: UTF8.self), atMost: 65_535),
                number > 0
            else { throw Flaw(words: "has a port that is not 1 to 65535") }
            port = number
            host = bytes[..<colon]
        }
        guard isHost(host) else { throw Flaw(words: "has no host, or one with characters that no host has") }
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

    private static func fault(_ what: String) -> SMTPRelayFault {
        SMTPRelayFault(sentence: "The relay's address \(what); accepted is \(accepted).")
    }
}
