// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Requests through `URLSession`: no cookies, no cache, no redirects.
public struct URLSessionTransport: Transport {
    private let session: URLSession

    /// A transport with a session of its own.
    ///
    /// - Parameter timeout: seconds without a byte after which a request fails.
    public init(timeout: Double = 30) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: RedirectRefusal(), delegateQueue: nil)
    }

    /// Sends one request; a redirect is an answer and is not followed.
    public func send(_ request: TransportRequest) async throws -> TransportAnswer {
        var wanted = URLRequest(url: request.url)
        wanted.httpMethod = "POST"
        wanted.httpBody = request.body
        for (name, value) in request.headers { wanted.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await session.data(for: wanted)
        guard let answer = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return TransportAnswer(status: answer.statusCode, body: body)
    }
}

/// A body with a password does not travel on to where a redirect points.
private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
