// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
package import HomingWire

/// One project on one server, and the way there.
package struct Endpoint: Sendable {
    /// Scheme, host and prefix without a slash at the end, in one spelling; empty when nothing was configured.
    package let url: String
    package let apiKey: String
    private let transport: any HomingTransport
    private let isUsable: Bool

    init(url: String, apiKey: String, transport: any HomingTransport) {
        let base = WebBase(url)
        self.url = base?.text ?? url
        isUsable = base?.isSafe ?? false
        self.apiKey = apiKey
        self.transport = transport
    }

    /// The same project on another server.
    package func moved(to url: String) -> Endpoint { Endpoint(url: url, apiKey: apiKey, transport: transport) }

    /// Posts a JSON object and answers the one that comes back. Members without a value are left out.
    ///
    /// - Parameters:
    ///   - path: below the endpoint, without a slash in front.
    ///   - language: a BCP 47 tag for mails and pages.
    package func post(
        _ path: String, _ members: [(String, JSON?)], language: String? = nil
    ) async throws(EndpointFault) -> JSON.Object {
        let wanted = try address(path)
        let object = JSON.Object(members.compactMap { name, value in value.map { (name, $0) } })
        var headers = ["Content-Type": "application/json", "Accept": "application/json"]
        if let language { headers["X-Firebase-Locale"] = language }
        let body = Data(JSON.object(object).write(pretty: false))
        return try Self.members(of: try await send(TransportRequest(url: wanted, headers: headers, body: body)))
    }

    /// Reads what everybody may know.
    ///
    /// - Parameter query: what stands in the query besides the key; members without a value are left out.
    package func get(_ path: String, _ query: [(String, String?)]) async throws(EndpointFault) -> JSON.Object {
        let more = query.compactMap { name, value in value.map { "&\(name)=\(percentEncoded($0))" } }.joined()
        let request = TransportRequest(
            method: "GET", url: try address(path, more), headers: ["Accept": "application/json"], body: Data())
        return try Self.members(of: try await send(request))
    }

    private func address(_ path: String, _ more: String = "") throws(EndpointFault) -> URL {
        guard !url.isEmpty else { throw .unconfigured }
        guard isUsable, let wanted = URL(string: "\(url)/\(path)?key=\(percentEncoded(apiKey))\(more)") else {
            throw .malformed
        }
        return wanted
    }

    private func send(_ request: TransportRequest) async throws(EndpointFault) -> TransportAnswer {
        do {
            return try await transport.send(request)
        } catch {
            throw .unreachable(url, error)
        }
    }

    private static func members(of answer: TransportAnswer) throws(EndpointFault) -> JSON.Object {
        let object = (try? JSON.parse(answer.body))?.objectValue
        if answer.status == 200, let object, object["error"] == nil { return object }
        guard let error = object?["error"]?.objectValue, let message = error["message"]?.stringValue else {
            throw .unreadable("status \(answer.status), not in the form that Homing answers")
        }
        throw .refused(
            message: message, status: answer.status,
            triesLeft: error["triesLeft"]?.integerValue.flatMap(Int.init(exactly:)))
    }
}
