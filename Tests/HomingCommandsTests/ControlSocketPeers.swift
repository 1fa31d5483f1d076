// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

private struct SocketFault: Error {}

/// Leaves a socket file that nobody listens on, as a killed server does.
func leaveDeadSocket(at path: String) throws {
    let descriptor = try newSocket()
    defer { close(descriptor) }
    try withAddress(path) { address, length in
        guard bind(descriptor, address, length) == 0, listen(descriptor, 1) == 0 else { throw SocketFault() }
    }
}

/// Connects and sends nothing; the descriptor is for ``hangUp(_:)``.
func connectSilently(to path: String) throws -> CInt {
    let descriptor = try newSocket()
    try withAddress(path) { address, length in
        guard connect(descriptor, address, length) == 0 else { throw SocketFault() }
    }
    return descriptor
}

func hangUp(_ descriptor: CInt) {
    close(descriptor)
}

/// Sends bytes to a socket and hangs up.
func speak(_ text: String, to path: String) throws {
    let descriptor = try newSocket()
    defer { close(descriptor) }
    try withAddress(path) { address, length in
        guard connect(descriptor, address, length) == 0 else { throw SocketFault() }
    }
    let bytes = Array(text.utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count else { throw SocketFault() }
}

/// Sends bytes to a socket and answers the reply up to its end. The call waits on a thread of its own, because the
/// server needs those of the tests.
func ask(_ text: String, at path: String) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try reply(to: text, at: path) }) }
    }
}

private func reply(to text: String, at path: String) throws -> String {
    let descriptor = try connectSilently(to: path)
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count else { throw SocketFault() }
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while case let count = read(descriptor, &piece, piece.count), count > 0 { answer += piece[..<count] }
    return String(decoding: answer, as: UTF8.self)
}

private func newSocket() throws -> CInt {
    #if canImport(Glibc)
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    #else
        let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw SocketFault() }
    return descriptor
}

private func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    try withUnsafePointer(to: &address) { pointer in
        try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            try body(pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
