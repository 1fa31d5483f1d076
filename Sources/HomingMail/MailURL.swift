// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
import HomingCore
import HomingStore
import HomingWire

/// Where mails leave over HTTPS: `mail.url` with the scheme of a ``MailProvider``,
/// `scheme:[//][userinfo@]place[?parameters]`. SMTP's is an ``SMTPRelay``.
///
/// The secret stands in the userinfo, in the file of `?secret-file=`, or in a setting of its own: in one of them.
/// Printing the value shows neither secret nor user.
package struct MailURL: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    package let scheme: String
    package let user: String?
    /// The host of the URL and what follows it, decoded; empty where there is none.
    package let place: String
    /// The place as it is written, for a provider that makes a URL of it.
    let written: String
    /// Those of the provider alone.
    package let parameters: [String: String]
    /// Nil until ``complete(secret:)``, where it stands elsewhere.
    package private(set) var secret: String?
    package private(set) var secretFile: String?
    /// `https`, or `http` on this machine, without a slash at the end.
    package let endpoint: String?
    /// A PEM file with the certificates to trust instead of the system's.
    package let authorityFile: String?
    package let connections: Int?
    /// The URL as it was written, without its secret; empty once the value is complete, wherever the secret came from.
    private(set) var bare: String
    /// Whether no connection is made to an address of a private network, for a provider of a project.
    package private(set) var isPublicOnly = false

    /// The parameters that every provider's URL may have.
    private static let common = ["endpoint", "ca", "connections", "secret-file"]
    static let longestSecret = 16_384

    package init(parsing text: String) throws(MailURLFault) {
        guard let provider = MailProvider.of(text) else { throw MailURLFault.unknownScheme }
        try self.init(parsing: text, for: provider)
    }

    init(parsing text: String, for provider: MailProvider) throws(MailURLFault) {
        do throws(URLReading.Flaw) {
            try self.init(reading: text, for: provider)
        } catch {
            throw MailURLFault(
                sentence: "the address of \(provider.name) \(error.words); its form is \(provider.form)")
        }
    }

    private typealias Flaw = URLReading.Flaw

    private init(reading text: String, for provider: MailProvider) throws(Flaw) {
        let (bytes, query) = try URLReading.parts(of: text)
        scheme = provider.scheme
        var rest = bytes.dropFirst(scheme.utf8.count + 1)
        if rest.starts(with: "//".utf8) { rest = rest.dropFirst(2) }
        var signs = rest.indices.filter { rest[$0] == UInt8(ascii: "@") }
        // The last one belongs to the mailbox.
        if provider.placeIsMailbox { signs = signs.dropLast() }
        guard signs.count <= 1 else { throw Flaw(words: "has an @ that is not percent-encoded") }
        (user, secret) = try Self.credentials(signs.first.map { rest[..<$0] }, of: provider)
        if let sign = signs.first {
            let colon = rest[..<sign].firstIndex(of: UInt8(ascii: ":")) ?? sign
            bare = URLReading.text(
                text, without: provider.userName == nil ? rest.startIndex..<(sign + 1) : colon..<sign)
            rest = rest[(sign + 1)...]
        } else {
            bare = text
        }
        written = String(decoding: rest, as: UTF8.self)
        place = try Self.place(rest, of: provider)

        var parameters = try query.map { (query) throws(Flaw) in try URLReading.parameters(query) } ?? [:]
        if let name = parameters.keys.sorted().first(where: { name in
            !Self.common.contains(name) && !provider.parameters.contains { $0.name.utf8.elementsEqual(name.utf8) }
        }) {
            throw Flaw(words: "has a parameter that is not known, \(Printable.given(name))")
        }
        if let empty = parameters.first(where: \.value.isEmpty) { throw Flaw(words: "has an empty \(empty.key)") }
        if let missing = provider.parameters.first(where: { $0.isRequired && parameters[$0.name] == nil }) {
            throw Flaw(words: "has no parameter \(missing.name)")
        }
        endpoint = try parameters.removeValue(forKey: "endpoint").map { (text) throws(Flaw) in
            guard let url = Self.base(text) else {
                throw Flaw(words: "has an endpoint that is not https://host[:port][/path], or http:// on this machine")
            }
            return url
        }
        if let tokenURL = parameters["token-url"], Self.base(tokenURL) == nil {
            throw Flaw(words: "has a token-url that is not https://, or http:// on this machine")
        }
        authorityFile = parameters.removeValue(forKey: "ca")
        connections = try parameters.removeValue(forKey: "connections").map { (text) throws(Flaw) in
            try URLReading.connections(text)
        }
        secretFile = parameters.removeValue(forKey: "secret-file")
        if secret != nil, secretFile != nil {
            throw Flaw(words: "has its \(provider.secretName) before the @ and in secret-file: give one of them")
        }
        self.parameters = parameters
        // A region becomes a part of a host.
        let isRegion = (parameters["region"] ?? "").utf8.allSatisfy {
            ASCII.isLowercaseLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-")
        }
        guard isRegion, let base = endpoint ?? provider.endpoint(self), Self.base(base) != nil else {
            throw Flaw(
                words: provider.placeIsURL
                    ? "names no web server" : "names a region that \(provider.name) does not have")
        }
    }

    private static func credentials(
        _ bytes: ArraySlice<UInt8>?, of provider: MailProvider
    ) throws(Flaw) -> (user: String?, secret: String?) {
        var parts: [String] = []
        for part in bytes?.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) ?? [] {
            guard !part.isEmpty else { throw Flaw(words: "has an empty part before the @") }
            parts.append(try URLReading.decoded(part))
        }
        switch (provider.userName, parts.count) {
        case (nil, 0): return (nil, nil)
        case (nil, 1): return (nil, parts[0])
        case (nil, _): throw Flaw(words: "has more than the \(provider.secretName) before the @")
        case (let name?, 0): throw Flaw(words: "has no \(name) before an @")
        case (_, 1): return (parts[0], nil)
        case (_, 2): return (parts[0], parts[1])
        case (_, _): throw Flaw(words: "has a : before the @ that is not percent-encoded")
        }
    }

    private static func place(_ bytes: ArraySlice<UInt8>, of provider: MailProvider) throws(Flaw) -> String {
        guard let name = provider.placeName else {
            guard bytes.isEmpty else {
                throw Flaw(words: "names something behind the scheme; its \(provider.secretName) stands before an @")
            }
            return ""
        }
        guard !bytes.isEmpty else { throw Flaw(words: "has no \(name)") }
        let place = try URLReading.decoded(bytes)
        // It becomes a part of a path or of a host.
        let isPlain = place.utf8.allSatisfy { ASCII.isVisible($0) && !"/\\?#%\"<>".utf8.contains($0) }
        guard provider.placeIsURL || isPlain else { throw Flaw(words: "has a \(name) with characters that none has") }
        return place
    }

    /// The base of URLs, without a slash at the end; nil where secrets must not go there.
    static func base(_ text: String) -> String? {
        guard !text.utf8.contains(where: "?#".utf8.contains), (try? WebURL(parsing: text)) != nil else { return nil }
        return text.utf8.last == UInt8(ascii: "/") ? String(text.dropLast()) : text
    }

    // MARK: The secret

    /// All that decides where the secret goes, and who signs in with it.
    var destination: [String] {
        ["\(scheme)://\(written)", "user=\(user ?? "")", "endpoint=\(endpoint ?? "")"]
            + URLReading.deciding(parameters)
    }

    /// The same provider, reached over the internet alone.
    package var publicOnly: MailURL {
        var url = self
        url.isPublicOnly = true
        return url
    }

    /// The URL with its secret.
    ///
    /// - Parameter given: the secret of the setting for it, if there is one.
    /// - Throws: a sentence that names the places; the secret itself is in none.
    package func complete(secret given: String?) throws(MailURLFault) -> MailURL {
        let provider = MailProvider.of("\(scheme):")
        let name = provider?.secretName ?? "secret"
        var whole = self
        switch (secret, secretFile, given) {
        case (let secret?, nil, nil): whole.secret = secret
        case (nil, let path?, nil): whole.secret = try Self.read(path, name)
        case (nil, nil, let given?): whole.secret = given
        case (nil, nil, nil):
            throw MailURLFault(
                sentence: "the \(name) is missing: it stands before an @ in the URL, in the file of "
                    + "?secret-file=PATH, or in HOMING_MAIL_SECRET", isElsewhere: true)
        default: throw MailURLFault.secretTwice(name)
        }
        (whole.secretFile, whole.bare) = (nil, "")
        guard let provider, let secret = whole.secret, provider.isSecret(secret) else {
            throw MailURLFault(sentence: "the \(name) is none: its form is \(provider?.secretForm ?? "another")")
        }
        return whole
    }

    /// The secret of a relay's URL that stands outside of it: the setting's, or that of the file which the URL names.
    package static func secret(besideRelay url: String, given: String?) throws(MailURLFault) -> String? {
        guard let path = (try? SMTPRelayURL(url))?.secretFile else { return given }
        guard given == nil else { throw MailURLFault.secretTwice("password") }
        return try read(path, "password")
    }

    /// What a file of `?secret-file=` holds, without the line end behind it.
    static func read(_ path: String, _ name: String) throws(MailURLFault) -> String {
        let shown = Printable.line(path, atMost: 200)
        guard let file = FileHandle(forReadingAtPath: path),
            let data = try? file.read(upToCount: longestSecret + 1)
        else {
            throw MailURLFault(
                sentence: "the \(name) in \(shown) cannot be read: let this user read the file", isElsewhere: true)
        }
        guard data.count <= longestSecret, let text = String(validating: data, as: UTF8.self) else {
            throw MailURLFault(sentence: "\(shown) is no \(name): it is no text, or too long")
        }
        let secret = ASCII.trimmed(text)
        guard !secret.isEmpty else { throw MailURLFault(sentence: "\(shown) is empty: it is to be the \(name)") }
        return String(secret)
    }

    // MARK: What is shown

    /// The URL without what is secret, for messages.
    package var description: String { "\(scheme):\(place.isEmpty ? "" : "//\(place)")" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }

    /// A given value of `mail.url`, which may be a malformed one, in the form that may be shown.
    package static func masked(_ text: String) -> String {
        let masked = SecretMask.password(inURL: text)
        guard let provider = MailProvider.of(text), provider.placeName == nil else { return masked }
        // Who forgets the @ has the key in the place of a host.
        let query = masked.utf8.firstIndex(of: UInt8(ascii: "?")) ?? masked.endIndex
        let hasMore = text.utf8.dropFirst(provider.scheme.utf8.count + 1).first.map { $0 != UInt8(ascii: "?") }
        return hasMore == true ? "\(provider.scheme):\(SecretMask.mask)\(masked[query...])" : masked
    }
}

/// The reason why a URL of mails is refused: a sentence without its full stop, which never repeats the URL.
package struct MailURLFault: Error, Sendable, Equatable, CustomStringConvertible {
    package let sentence: String
    /// Whether the secret is not at hand here, and may be where the server runs.
    package var isElsewhere = false
    /// Whether it says no more than the accepted forms do.
    package var isOfForm = false

    package var description: String { sentence }

    static var unknownScheme: Self {
        Self(
            sentence: "accepted is "
                + (["smtp://", "smtps://", "mailbox:", "none"] + MailProvider.all.map { "\($0.scheme):" })
                .joined(separator: ", "))
    }

    static func secretTwice(_ name: String) -> Self {
        Self(sentence: "the \(name) stands in the URL and in HOMING_MAIL_SECRET: give one of them")
    }
}
