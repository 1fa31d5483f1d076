// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Requests through `URLSession`: no cookies, no cache, no redirects, no answer without an end.
public struct URLSessionTransport: HomingTransport {
    private let session: URLSession
    private let receptions = Receptions()

    /// A transport with a session of its own.
    ///
    /// - Parameter timeout: seconds without a byte after which a request fails; twice that is the most for all of it.
    ///   Whoever waits for a mail to be answered asks for up to 25 seconds at a time.
    public init(timeout: Double = 30) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        configuration.timeoutIntervalForResource = 2 * timeout
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: receptions, delegateQueue: nil)
    }

    /// Sends one request; a redirect is an answer and is not followed, and one of more than 1 MiB is none.
    public func send(_ request: TransportRequest) async throws -> TransportAnswer {
        var wanted = URLRequest(url: request.url)
        wanted.httpMethod = request.method
        if !request.body.isEmpty { wanted.httpBody = request.body }
        for (name, value) in request.headers { wanted.setValue(value, forHTTPHeaderField: name) }
        let task = session.dataTask(with: wanted)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                receptions.begin(task.taskIdentifier, continuation)
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }
}

/// The answers that are on their way, by the numbers of their tasks.
private final class Receptions: NSObject, URLSessionDataDelegate {
    private struct Reception {
        let continuation: CheckedContinuation<TransportAnswer, any Error>
        var body = Data()
    }

    /// So much and no more, counted after decompression: Homing answers in a few hundred bytes.
    private static let mostBytes = 1 << 20

    private let open = Locked<[Int: Reception]>([:])

    func begin(_ number: Int, _ continuation: CheckedContinuation<TransportAnswer, any Error>) {
        open.withLock { $0[number] = Reception(continuation: continuation) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooMuch = open.withLock { open in
            guard let size = open[dataTask.taskIdentifier]?.body.count else { return false }
            guard size + data.count <= Self.mostBytes else { return true }
            open[dataTask.taskIdentifier]?.body.append(data)
            return false
        }
        if isTooMuch { end(dataTask, .failure(URLError(.dataLengthExceedsMaximum))) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { return end(task, .failure(error)) }
        guard let response = task.response as? HTTPURLResponse else {
            return end(task, .failure(URLError(.badServerResponse)))
        }
        end(task, .success(response.statusCode))
    }

    private func end(_ task: URLSessionTask, _ status: Result<Int, any Error>) {
        guard let reception = open.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        if case .failure = status { task.cancel() }
        reception.continuation.resume(with: status.map { TransportAnswer(status: $0, body: reception.body) })
    }

    /// A body with a password does not travel on to where a redirect points.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
