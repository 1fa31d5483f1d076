// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingWire

// A transport and a session store that an app in Objective-C brings along.

/// A C function that sends a request; its headers are a JSON object. It answers through the reply, later.
package typealias CSend =
    @convention(c) (
        _ context: UnsafeMutableRawPointer?, _ reply: UnsafeMutableRawPointer, _ method: UnsafePointer<CChar>,
        _ url: UnsafePointer<CChar>, _ headers: UnsafePointer<CChar>, _ body: UnsafeRawPointer?, _ length: Int
    ) -> Void

/// A C function that reads a key into data: 0 when it has, 1 when the store is locked, 2 when it failed.
package typealias CStoreRead =
    @convention(c) (
        _ context: UnsafeMutableRawPointer?, _ key: UnsafePointer<CChar>, _ data: UnsafeMutableRawPointer
    ) -> Int

/// A C function that writes a key, or removes it without bytes; it answers as ``CStoreRead``.
package typealias CStoreWrite =
    @convention(c) (
        _ context: UnsafeMutableRawPointer?, _ key: UnsafePointer<CChar>, _ bytes: UnsafeRawPointer?, _ length: Int
    ) -> Int

/// What C functions were given along, until nobody needs it. `@unchecked Sendable` for the reason of ``CCompletion``.
private final class CContext: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer?
    private let end: CEnd

    init(_ pointer: UnsafeMutableRawPointer?, _ end: @escaping CEnd) {
        (self.pointer, self.end) = (pointer, end)
    }

    deinit { end(pointer) }
}

private struct CTransport: HomingTransport {
    let context: CContext
    let call: CSend

    func send(_ request: TransportRequest) async throws -> TransportAnswer {
        let members = request.headers.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value)) }
        let headers = String(decoding: JSON.object(JSON.Object(members)).write(pretty: false), as: UTF8.self)
        return try await withCheckedThrowingContinuation { continuation in
            let reply = retained(CReply(continuation))
            Array(request.body).withUnsafeBytes { bytes in
                call(
                    context.pointer, reply, request.method, request.url.absoluteString, headers, bytes.baseAddress,
                    bytes.count)
            }
        }
    }
}

/// Where the answer goes; one that nobody gives is a failure.
private final class CReply: Sendable {
    private let continuation: Locked<CheckedContinuation<TransportAnswer, any Error>?>

    init(_ continuation: CheckedContinuation<TransportAnswer, any Error>) {
        self.continuation = Locked(continuation)
    }

    deinit { resume(.failure(URLError(.badServerResponse))) }

    func resume(_ result: Result<TransportAnswer, any Error>) {
        let waiting = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume(with: result)
    }
}

/// Answers a request; without a status it has failed, and the text says why. Only the first time counts.
@_cdecl("homing_reply")
package func homingReply(
    _ reply: UnsafeRawPointer, _ status: Int, _ body: UnsafeRawPointer?, _ length: Int,
    _ fault: UnsafePointer<CChar>?
) {
    let reply = object(reply, as: CReply.self)
    guard status > 0 else {
        let why = optionalText(fault) ?? "The transport has failed."
        return reply.resume(
            .failure(
                NSError(
                    domain: "HOMTransportErrorDomain", code: 0, userInfo: [NSLocalizedDescriptionKey: why])))
    }
    reply.resume(.success(TransportAnswer(status: status, body: data(body, length) ?? Data())))
}

private func data(_ bytes: UnsafeRawPointer?, _ length: Int) -> Data? {
    bytes.map { Data(UnsafeRawBufferPointer(start: $0, count: length)) }
}

/// What a store has read.
private final class CData: Sendable {
    let value = Locked<Data?>(nil)
}

@_cdecl("homing_data_set")
package func homingDataSet(_ target: UnsafeRawPointer, _ bytes: UnsafeRawPointer?, _ length: Int) {
    let read = data(bytes, length)
    object(target, as: CData.self).value.withLock { $0 = read }
}

private struct CStore: HomingSessionStore {
    let context: CContext
    let readKey: CStoreRead
    let writeKey: CStoreWrite

    func read(_ key: String) throws -> Data? {
        let read = CData()
        let pointer = retained(read)
        defer { homingRelease(pointer) }
        try Self.check(readKey(context.pointer, key, pointer))
        return read.value.withLock { $0 }
    }

    func write(_ data: Data, for key: String) throws {
        try Array(data).withUnsafeBytes { bytes in
            try Self.check(writeKey(context.pointer, key, bytes.baseAddress, bytes.count))
        }
    }

    func remove(_ key: String) throws { try Self.check(writeKey(context.pointer, key, nil, 0)) }

    private static func check(_ status: Int) throws {
        switch status {
        case 0: return
        case 1: throw SessionStoreLocked()
        default: throw CocoaError(.fileWriteUnknown)
        }
    }
}

/// Configures an app with a transport, a store, both or none of its own. Each context ends when nobody needs it.
@_cdecl("homing_app_configure_with")
package func homingAppConfigureWith(
    _ name: UnsafePointer<CChar>?, _ endpoint: UnsafePointer<CChar>?, _ apiKey: UnsafePointer<CChar>?,
    _ transport: UnsafeMutableRawPointer?, _ send: CSend?, _ store: UnsafeMutableRawPointer?,
    _ read: CStoreRead?, _ write: CStoreWrite?, _ end: @escaping CEnd
) {
    let ownTransport = send.map { CTransport(context: CContext(transport, end), call: $0) }
    var ownStore: CStore?
    if let read, let write {
        ownStore = CStore(context: CContext(store, end), readKey: read, writeKey: write)
    }
    HomingApp.configure(
        name: optionalText(name) ?? HomingApp.defaultName, endpoint: url(endpoint) ?? URL(fileURLWithPath: "/"),
        apiKey: text(apiKey), transport: ownTransport ?? URLSessionTransport(), sessionStore: ownStore)
}
