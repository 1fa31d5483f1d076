// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingClient
internal import HomingWire

/// A completion handler of a call that makes a short link: the link and the server's warnings, or an error, on the main
/// queue.
public typealias DynamicLinkShortenerHandler = (URL?, [String]?, (any Error)?) -> Void

extension DynamicLinkComponents {
    /// Makes a short link of these parts.
    ///
    /// - Returns: the link, and what the server has noticed about the parts, in sentences for developers.
    /// - Throws: ``DynamicLinkShortenerError`` when the server refuses or cannot be reached.
    public func shorten() async throws(DynamicLinkShortenerError) -> (URL, [String]) {
        try await Self.shorten(url, Self.members(options))
    }

    /// ``shorten()`` with a completion handler.
    public func shorten(completion: @escaping DynamicLinkShortenerHandler) {
        Self.shorten(url, options, completion)
    }

    /// Makes a short link of a long one.
    ///
    /// - Returns: the link, and what the server has noticed about the long one, in sentences for developers.
    /// - Throws: ``DynamicLinkShortenerError`` when the server refuses or cannot be reached.
    public static func shortenURL(
        _ url: URL, options: DynamicLinkComponentsOptions?
    ) async throws(DynamicLinkShortenerError) -> (URL, [String]) {
        try await shorten(url, members(options))
    }

    /// ``shortenURL(_:options:)`` with a completion handler.
    public static func shortenURL(
        _ url: URL, options: DynamicLinkComponentsOptions?, completion: @escaping DynamicLinkShortenerHandler
    ) {
        shorten(url, options, completion)
    }

    private static func shorten(
        _ url: URL?, _ options: DynamicLinkComponentsOptions?, _ completion: @escaping DynamicLinkShortenerHandler
    ) {
        let members = members(options)
        deliver(
            to: { (answer: (URL, [String])?, error) in
                let warnings = answer.flatMap { $0.1.isEmpty ? nil : $0.1 }
                completion(answer?.0, warnings, error)
            },
            { () async throws(DynamicLinkShortenerError) in try await shorten(url, members) })
    }

    fileprivate static func members(_ options: DynamicLinkComponentsOptions?) -> [(String, JSON?)] {
        [("suffix", options?.pathLength.option.map { .object(JSON.Object([("option", .string($0))])) })]
    }

    private static func shorten(
        _ url: URL?, _ members: [(String, JSON?)]
    ) async throws(DynamicLinkShortenerError) -> (URL, [String]) {
        guard let url else { throw DynamicLinkShortenerError("Unable to produce long URL") }
        return try await DynamicLinks.dynamicLinks().shorten(url, members)
    }
}

extension DynamicLinks {
    /// ``DynamicLinkComponents/shortenURL(_:options:)`` for one of several apps.
    ///
    /// - Returns: the link, and what the server has noticed about the long one, in sentences for developers.
    /// - Throws: ``DynamicLinkShortenerError`` when the server refuses or cannot be reached.
    public func shortenURL(
        _ url: URL, options: DynamicLinkComponentsOptions? = nil
    ) async throws(DynamicLinkShortenerError) -> (URL, [String]) {
        try await shorten(url, DynamicLinkComponents.members(options))
    }

    fileprivate func shorten(
        _ url: URL, _ members: [(String, JSON?)]
    ) async throws(DynamicLinkShortenerError) -> (URL, [String]) {
        let answer: JSON.Object
        do throws(EndpointFault) {
            answer = try await endpoint.post(
                Self.path("shortLinks"), [("longDynamicLink", .string(url.absoluteString))] + members)
        } catch {
            throw DynamicLinkShortenerError(error)
        }
        guard let short = answer["shortLink"]?.stringValue.flatMap({ URL(string: $0) }) else {
            throw DynamicLinkShortenerError(.unreadable("it has no short link"))
        }
        let warnings = answer["warning"]?.arrayValue ?? []
        return (short, warnings.compactMap { $0.objectValue?["warningMessage"]?.stringValue })
    }
}
