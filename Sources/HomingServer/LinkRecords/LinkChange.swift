// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingShortLinks
import HomingStore
import HomingTexts
import HomingWire

/// What the record of a link in a request changes: what its mask names, or what it has where there is no mask.
struct LinkChange: Sendable {
    /// The version that the request's author has seen; nil where the request does not say.
    let seen: Int64?
    private let body: Fields
    private let paths: [[String]]
    private let state: LinkState?

    /// - Parameter mask: `updateMask`, paths with commas between them.
    init(_ body: Fields, mask: String = "") throws(Refusal) {
        self.body = body
        paths = try Self.paths(mask)
        seen = try body.integer("version")
        let word = try body.text("state")
        state = word.flatMap { LinkState(named: $0) }
        guard word == nil || state != nil else { throw Self.unknownState }
        if state == .ended || state == .deleted, isMeant("state") {
            throw .invalidArgument(
                "state is set to ACTIVE, DISABLED or ARCHIVED: a link ends by endsAt or maxClicks, and DELETE deletes it"
            )
        }
    }

    static let unknownState = Refusal.invalidArgument(
        "state is \(LinkState.allCases.map(\.rawValue).joined(separator: ", "))")

    /// Whether the link is to be archived, or listed; nil where the request does not say.
    var archives: Bool? {
        guard isMeant("state", or: true) else { return nil }
        return switch state {
        case .archived: true
        case .active: false
        case .disabled, .ended, .deleted, nil: nil
        }
    }

    /// Refuses a state that no link begins in.
    func refuseForNew() throws(Refusal) {
        switch state {
        case .active, .disabled, nil: break
        case .archived, .ended, .deleted: throw .invalidArgument("state of a new link is ACTIVE or DISABLED")
        }
    }

    /// Changes a link's content; rules are checked by whoever keeps it.
    func apply(to content: inout LinkContent, on domain: LinkDomain) throws {
        if try isMeant("title", body.value("title")) { content.name = try body.text("title") }
        if try isMeant("tags", body.value("tags")) { content.details.setTags(try body.strings("tags")) }
        if try isMeant("languageLinks", body.value("languageLinks")) {
            content.details.setLanguageLinks(try languageLinks())
        }
        if try isMeant("startsAt", body.value("startsAt")) { content.details.startsAt = try moment("startsAt") }
        if try isMeant("endsAt", body.value("endsAt")) { content.details.endsAt = try moment("endsAt") }
        if try isMeant("maxClicks", body.value("maxClicks")) {
            content.details.maxClicks = try body.integer("maxClicks")
        }
        if try isMeant("afterEnd", body.value("afterEnd")) { content.details.afterEnd = try body.text("afterEnd") }
        if isMeant("state", or: true) {
            switch state {
            case .active, .archived: content.details.isOn = true
            case .disabled: content.details.isOn = false
            case .ended, .deleted, nil: break
            }
        }
        try changeParameters(of: &content, on: domain)
    }

    private func changeParameters(of content: inout LinkContent, on domain: LinkDomain) throws {
        let name = "dynamicLinkInfo"
        // Refuses another type, by its name.
        let given = try body.object(name) == nil ? nil : try body.value(name)?.objectValue
        guard given != nil || paths.contains(where: { $0.first == name || $0 == ["*"] }) else { return }
        let old = content.parameters.info(on: domain).objectValue ?? JSON.Object()
        let info = try merged(old, given ?? JSON.Object(), .dynamicLinkInfo, at: [name])
        content.parameters = try DynamicLinkInfo.parameters(Fields(info))
    }

    /// An object with the members of another one that are meant in their place.
    private func merged(
        _ old: JSON.Object, _ given: JSON.Object, _ shape: Shape, at path: [String]
    ) throws(Refusal) -> JSON.Object {
        var merged = old
        for member in shape.members {
            let path = path + [member.name]
            var value = try Fields(given).value(member.name)
            if let shape = member.shape {
                if let other = value, other.objectValue == nil {
                    throw .invalidType(member: path.joined(separator: "/"), "object")
                }
                let inner = try self.merged(
                    old[member.name]?.objectValue ?? JSON.Object(), value?.objectValue ?? JSON.Object(), shape,
                    at: path)
                value = inner.members.isEmpty ? nil : .object(inner)
            } else if !isMeant(path, value) {
                continue
            }
            merged[member.name] = value
        }
        return merged
    }

    private func languageLinks() throws(Refusal) -> [LinkDetails.LanguageLink] {
        let name = "languageLinks"
        guard let value = try body.value(name) else { return [] }
        guard let object = value.objectValue else { throw .invalidType(member: name, "object") }
        var links: [LinkDetails.LanguageLink] = []
        for member in object.members {
            guard let tag = LanguageTag(parsing: member.key), let link = member.value.stringValue else {
                throw .invalidArgument("languageLinks has a URL for each language, as in {\"de\": \"https://…\"}")
            }
            links.append(LinkDetails.LanguageLink(tag: tag.text, link: link))
        }
        return links
    }

    private func moment(_ name: String) throws(Refusal) -> Moment? {
        guard let text = try body.text(name) else { return nil }
        guard let moment = Moment(reading: text) else {
            throw .invalidArgument("\(name) is a time, as 2026-12-24T18:00:00Z")
        }
        return moment
    }

    // MARK: The mask

    private func isMeant(_ name: String, _ value: JSON?) -> Bool { isMeant([name], value) }

    private func isMeant(_ path: [String], _ value: JSON?) -> Bool {
        paths.isEmpty ? value != nil : ConfigMember.isNamed(path, by: paths)
    }

    /// - Parameter isAll: what holds without a mask.
    private func isMeant(_ name: String, or isAll: Bool = false) -> Bool {
        paths.isEmpty ? isAll : ConfigMember.isNamed([name], by: paths)
    }

    private static func paths(_ mask: String) throws(Refusal) -> [[String]] {
        var paths: [[String]] = []
        for path in mask.split(separator: ",") {
            let names = ASCII.split(ASCII.trimmed(path), at: UInt8(ascii: ".")).map {
                ConfigMember.camelCase(String($0))
            }
            guard names == ["*"] || isChangeable(names) else {
                throw .invalidArgument(
                    "updateMask names \(Printable.given(String(path))), which is not changed here; what is changed: "
                        + Shape.changedLink.members.map(\.name).joined(separator: ", "))
            }
            paths.append(names)
        }
        return paths
    }

    private static func isChangeable(_ names: [String]) -> Bool {
        var shape: Shape? = .changedLink
        for name in names {
            guard let member = shape?[name] else { return false }
            shape = member.shape
        }
        return !names.isEmpty
    }
}
