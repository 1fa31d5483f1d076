// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
import HomingTexts
import HomingWire

/// A letter in the pieces of which a provider builds a message of its own, for those that take no finished one. No
/// piece can start a template of the provider's, and none can add a header or an address.
struct LetterFields: Sendable {
    struct Mailbox: Sendable {
        let address: String
        /// As people read it; the provider encodes it for the header.
        let name: String?

        /// As an object with two members.
        func json(_ addressMember: String = "email", _ nameMember: String = "name") -> JSON {
            .object([(addressMember, .string(address)), (nameMember, name.map { .string($0) })])
        }

        /// As the value of a header (RFC 5322, section 3.4), in Unicode: a name of anything but plain words is quoted.
        var text: String {
            guard let name else { return address }
            let isPlain = name.utf8.allSatisfy { ASCII.isAtomText($0) || $0 == 0x20 }
            // By bytes: a quotation mark with an accent behind it is another Character, and ends the string all the same.
            let quoted = name.utf8.flatMap { "\"\\".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
            return isPlain
                ? "\(name) <\(address)>" : "\"\(String(decoding: quoted, as: UTF8.self))\" <\(address)>"
        }
    }

    let from: Mailbox
    let to: String
    let replyTo: String?
    let subject: String
    let text: String
    let html: String
    /// The PNG behind `cid:logo`, in base64.
    let logo: String?
    /// The headers that a provider would not write by itself; the outbox's id is among them.
    var headers: [(name: String, value: String)]

    static let logoName = "logo.png"
    /// What ``logo`` is called behind `cid:`.
    static let logoID = "logo"

    /// - Parameter withLogo: false for a provider that knows no content ids: the HTML is then without the picture, beside
    ///   which the app's name stands as always, instead of with a broken one.
    init(_ mail: ProviderMail, withLogo: Bool = true) {
        let letter = TemplateSyntax.braces.disarmed(mail.letter)
        let name = letter.from.name.flatMap { $0.isEmpty ? nil : $0 }
        from = Mailbox(address: HeaderText.address(letter.from.address), name: name)
        to = HeaderText.address(letter.to)
        replyTo = letter.replyTo.map(HeaderText.address)
        subject = letter.subject
        text = letter.text
        html = withLogo ? letter.html : Self.withoutLogo(letter.html)
        logo = withLogo ? letter.logo.map { Data($0).base64EncodedString() } : nil
        headers = letter.furtherHeaders
    }

    /// The headers as an object.
    var headersByName: JSON { .object(headers.map { ($0.name, .string($0.value)) }) }

    /// The headers as objects of a name and a value.
    func headerList(_ nameMember: String, _ valueMember: String) -> JSON {
        .array(headers.map { .object([(nameMember, .string($0.name)), (valueMember, .string($0.value))]) })
    }

    private static func withoutLogo(_ html: String) -> String {
        let bytes = Array(html.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "<"),
                bytes[index...].prefix(4).map(ASCII.folded).elementsEqual("<img".utf8)
            else {
                result.append(bytes[index])
                index += 1
                continue
            }
            // A `>` may stand in a quoted value.
            var quote: UInt8?
            var end = index
            while end < bytes.count, quote != nil || bytes[end] != UInt8(ascii: ">") {
                if quote == bytes[end] {
                    quote = nil
                } else if quote == nil, "\"'".utf8.contains(bytes[end]) {
                    quote = bytes[end]
                }
                end += 1
            }
            let tag = bytes[index..<min(end + 1, bytes.count)]
            if !ASCII.contains(String(decoding: tag, as: UTF8.self), LetterMarkup.logoURL) { result += tag }
            index = tag.endIndex
        }
        return String(decoding: result, as: UTF8.self)
    }
}

/// What a provider takes in a body for a place of a template of its own. Somebody's display name must not become one:
/// it would show what the provider knows, or stop the mail.
enum TemplateSyntax: Sendable {
    /// `{{name}}`, `{% if %}`, `{# #}`, `{$name}`.
    case braces
    /// `%recipient.name%`, `%unsubscribe_url%`.
    case percentWords

    private static let words = ["%recipient", "%unsubscribe_url", "%tag_unsubscribe", "%mailing_list_unsubscribe"]

    /// The letter with a space in every such place. No link has one: braces are percent-encoded in it, and none of the
    /// words is a percent escape.
    func disarmed(_ letter: MailMessage) -> MailMessage {
        var letter = letter
        // A character that no header has could hide one until it is taken out.
        letter.from.name = letter.from.name.map { disarmed(HeaderText.cleaned($0)) }
        letter.subject = disarmed(HeaderText.cleaned(letter.subject))
        letter.text = disarmed(letter.text)
        letter.html = disarmed(letter.html)
        return letter
    }

    private func disarmed(_ text: String) -> String {
        let mark = UInt8(ascii: self == .braces ? "{" : "%")
        guard text.utf8.contains(mark) else { return text }
        var result: [UInt8] = []
        var rest = Substring(text).utf8
        while let byte = rest.first {
            result.append(byte)
            if byte == mark, begins(rest) { result.append(0x20) }
            rest.removeFirst()
        }
        return String(decoding: result, as: UTF8.self)
    }

    private func begins(_ rest: Substring.UTF8View) -> Bool {
        switch self {
        case .braces: rest.dropFirst().first.map { "{%#$".utf8.contains($0) } ?? false
        case .percentWords: Self.words.contains { Substring(rest).hasPrefixFoldingASCII($0) }
        }
    }
}

extension ProviderMail {
    /// The name of the outbox's id among what a provider keeps beside a mail and tells in its events.
    static let idName = "homing"

    /// The message as it is, with the outbox's id in its header.
    ///
    /// - Parameter syntax: what the provider would fill in it, if it does.
    func message(disarming syntax: TemplateSyntax? = nil) -> [UInt8] {
        (syntax?.disarmed(letter) ?? letter).bytes()
    }

    /// ``message(disarming:)`` in base64, on one line.
    var messageInBase64: String { Data(message()).base64EncodedString() }

    /// The credentials of most providers.
    var bearer: (name: String, value: String) { ("Authorization", "Bearer \(secret)") }
}

extension ProviderRequest {
    /// A POST of a JSON object; members that are absent are left out.
    init(
        path: String, headers: [(name: String, value: String)] = [], json members: [(String, JSON?)],
        basic: (user: String, password: String)? = nil
    ) {
        self.init(
            path: path, headers: headers, body: JSON.object(members).write(pretty: false), basic: basic)
    }
}

extension ProviderAnswer {
    /// The text or the whole number that is reached by these members; `0` is an array's first element.
    func id(at path: String...) -> String? {
        var value = json
        for step in path {
            value = ASCII.areEqual(step, "0") ? value?.arrayValue?.first : value?.objectValue?[step]
        }
        let id = value?.stringValue ?? value?.integerValue.map { String($0) }
        return id?.isEmpty == false ? id : nil
    }

    /// The value of a field of the head; nil where there is none, or an empty one.
    func id(inHeader name: String) -> String? {
        headers[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
