// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// A path that the server answers itself, or all paths with the same beginning. A class, because every request goes
/// through the table: a look at an entry counts one reference and not one for each of its texts.
package final class OwnPath: Sendable {
    package enum Listener: Sendable {
        case `public`
        case admin
        case both
    }

    /// The readers of a path's answers, which decide how a refusal looks.
    enum Reader {
        /// People: refusals are pages.
        case people
        /// Programs: refusals are JSON.
        case programs
        /// Programs, among them scripts on pages of other origins: CORS lets them read JSON.
        case scripts
    }

    /// The path's entry in the association files.
    enum Association {
        /// No entry: no app could claim the path, or another entry covers it.
        case none
        /// The path stays in the browser where a link domain is a whole host.
        case excludedOnHosts
        /// The path stays in the browser behind every prefix of a link domain.
        case excludedEverywhere
        /// The path opens the app, behind every prefix of a link domain.
        case claimed
    }

    /// The path with its first slash, in the form of the association files: a `*` at the end stands for everything.
    package let pattern: String
    package let listener: Listener
    let reader: Reader
    let association: Association

    private init(
        _ pattern: String, on listener: Listener = .public, for reader: Reader = .people, _ association: Association
    ) {
        self.pattern = pattern
        self.listener = listener
        self.reader = reader
        self.association = association
        isPrefix = pattern.utf8.last == UInt8(ascii: "*")
        stem = Array(isPrefix ? pattern.utf8.dropLast() : pattern.utf8[...])
        firstSegment = String(decoding: stem.dropFirst().prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
    }

    private let isPrefix: Bool
    /// The pattern without its `*`.
    private let stem: [UInt8]
    private let firstSegment: String

    package func covers(_ path: String) -> Bool {
        isPrefix ? path.utf8.starts(with: stem) : path.utf8.elementsEqual(stem)
    }

    // MARK: The table

    /// Firebase's hosts, which stand in front of the path where clients are pointed at an emulator.
    package static let identityToolkit = "/identitytoolkit.googleapis.com"
    package static let googleAPIs = "/www.googleapis.com"
    package static let secureToken = "/securetoken.googleapis.com"
    package static let dynamicLinks = "/firebasedynamiclinks.googleapis.com"
    package static let oauth2 = "/oauth2.googleapis.com"

    /// All paths. The association files keep this order, in which the first pattern that matches decides.
    package static let all = [
        // The action page must open in the browser when somebody asks for the browser.
        OwnPath("/__/auth/links*", .claimed),
        OwnPath("/__/auth/action*", .excludedEverywhere),
        // A module for pages of other origins.
        OwnPath("/__/homing/*", for: .scripts, .none),
        OwnPath("/__/*", .excludedEverywhere),
        OwnPath("/_/*", .excludedEverywhere),
        OwnPath("/.well-known/jwks.json*", for: .scripts, .none),
        OwnPath("/.well-known/acme-challenge/*", for: .programs, .none),
        OwnPath("/.well-known/*", .excludedOnHosts),
        OwnPath("/apple-app-site-association", .excludedOnHosts),
        OwnPath("/healthz", on: .both, .excludedOnHosts),
        OwnPath("/readyz", .excludedOnHosts),
        OwnPath("/favicon.ico", on: .both, .excludedOnHosts),
        OwnPath("/robots.txt", .excludedOnHosts),
        // A call of the API opens nobody's app.
        OwnPath("/v1/*", on: .both, for: .scripts, .excludedOnHosts),
        OwnPath("/v2/*", on: .both, for: .scripts, .excludedOnHosts),
        OwnPath("\(identityToolkit)/*", on: .both, for: .scripts, .excludedOnHosts),
        OwnPath("\(googleAPIs)/*", on: .both, for: .scripts, .excludedOnHosts),
        OwnPath("\(secureToken)/*", for: .scripts, .excludedOnHosts),
        OwnPath("\(dynamicLinks)/*", on: .both, for: .programs, .excludedOnHosts),
        OwnPath("/admin/v2/*", on: .admin, for: .programs, .none),
        OwnPath("/console*", on: .admin, .none),
        OwnPath("/enter", on: .admin, .none),
        OwnPath("/mail/bounces", on: .admin, for: .programs, .none),
        OwnPath("/mailbox*", on: .admin, .none),
        OwnPath("/sign-out", on: .admin, .none),
        OwnPath("/token", on: .admin, for: .programs, .none),
        OwnPath("\(oauth2)/token", on: .admin, for: .programs, .none),
        OwnPath("/openapi.json", on: .admin, for: .programs, .none),
        OwnPath("/metrics", on: .admin, for: .programs, .none),
    ]

    // MARK: Lookups

    /// Whether scripts of other origins may call a path: Identity Toolkit and what belongs to it.
    package static func answersScripts(_ path: String) -> Bool {
        forScripts.contains { $0.covers(path) } || isDiscovery(path)
    }

    /// Whether a path is that of an OpenID Connect discovery document, or of the keys that it names: both stand behind
    /// a project's id and so have no first segment of their own.
    package static func isDiscovery(_ path: String) -> Bool {
        discovery.contains { end in
            path.utf8.count > end.count + 1 && path.utf8.suffix(end.count).elementsEqual(end)
        }
    }

    private static let discovery = ["openid-configuration", "jwks.json"].map { Array("/.well-known/\($0)".utf8) }

    /// Whether a path of the public listener answers JSON, whatever happens.
    package static func answersPrograms(_ path: String) -> Bool {
        forPrograms.contains { $0.covers(path) } || isDiscovery(path)
    }

    /// Whether a path is the server's own on every host that it answers, link domains with prefixes included.
    package static func isOnEveryHost(_ path: String) -> Bool { onEveryHost.contains { $0.covers(path) } }

    /// The paths that open the app behind every prefix of a link domain.
    package static let claimed = all.filter { $0.association == .claimed }

    /// The paths that stay in the browser on a link domain, behind its prefix.
    package static func excluded(isWholeHost: Bool) -> [OwnPath] {
        isWholeHost
            ? all.filter { $0.association == .excludedEverywhere || $0.association == .excludedOnHosts } : onEveryHost
    }

    /// Whether a segment, without slashes, is the first one of a path of the public listener, in any case of ASCII
    /// letters: no link domain's prefix and no short link may take it.
    package static func reserves(_ segment: Substring) -> Bool {
        let length = segment.utf8.count
        return reservedSegments.contains { reserved in
            reserved.utf8.count == length
                && segment.utf8.elementsEqual(reserved.utf8) { ASCII.folded($0) == $1 }
        }
    }

    /// The first segments of all paths of the public listener.
    package static let reservedSegments = all.reduce(into: [String]()) { segments, path in
        guard path.listener != .admin, !segments.contains(path.firstSegment) else { return }
        segments.append(path.firstSegment)
    }

    // Every request needs these lists, so each one is computed once.
    private static let forScripts = all.filter { $0.reader == .scripts }
    private static let forPrograms = all.filter { $0.reader != .people && $0.listener != .admin }
    private static let onEveryHost = all.filter { $0.association == .excludedEverywhere }
}
