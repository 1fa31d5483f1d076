// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingWire

/// An action link as it reaches an app: the mailed one, one that a link domain or a custom scheme has wrapped, or one
/// that a mail scanner has wrapped again.
public struct ActionCodeURL: Sendable, Equatable {
    /// The project's key.
    public let apiKey: String?
    /// What the link does.
    public let operation: ActionCodeOperation
    /// The code, for ``Auth/applyActionCode(_:)-(String)`` and its like.
    public let code: String?
    /// Where the person wants to go when the action is done: the ``ActionCodeSettings/url`` of the request.
    ///
    /// Whoever can send a link can name any page here: go only to places of your own. Nil when there is none, or none
    /// that is http or https on a plain host.
    ///
    /// When the web page is to act first and an app was named, the mail has a link to that app around it;
    /// ``Auth/handle(_:)`` takes that off, ``init(link:)`` does not know whose it is.
    public let continueURL: URL?
    /// The language of the mail, a BCP 47 tag.
    public let languageCode: String?
    /// The tenant whose account the code is about; nil for one of the project itself.
    public let tenantID: String?

    /// Reads a link.
    ///
    /// Wrappers that it looks into: `/__/auth/links?link=` and `?link=` of link domains, `deep_link_id` of custom
    /// schemes, and the scanners Microsoft Safe Links, Proofpoint, Barracuda and Cisco and Google's mail; six layers at
    /// most. A link that can be read in two ways is refused.
    ///
    /// - Returns: nil for every link that is not an action link: without a key, a code and a known mode, cut short,
    ///   with a parameter twice, or wrapped in something else.
    public init?(link: String) {
        guard case .action(let action) = IncomingAction(link) else { return nil }
        self.init(action)
    }

    init(_ action: ActionLink) {
        self.init(action, continueURL: action.continueURL.flatMap(URL.init(destination:)))
    }

    init(_ action: ActionLink, continueURL: URL?) {
        apiKey = action.apiKey
        operation = ActionCodeOperation(action.mode)
        code = action.code
        self.continueURL = continueURL
        languageCode = action.language
        tenantID = action.tenantID
    }
}

extension ActionCodeURL: CustomStringConvertible, CustomReflectable {
    /// What the link does, and neither code nor page: what is printed ends up in logs.
    public var description: String { "ActionCodeURL(operation: \(operation))" }

    /// The same for `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["operation": operation]) }
}

extension URL {
    /// A page that somebody may be led to; nil for other schemes, and for hosts that readers read differently.
    init?(destination: String) {
        guard IncomingAction.isWebURL(destination) else { return nil }
        // Browsers leave these as they are in a query. Foundation's URLs hold none of them: systems before iOS 17 take
        // no text that has one, later ones encode it themselves.
        let kept = "{}|^`".utf8
        guard destination.utf8.contains(where: { kept.contains($0) }) else {
            self.init(string: destination)
            return
        }
        let spelled = destination.unicodeScalars.map { scalar in
            let isKept = kept.contains { $0 == scalar.value }
            return isKept ? "%\(String(scalar.value, radix: 16, uppercase: true))" : String(scalar)
        }
        self.init(string: spelled.joined())
    }
}
