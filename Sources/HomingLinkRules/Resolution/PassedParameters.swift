// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore
import HomingWire

/// The parameters behind a short link that are handed on to where it leads, in the app and on the web.
///
/// Whoever writes a link's query is a stranger: what is handed on goes into the query of a target and nowhere else, never
/// in the place of what the target has itself, and never to a target with a code.
package struct PassedParameters: Sendable, Equatable {
    private struct Parameter: Equatable {
        let name: String
        let value: String
        /// As it came, so that a `+` stays a `+`; nothing in it ends a parameter or a URL.
        let piece: String
    }

    private let parameters: [Parameter]

    package static let none = PassedParameters()

    private init() { parameters = [] }

    /// - Parameter all: whether others than those that name a campaign and a click are handed on, too.
    package init(behind query: String, all: Bool) {
        guard all || Self.mayName(query) else {
            self = .none
            return
        }
        var taken: [Parameter] = []
        var length = 0
        for piece in ASCII.split(query, at: UInt8(ascii: "&")) where taken.count < Self.most {
            guard let parameter = Self.parameter(piece, all: all), length + parameter.piece.utf8.count <= Self.longest,
                !Self.isKnown(parameter.name) || !taken.contains(where: { ASCII.areEqual($0.name, parameter.name) })
            else { continue }
            length += parameter.piece.utf8.count
            taken.append(parameter)
        }
        parameters = taken
    }

    /// The value of a parameter; nil where none of this name is handed on.
    package subscript(name: String) -> String? {
        parameters.first { ASCII.areEqual($0.name, name) }?.value
    }

    /// Those that name a campaign and a click, as they came.
    var campaign: [(name: String, piece: String)] {
        parameters.filter { Self.isKnown($0.name) }.map { ($0.name, $0.piece) }
    }

    /// A URL with these parameters at the end of its query, but for those of which it has one itself, in whatever case.
    /// A query that cannot be read in one way stays as it is.
    func added(to url: String) -> String {
        guard !parameters.isEmpty, let query = QueryString(parsing: ActionHandler.query(of: url) ?? "") else {
            return url
        }
        let own = query.parameters.map { ASCII.lowercased($0.name) }
        let new = parameters.filter { parameter in
            let name = ASCII.lowercased(parameter.name)
            return !own.contains { ASCII.areEqual($0, name) }
        }
        return new.isEmpty ? url : QueryString.adding(pieces: new.map(\.piece), to: url)
    }

    // MARK: What is taken

    private static let most = 30
    private static let longest = 2_048
    private static let longestName = 64
    private static let longestValue = 512

    private static let clickIDs = ["gclid", "gbraid", "wbraid", "fbclid", "msclkid", "ttclid"]
    private static let campaignPrefix = "utm_"

    /// What would make another thing of a URL: the parameters of our own links.
    private static let ours = ["d", "link", "deep_link_id", "oobcode", "apikey", "continueurl"]

    /// Whether a parameter says who has brought a visitor, and not where to.
    static func isKnown(_ name: String) -> Bool {
        name.utf8.starts(with: campaignPrefix.utf8) || clickIDs.contains { ASCII.areEqual($0, name) }
    }

    /// Whether any of the known names can be in a query: most have none.
    private static func mayName(_ query: String) -> Bool {
        ASCII.contains(query, campaignPrefix) || ASCII.contains(query, "clid") || ASCII.contains(query, "braid")
            || ASCII.contains(query, "msclkid")
    }

    private static func parameter(_ piece: Substring, all: Bool) -> Parameter? {
        guard let pair = QueryString(parsing: piece)?.parameters.first else { return nil }
        let (name, value) = (pair.name, pair.value)
        guard all || isKnown(name), (1...longestName).contains(name.utf8.count), value.utf8.count <= longestValue,
            !isKnown(name) || !value.utf8.isEmpty, TerminalText.isOneLine(name), TerminalText.isOneLine(value),
            name.utf8.first != UInt8(ascii: "_")
        else { return nil }
        let folded = ASCII.lowercased(name)
        guard !ours.contains(where: { ASCII.areEqual($0, folded) }) else { return nil }
        return Parameter(name: name, value: value, piece: LinkResolution.contained(piece))
    }
}
