// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore
package import HomingTexts
import HomingWire

/// What a project says in its own words in one kind of mail and one language. What is absent is said in ours.
package struct MailTemplate: Sendable, Equatable {
    package enum Field: String, Sendable, CaseIterable {
        case senderName
        /// The part of the sender's address before the `@`. The domain is the server's, so that no template can use a
        /// name that the relay may not sign.
        case senderLocalPart
        case replyTo
        case subject
        case text
        case html

        /// In bytes.
        package var longest: Int {
            switch self {
            case .senderName: 100
            case .senderLocalPart: 64
            case .replyTo: 254
            case .subject: 200
            case .text, .html: 64 << 10
            }
        }
    }

    private var values: [Field: String] = [:]

    package init() {}

    /// An empty value is no value: what it would say is said in our words.
    package subscript(field: Field) -> String? {
        get { values[field] }
        set { values[field] = newValue.flatMap { $0.isEmpty ? nil : $0 } }
    }

    package var isEmpty: Bool { values.isEmpty }

    // MARK: What is taken

    /// Everything that stands against the template, at most one fault for each field.
    package func faults(for kind: MailKind, in language: String) -> [TemplateFault] {
        var faults: [TemplateFault] = []
        for field in Field.allCases {
            guard let value = self[field] else { continue }
            do {
                try Self.check(value, field, kind)
            } catch {
                faults.append(error)
            }
        }
        // Half a mail in words of the project's own would have its other half in another language.
        let (hasSubject, hasBody) = (self[.subject] != nil, self[.text] != nil || self[.html] != nil)
        if Language(tag: language) == nil, hasSubject != hasBody {
            faults.append(
                TemplateFault(
                    hasSubject ? .text : .subject, .incomplete,
                    "there are no texts of ours in \(language): the template needs its own"))
        }
        return faults
    }

    /// What is taken as it is, and worth knowing to a project.
    package func notes(for kind: MailKind, in settings: ProjectSettings) -> [String] {
        guard kind.canBeBound else { return [] }
        func lacking(_ name: Placeholders.Name) -> String? {
            let fields = [Field.text, .html].filter { field in
                self[field].map { value in
                    !Placeholders.names(in: value).contains { ASCII.areEqual($0, name.rawValue) }
                } ?? false
            }
            return fields.isEmpty ? nil : fields.map(\.rawValue).joined(separator: " and ")
        }
        return [
            lacking(.code).map {
                "\($0) without %CODE%: people whose mail is on another screen have no code to type, and use the link"
            },
            kind.showsNumber(in: settings)
                ? lacking(.number).map {
                    "\($0) without %NUMBER%: the page asks for it, so Homing writes a sentence with it at the end"
                } : nil,
        ].compactMap(\.self)
    }

    private static func check(_ value: String, _ field: Field, _ kind: MailKind) throws(TemplateFault) {
        guard value.utf8.count <= field.longest else {
            throw TemplateFault(field, .tooLong, "it has \(value.utf8.count) bytes; at most \(field.longest) are taken")
        }
        switch field {
        case .senderLocalPart:
            guard (try? EmailAddress(parsing: "\(value)@localhost")) != nil else {
                throw TemplateFault(
                    field, .address, "letters, digits, dots and hyphens can stand before the @, and \(value) cannot")
            }
        case .replyTo:
            guard (try? EmailAddress(parsing: value)) != nil else {
                throw TemplateFault(
                    field, .address, "an email address looks like help@example.com, and \(value) does not")
            }
        case .senderName, .subject:
            guard !value.unicodeScalars.contains(where: TerminalText.breaksOrTurns) else {
                throw TemplateFault(field, .lineBreak, "it is one line without control characters")
            }
            try checkPlaceholders(value, field, kind)
        case .text:
            guard value.utf8.allSatisfy({ !ASCII.isControl($0) || [0x09, 0x0A, 0x0D].contains($0) }) else {
                throw TemplateFault(field, .lineBreak, "it holds control characters other than tabs and line breaks")
            }
            try checkPlaceholders(value, field, kind)
            guard value.contains(Placeholders.Name.link.spelling) else {
                throw noLink(field, kind, "a line of its own")
            }
            if let line = LinkNeighbours.lineOfBoundLink(in: value) {
                throw TemplateFault(field, .misplacedPlaceholder, "line \(line): \(LinkNeighbours.advice)")
            }
        case .html:
            let markup: LetterMarkup
            do {
                markup = try LetterMarkup(checking: value)
            } catch {
                throw TemplateFault(field, TemplateFault.Reason(error.reason), "line \(error.line): \(error.sentence)")
            }
            try checkPlaceholders(value, field, kind)
            guard markup.hasLink else { throw noLink(field, kind, "<a href=\"%LINK%\">") }
        }
    }

    private static func noLink(_ field: Field, _ kind: MailKind, _ where: String) -> TemplateFault {
        TemplateFault(field, .noLink, "\(kind.rawValue) is mailed for its link: write %LINK%, in \(`where`)")
    }

    private static func checkPlaceholders(_ value: String, _ field: Field, _ kind: MailKind) throws(TemplateFault) {
        let names = kind.placeholders(in: field).map(\.rawValue)
        guard
            let stranger = Placeholders.names(in: value).first(where: { name in
                !names.contains { ASCII.areEqual($0, name) }
            })
        else { return }
        let known = names.map { "%\($0)%" }.joined(separator: ", ")
        throw TemplateFault(
            field, .unknownPlaceholder, "there is no %\(stranger)% here; there are: \(known)")
    }
}

