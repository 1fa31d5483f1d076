// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
package import HomingWire

/// Everything of a short link that can be changed. Its ending stays.
package struct LinkContent: Sendable, Equatable {
    /// The parameters of the long link; `link` in them is the target.
    package var parameters: DynamicLinkParameters
    /// What the link is called in lists; nil for links that apps make.
    package var name: String?
    package var details: LinkDetails

    package init(_ parameters: DynamicLinkParameters, name: String? = nil, details: LinkDetails = LinkDetails()) {
        self.parameters = parameters
        self.name = name
        self.details = details
    }

    package static func == (one: LinkContent, other: LinkContent) -> Bool {
        one.stored.utf8.elementsEqual(other.stored.utf8)
    }
}

/// What a short link has besides the parameters of its long link; a plain one has none of it.
package struct LinkDetails: Sendable, Equatable {
    /// Sorted, each once (``setTags(_:)``).
    package var tags: [String] = []
    /// Where browsers go whose visitor speaks one of these languages, in the place of `link`. In the order of their
    /// tags.
    package var languageLinks: [LanguageLink] = []
    /// Until then nobody finds the link.
    package var startsAt: Moment?
    /// From then on the link leads to ``afterEnd``.
    package var endsAt: Moment?
    /// After so many clicks of people it does, too.
    package var maxClicks: Int64?
    /// Where a link leads that has ended; nil for a page of ours that says so.
    package var afterEnd: String? { didSet { afterEnd = afterEnd.map(BrowserSpelling.spelled) } }
    package var isOn = true

    package init() {}

    /// A target for visitors of one language.
    package struct LanguageLink: Sendable, Equatable {
        /// Of BCP 47, in its usual spelling.
        package let tag: String
        package let link: String

        package init(tag: String, link: String) {
            self.tag = tag
            self.link = BrowserSpelling.spelled(link)
        }
    }

    package static let mostTags = 20
    package static let longestTag = 50
    package static let mostLanguageLinks = 50
    /// The bytes of all of it in the database.
    package static let longestStored = 16_384

    /// Whether a tag has 1 to 50 characters, and neither a comma nor one that controls.
    package static func isTag(_ text: String) -> Bool {
        (1...longestTag).contains(text.unicodeScalars.count) && TerminalText.isName(text)
            && !text.utf8.contains(UInt8(ascii: ","))
    }

    /// Takes tags in any order, with spaces around them; one that stands there twice counts once.
    package mutating func setTags(_ texts: some Sequence<String>) {
        let trimmed = texts.map { String(ASCII.trimmed($0)) }
        var seen: Set<[UInt8]> = []
        tags = trimmed.filter { seen.insert(Array($0.utf8)).inserted }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Takes targets by language; of two for one tag the later.
    package mutating func setLanguageLinks(_ links: [LanguageLink]) {
        var byTag: [String: LanguageLink] = [:]
        for link in links { byTag[link.tag] = link }
        languageLinks = byTag.values.sorted { $0.tag.utf8.lexicographicallyPrecedes($1.tag.utf8) }
    }

    /// The target for a language, by the lookup of RFC 4647, section 3.4: its tag is shortened from the end until a target
    /// has it, and a subtag of one character goes with what it introduced.
    package func link(lookingUp subtags: [String]) -> String? {
        var subtags = subtags[...]
        while !subtags.isEmpty {
            let tag = subtags.joined(separator: "-")
            if let found = languageLinks.first(where: { ASCII.areEqual($0.tag, tag) }) { return found.link }
            subtags.removeLast()
            while subtags.last?.utf8.count == 1 { subtags.removeLast() }
        }
        return nil
    }

    package static func == (one: LinkDetails, other: LinkDetails) -> Bool {
        (one.stored ?? "").utf8.elementsEqual((other.stored ?? "").utf8)
    }
}

/// The state of a short link, as lists say it. An archived link leads where it led.
package enum LinkState: String, Sendable, CaseIterable {
    case active = "ACTIVE"
    case disabled = "DISABLED"
    case archived = "ARCHIVED"
    case ended = "ENDED"
    case deleted = "DELETED"

    /// - Parameter name: any text, compared by its bytes.
    package init?(named name: String) {
        guard let state = Self.allCases.first(where: { ASCII.areEqual($0.rawValue, name) }) else { return nil }
        self = state
    }
}

extension LinkDetails {
    /// The first state that holds: deleted, disabled, ended, archived, active. One that has not begun is active.
    package func state(at now: Moment, clicks: Int64, isDeleted: Bool, isArchived: Bool) -> LinkState {
        if isDeleted { return .deleted }
        if !isOn { return .disabled }
        if endsAt.map({ $0 <= now }) ?? false || maxClicks.map({ $0 <= clicks }) ?? false { return .ended }
        return isArchived ? .archived : .active
    }

    /// Whether the link is opened without a look at any of it. Tags are for lists alone.
    package var isPlain: Bool {
        isOn && startsAt == nil && endsAt == nil && maxClicks == nil && languageLinks.isEmpty
    }

    package func hasBegun(at now: Moment) -> Bool { startsAt.map { $0 <= now } ?? true }
}

// MARK: What has changed

extension LinkContent {
    /// The same with tags and languages in their order.
    package var tidied: LinkContent {
        var content = self
        content.details.setTags(details.tags)
        content.details.setLanguageLinks(details.languageLinks)
        return content
    }

    /// Whether no visitor can get anywhere else than by another content.
    package func hasTargets(of other: LinkContent) -> Bool {
        parameters.query.utf8.elementsEqual(other.parameters.query.utf8)
            && details.languageLinks == other.details.languageLinks && details.afterEnd == other.details.afterEnd
    }

    /// What is not the same as before, by the names of members and of a long link's parameters, for the audit log: as it
    /// was, and as it is.
    package func difference(from before: LinkContent) -> (before: String?, after: String?) {
        let (old, new) = (before.members, members)
        func lines(_ members: [(name: String, value: String)], without others: [(name: String, value: String)])
            -> String?
        {
            let lines = members.filter { member in
                !others.contains { $0.name == member.name && $0.value.utf8.elementsEqual(member.value.utf8) }
            }.map { "\($0.name)=\(SecretMask.masked($0.value))" }
            return lines.isEmpty ? nil : lines.joined(separator: "; ")
        }
        return (lines(old, without: new), lines(new, without: old))
    }

    private var members: [(name: String, value: String)] {
        var members: [(name: String, value: String)] = [("link", parameters.link)]
        for parameter in DynamicLinkParameter.allCases.dropFirst() {
            if let value = parameters[parameter] { members.append((parameter.rawValue, value)) }
        }
        if let name { members.append(("title", name)) }
        if !details.tags.isEmpty { members.append(("tags", details.tags.joined(separator: ","))) }
        members += details.languageLinks.map { ("languageLinks.\($0.tag)", $0.link) }
        if let startsAt = details.startsAt { members.append(("startsAt", startsAt.timestamp)) }
        if let endsAt = details.endsAt { members.append(("endsAt", endsAt.timestamp)) }
        if let maxClicks = details.maxClicks { members.append(("maxClicks", String(maxClicks))) }
        if let afterEnd = details.afterEnd { members.append(("afterEnd", afterEnd)) }
        if !details.isOn { members.append(("isOn", "false")) }
        return members
    }
}

// MARK: In the database

extension LinkDetails {
    /// The text of a row; nil for a plain link.
    package var stored: String? {
        var members: [(String, JSON)] = []
        if !tags.isEmpty { members.append(("tags", .array(tags.map { .string($0) }))) }
        if !languageLinks.isEmpty {
            members.append(
                ("languageLinks", .object(JSON.Object(languageLinks.map { ($0.tag, .string($0.link)) }))))
        }
        if let startsAt { members.append(("startsAt", .int(startsAt.milliseconds))) }
        if let endsAt { members.append(("endsAt", .int(endsAt.milliseconds))) }
        if let maxClicks { members.append(("maxClicks", .int(maxClicks))) }
        if let afterEnd { members.append(("afterEnd", .string(afterEnd))) }
        if !isOn { members.append(("isOn", .bool(false))) }
        return members.isEmpty ? nil : JSON.Object(members).stored
    }

    /// - Throws: ``JSONFault`` when the text is no object.
    package init(stored text: String?) throws(JSONFault) {
        guard let text else { return }
        let object = try JSON.Object(stored: text)
        tags = object["tags"]?.arrayValue?.compactMap(\.stringValue) ?? []
        languageLinks =
            object["languageLinks"]?.objectValue?.members.compactMap { member in
                member.value.stringValue.map { LanguageLink(tag: member.key, link: $0) }
            } ?? []
        startsAt = object["startsAt"]?.integerValue.map { Moment(milliseconds: $0) }
        endsAt = object["endsAt"]?.integerValue.map { Moment(milliseconds: $0) }
        maxClicks = object["maxClicks"]?.integerValue
        afterEnd = object["afterEnd"]?.stringValue
        isOn = object["isOn"]?.boolValue ?? true
    }
}

extension LinkContent {
    /// The text of a version that was replaced.
    package var stored: String {
        var members: [(String, JSON)] = [("query", .string(parameters.query))]
        if let name { members.append(("name", .string(name))) }
        if let details = details.stored { members.append(("details", .string(details))) }
        return JSON.Object(members).stored
    }

    /// - Throws: what ``DynamicLinkParameters/init(query:)`` and ``JSON`` throw for a text that is none of ours.
    package init(stored text: String) throws {
        let object = try JSON.Object(stored: text)
        self.init(
            try DynamicLinkParameters(query: object["query"]?.stringValue ?? ""), name: object["name"]?.stringValue,
            details: try LinkDetails(stored: object["details"]?.stringValue))
    }
}
