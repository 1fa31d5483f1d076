// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation

/// How requests reach the server. An app's tests give ``HomingApp`` one of their own and need no network.
public protocol HomingTransport: Sendable {
    /// Sends one request and answers what came back, whatever its status.
    ///
    /// - Throws: any error when there is no answer; the caller sees a network error with it inside.
    func send(_ request: TransportRequest) async throws -> TransportAnswer
}

/// One request: a POST with a JSON body, or a GET without one.
public struct TransportRequest: Sendable {
    /// `POST`, or `GET` where something is only read that everybody may know.
    public let method: String
    /// Where to, the API key in its query.
    public let url: URL
    /// Header fields by name; `Content-Type` is among them.
    public let headers: [String: String]
    /// JSON in UTF-8, empty for a GET. It may hold passwords, codes and tokens: do not log it.
    public let body: Data

    /// A request from its parts.
    public init(method: String = "POST", url: URL, headers: [String: String], body: Data) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// What a server answered.
public struct TransportAnswer: Sendable {
    /// The HTTP status code.
    public let status: Int
    /// JSON in UTF-8, when it is Homing that answered.
    public let body: Data

    /// An answer from its parts.
    public init(status: Int, body: Data) {
        self.status = status
        self.body = body
    }
}