/// Why a field of a template is not taken.
package struct TemplateFault: Error, Sendable, Equatable {
    package enum Reason: String, Sendable, CaseIterable {
        case noLink = "NO_LINK"
        case unknownPlaceholder = "UNKNOWN_PLACEHOLDER"
        case misplacedPlaceholder = "MISPLACED_PLACEHOLDER"
        case tooLong = "TOO_LONG"
        case lineBreak = "LINE_BREAK"
        case address = "INVALID_ADDRESS"
        case incomplete = "INCOMPLETE"
        case malformed = "MALFORMED"
        case script = "SCRIPT"
        case form = "FORM"
        case remoteContent = "REMOTE_CONTENT"
        case unsafeLink = "UNSAFE_LINK"
        case element = "ELEMENT"
        case attribute = "ATTRIBUTE"
        case style = "STYLE"

        package init(_ reason: MarkupFault.Reason) {
            self =
                switch reason {
                case .malformed: .malformed
                case .script: .script
                case .form: .form
                case .remote: .remoteContent
                case .link: .unsafeLink
                case .element: .element
                case .attribute: .attribute
                case .style: .style
                case .placeholder: .misplacedPlaceholder
                }
        }
    }

    package let field: MailTemplate.Field
    package let reason: Reason
    /// What is wrong and what to do, for the person who wrote the template.
    package let sentence: String

    /// Field, reason and sentence.
    package var line: String { "\(field.rawValue) \(reason.rawValue): \(sentence)" }

    package init(_ field: MailTemplate.Field, _ reason: Reason, _ sentence: String) {
        self.field = field
        self.reason = reason
        self.sentence = sentence
    }
}

extension MailKind {
    /// The kinds that a project can write a template for: all but a test and what operators get.
    package static let withTemplates = allCases.filter { $0 != .test && !$0.isForOperator }

    /// The placeholders that a field of the kind's templates can name.
    package func placeholders(in field: MailTemplate.Field) -> [Placeholders.Name] {
        switch field {
        case .senderName: [.appName]
        case .senderLocalPart, .replyTo: []
        case .subject: placeholders.filter { $0 != .link }
        case .text, .html: placeholders
        }
    }

    /// Whether the mail's request can be bound to whoever asked, so that a code stands beside its link.
    package var canBeBound: Bool { codeKind.map(ActionCodeKind.requested.contains) == true }

    /// Whether the page behind the link asks for a number that stands in the mail, where no code does.
    package func showsNumber(in settings: ProjectSettings) -> Bool {
        guard let codeKind, canBeBound else { return false }
        return settings.asksPressNumber(of: codeKind)
    }

    private var placeholders: [Placeholders.Name] {
        guard Self.withTemplates.contains(self) else { return [] }
        return [.link, .email, .appName, .displayName, .time, .clock] + (namesNewAddress ? [.newEmail] : [])
            + (codeKind == nil ? [] : [.lifetime]) + (isNotice ? [.device] : []) + (namesRequest ? [.request] : [])
            + (canBeBound ? [.code, .number, .device, .network] : [])
    }
}

extension MailTemplate {
    /// The JSON that a version's row keeps.
    package var stored: String {
        JSON.Object(Field.allCases.compactMap { field in self[field].map { (field.rawValue, .string($0)) } }).stored
    }

    package init(stored text: String) throws {
        let object = try JSON.Object(stored: text)
        for field in Field.allCases { self[field] = object[field.rawValue]?.stringValue }
    }
}
