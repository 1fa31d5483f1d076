// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingShortLinks
import HomingStore
package import HomingWire

/// One link of a file. Its texts are unchecked.
package struct LinkFileRow: Sendable, Equatable {
    /// The line of the file on which the row begins, from 1.
    package let line: Int
    /// The short link in the file, host and suffix; empty where the file has none, and it may be anything else.
    package let shortLink: String
    /// The suffix alone, and the domain that it is on, where the file has them.
    package let ending: String?
    package let domain: String?
    /// The parameters of the link; ``DynamicLinkParameters/link`` may be empty.
    package let parameters: DynamicLinkParameters
    /// What it is called in lists; nil for links that an app or a program made.
    package let name: String?
    package let tags: [String]
    /// A target for each language tag.
    package let languageLinks: [LanguageText]
    package let startsAt: Int64?
    package let endsAt: Int64?
    package let maxClicks: Int64?
    package let afterEnd: String?
    /// Whether the link was archived. Such links still led somewhere.
    package let isArchived: Bool
    /// Whether the link leads nowhere, for the time being or for ever.
    package let isOff: Bool
    package let isDeleted: Bool
    /// The time of creation, as the file has it.
    package let createdAt: String
    /// ``createdAt`` in milliseconds since 1970-01-01 UTC; nil where it cannot be understood.
    package let createdAtMilliseconds: Int64?
    /// How often it was clicked until now.
    package let clicks: Int64
    /// Whether nobody got on without a password.
    package let hasPassword: Bool
    /// What the file says in a way that cannot be understood, in words for the operator.
    package let notUnderstood: [String]

    package struct LanguageText: Sendable, Equatable {
        package let tag: String
        package let link: String
    }

    /// Whether the row says nothing at all.
    package var isBlank: Bool {
        shortLink.utf8.isEmpty && ending == nil && parameters.link.utf8.isEmpty && name == nil
    }

    /// ``parameters``, whose URLs have no space around them.
    package var trimmedParameters: DynamicLinkParameters {
        let urls: [DynamicLinkParameter] = [
            .link, .androidFallbackLink, .iosFallbackLink, .ipadFallbackLink, .desktopFallbackLink, .socialImageLink,
        ]
        var parameters = parameters
        for parameter in urls { parameters[parameter] = parameters[parameter].map { String(ASCII.trimmed($0)) } }
        return parameters
    }

    /// No link has so many clicks: a greater number is none.
    private static let mostClicks: Int64 = 1_000_000_000_000

    typealias Values = [LinkFileSource.Field: [String]]

    init(_ values: Values, from source: LinkFileSource, line: Int) throws(LinkFileFault) {
        func text(_ field: LinkFileSource.Field) -> String? {
            values[field]?.first.flatMap { $0.utf8.isEmpty ? nil : $0 }
        }
        /// URLs, numbers and times begin and end with no space.
        func trimmed(_ field: LinkFileSource.Field) -> String? {
            text(field).map { String(ASCII.trimmed($0)) }.flatMap { $0.utf8.isEmpty ? nil : $0 }
        }
        func flag(_ field: LinkFileSource.Field, _ column: String) throws(LinkFileFault) -> Bool {
            guard let isSet = Self.flag(trimmed(field) ?? "") else {
                throw LinkFileFault(.flag(column: column), line: line)
            }
            return isSet
        }
        var notUnderstood: [String] = []
        func time(_ field: LinkFileSource.Field, _ name: String) -> Int64? {
            guard let text = trimmed(field) else { return nil }
            let time = TakeoutTimestamp.milliseconds(text)
            if time == nil { notUnderstood.append(name) }
            return time
        }
        func number(_ field: LinkFileSource.Field, _ name: String) -> Int64? {
            guard let text = trimmed(field) else { return nil }
            // Spreadsheets write 1,234 and 1234.0, and systems -1 or 0 for none.
            let number = Int64(text.utf8.contains(UInt8(ascii: "-")) ? "0" : text)
            guard let number, number <= Self.mostClicks else {
                notUnderstood.append(name)
                return nil
            }
            return number
        }

        var parameters = DynamicLinkParameters(link: "")
        for case (.parameter(let parameter), _) in source.form.names where parameter != .forcesRedirect {
            guard let value = text(.parameter(parameter)) else { continue }
            parameters[parameter] = value
        }
        if parameters.link.utf8.isEmpty {
            parameters.link = source.form.otherTargets.lazy.compactMap { trimmed($0) }.first ?? ""
        }
        parameters.forcesRedirect = try flag(.parameter(.forcesRedirect), "efr")
        let state = trimmed(.state).map { ASCII.lowercased($0) } ?? ""
        isDeleted = ASCII.areEqual(state, "deleted")
        // Some say since when.
        isOff = ASCII.areEqual(state, "disabled") || trimmed(.isOff).map { Self.flag($0) ?? true } ?? false
        isArchived = try flag(.isArchived, "Archived?") || ASCII.areEqual(state, "archived")
        hasPassword = trimmed(.password).map { Self.flag($0) ?? true } ?? false
        self.line = line
        shortLink = text(.customLink) ?? text(.shortLink) ?? ""
        ending = trimmed(.ending)
        domain = trimmed(.domain)
        self.parameters = parameters
        name = text(.name)
        tags = (values[.tags] ?? []).flatMap { ASCII.split($0, at: source.form.tagSeparator) }
            .map { String(ASCII.trimmed($0)) }.filter { !$0.utf8.isEmpty }
        languageLinks = (values[.languageLinks] ?? []).flatMap { ASCII.split($0, at: UInt8(ascii: " ")) }
            .compactMap { pair in
                guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
                return LanguageText(tag: String(pair[..<equals]), link: String(pair[equals...].dropFirst()))
            }
        startsAt = time(.startsAt, "the start")
        endsAt = time(.endsAt, "the end")
        let most = number(.maxClicks, "the greatest number of clicks") ?? 0
        maxClicks = most > 0 ? most : nil
        afterEnd = trimmed(.afterEnd)
        createdAt = text(.createdAt) ?? ""
        createdAtMilliseconds = TakeoutTimestamp.milliseconds(createdAt)
        if !createdAt.utf8.isEmpty, createdAtMilliseconds == nil { notUnderstood.append("the time of creation") }
        clicks = max(number(.clicks, "the number of clicks") ?? 0, 0)
        self.notUnderstood = notUnderstood
    }

    /// The value of a flag; nil for a word that could mean either.
    private static func flag(_ text: String) -> Bool? {
        let word = ASCII.lowercased(text)
        if ["", "0", "false", "no", "n", "off", "null"].contains(where: { ASCII.areEqual($0, word) }) { return false }
        return ["1", "true", "yes", "y", "on"].contains { ASCII.areEqual($0, word) } ? true : nil
    }
}
