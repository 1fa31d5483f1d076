// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingClient

extension DynamicLinks {
    /// ``handleUniversalLink(_:)`` with a completion handler.
    ///
    /// - Returns: whether the URL is a dynamic link of this app. When it is not, the completion gets
    ///   ``DynamicLinksError`` with code 1.
    @discardableResult
    public func handleUniversalLink(_ url: URL, completion: @escaping (DynamicLink?, (any Error)?) -> Void) -> Bool {
        if case .none = read(url) {
            deliver(to: completion) { () async throws(DynamicLinksError) -> DynamicLink in throw .notALink }
            return false
        }
        deliver(to: completion) { () async throws(DynamicLinksError) in
            guard let link = try await self.handleUniversalLink(url) else { throw .notALink }
            return link
        }
        return true
    }

    /// ``dynamicLink(fromUniversalLink:)->DynamicLink`` with a completion handler.
    public func dynamicLink(fromUniversalLink url: URL, completion: @escaping (DynamicLink?, (any Error)?) -> Void) {
        deliver(to: completion) { () async throws(DynamicLinksError) in
            try await self.dynamicLink(fromUniversalLink: url)
        }
    }

    /// ``resolveShortLink(_:)`` with a completion handler.
    public func resolveShortLink(_ url: URL, completion: @escaping (URL?, (any Error)?) -> Void) {
        deliver(to: completion) { () async throws(DynamicLinksError) in try await self.resolveShortLink(url) }
    }

    /// ``checkForPendingDynamicLink(in:)`` with a completion handler; without a link and without an error there was
    /// none.
    public func checkForPendingDynamicLink(in text: String, completion: @escaping (DynamicLink?, (any Error)?) -> Void)
    {
        deliver(
            to: { (link: DynamicLink??, error) in completion(link ?? nil, error) },
            { () async throws(DynamicLinksError) in try await self.checkForPendingDynamicLink(in: text) })
    }
}
