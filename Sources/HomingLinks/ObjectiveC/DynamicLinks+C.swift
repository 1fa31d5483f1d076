// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
package import HomingClient
internal import HomingWire

// The default app's links, for FIRDynamicLinks.

@_cdecl("homing_links_matches_scheme")
package func homingLinksMatchesScheme(_ link: UnsafePointer<CChar>?) -> Bool {
    url(link).map { DynamicLinks.dynamicLinks().shouldHandleDynamicLink(fromCustomSchemeURL: $0) } ?? false
}

@_cdecl("homing_links_matches_short")
package func homingLinksMatchesShort(_ link: UnsafePointer<CChar>?) -> Bool {
    url(link).map { DynamicLinks.dynamicLinks().matchesShortLinkFormat($0) } ?? false
}

/// Answers a dynamic link or nothing.
@_cdecl("homing_links_of_scheme")
package func homingLinksOfScheme(_ link: UnsafePointer<CChar>?) -> UnsafeMutableRawPointer? {
    url(link).flatMap { DynamicLinks.dynamicLinks().dynamicLink(fromCustomSchemeURL: $0) }.map { retained(Box($0)) }
}

/// Answers a dynamic link or nothing.
@_cdecl("homing_links_of_universal")
package func homingLinksOfUniversal(_ link: UnsafePointer<CChar>?) -> UnsafeMutableRawPointer? {
    let found: DynamicLink? = url(link).flatMap { DynamicLinks.dynamicLinks().dynamicLink(fromUniversalLink: $0) }
    return found.map { retained(Box($0)) }
}

/// Answers a dynamic link.
@_cdecl("homing_links_read")
package func homingLinksRead(
    _ link: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?, _ answer: @escaping CAnswer
) {
    DynamicLinks.dynamicLinks().dynamicLink(
        fromUniversalLink: url(link) ?? URL(fileURLWithPath: "/"),
        completion: CCompletion(context, answer).taking(DynamicLink.self))
}

/// Answers a dynamic link later, and now whether the URL is one of this app's.
@_cdecl("homing_links_handle")
package func homingLinksHandle(
    _ link: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?, _ answer: @escaping CAnswer
) -> Bool {
    DynamicLinks.dynamicLinks().handleUniversalLink(
        url(link) ?? URL(fileURLWithPath: "/"), completion: CCompletion(context, answer).taking(DynamicLink.self))
}

/// Answers text.
@_cdecl("homing_links_resolve")
package func homingLinksResolve(
    _ link: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?, _ answer: @escaping CAnswer
) {
    let take = CCompletion(context, answer).taking(String.self)
    DynamicLinks.dynamicLinks().resolveShortLink(url(link) ?? URL(fileURLWithPath: "/")) {
        take($0?.absoluteString, $1)
    }
}

/// Says which domains and schemes are the app's own; each is a JSON array of texts.
@_cdecl("homing_links_set_domains")
package func homingLinksSetDomains(_ prefixes: UnsafePointer<CChar>?, _ schemes: UnsafePointer<CChar>?) {
    func texts(_ list: UnsafePointer<CChar>?) -> [String]? {
        optionalText(list).flatMap { try? JSON.parse(Data($0.utf8)) }?.arrayValue?.compactMap(\.stringValue)
    }
    HomingApp.app()?.linkDomains = LinkDomains(texts(prefixes) ?? [], schemes: texts(schemes))
}

/// Makes a short link of a long one. Answers a shortened link.
@_cdecl("homing_links_shorten")
package func homingLinksShorten(
    _ link: UnsafePointer<CChar>?, _ pathLength: Int, _ context: UnsafeMutableRawPointer?,
    _ answer: @escaping CAnswer
) {
    let take = CCompletion(context, answer).taking(String.self)
    let options = DynamicLinkComponentsOptions()
    options.pathLength = ShortDynamicLinkPathLength(rawValue: pathLength) ?? .default
    DynamicLinkComponents.shortenURL(url(link) ?? URL(fileURLWithPath: "/"), options: options) {
        short, warnings, error in
        let lines = short.map { [$0.absoluteString] + (warnings ?? []) }
        take(lines?.joined(separator: "\n"), error)
    }
}

// MARK: What a link says

@_cdecl("homing_dynamic_link_url")
package func homingDynamicLinkURL(_ link: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(boxed(link, as: DynamicLink.self).url?.absoluteString)
}

@_cdecl("homing_dynamic_link_match_type")
package func homingDynamicLinkMatchType(_ link: UnsafeRawPointer) -> Int {
    Int(boxed(link, as: DynamicLink.self).matchType.rawValue)
}

@_cdecl("homing_dynamic_link_minimum_version")
package func homingDynamicLinkMinimumVersion(_ link: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(boxed(link, as: DynamicLink.self).minimumAppVersion)
}

/// The campaign as a JSON object of texts.
@_cdecl("homing_dynamic_link_campaign")
package func homingDynamicLinkCampaign(_ link: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    let campaign = boxed(link, as: DynamicLink.self).utmParametersDictionary
    let members = campaign.compactMap { name, value in (value as? String).map { (name, JSON.string($0)) } }
    let object = JSON.object(JSON.Object(members.sorted { $0.0 < $1.0 }))
    return copied(String(decoding: object.write(pretty: false), as: UTF8.self))
}
