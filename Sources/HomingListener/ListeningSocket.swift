// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import NIOCore
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A socket that listens. It is made before anything else is opened, so that an address which is not available ends the
/// start.
package final class ListeningSocket: Sendable {
    /// The number of connections that may wait to be accepted; they are accepted at once, whatever a cap says.
    private static let backlog: CInt = 1_024

    let descriptor: CInt
    package let host: String
    package let port: Int
    /// Whether somebody else holds the socket too: it goes on listening when this process ends, and a connection that
    /// nobody has taken by then waits for the next server.
    let isHeldElsewhere: Bool

    /// - Parameter port: 0 for any free port.
    package init(host: String, port: Int) throws(ListeningFault) {
        let address: SocketAddress
        do {
            address = try SocketAddress.makeAddressResolvingHost(host, port: port)
        } catch {
            throw ListeningFault(host: host, port: port, reason: nil)
        }
        let descriptor = Self.newSocket(address.protocol == .inet6 ? AF_INET6 : AF_INET)
        guard descriptor >= 0 else { throw ListeningFault(host: host, port: port, reason: errno) }
        var reuse: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<CInt>.size))
        let listens =
            address.withSockAddr { pointer, size in systemBind(descriptor, pointer, socklen_t(size)) } == 0
            && systemListen(descriptor, Self.backlog) == 0
        let reason = errno
        guard listens, let bound = Self.port(of: descriptor) else {
            close(descriptor)
            throw ListeningFault(host: host, port: port, reason: reason)
        }
        self.descriptor = descriptor
        self.host = host
        self.port = bound
        isHeldElsewhere = false
    }

    /// Takes a socket that somebody else has bound, listens on and keeps.
    ///
    /// - Throws: the reason why the descriptor cannot be one, as the end of a sentence that begins with it.
    package init(heldElsewhere descriptor: CInt) throws(UnusableSocket) {
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw UnusableSocket("is not open") }
        guard let kind = Self.option(SO_TYPE, of: descriptor) else { throw UnusableSocket("is not a socket") }
        guard kind == Self.stream else { throw UnusableSocket("is not a TCP socket") }
        guard Self.option(SO_ACCEPTCONN, of: descriptor) == 1 else {
            throw UnusableSocket("does not listen: it is one connection, as Accept=yes hands over")
        }
        guard let address = Self.name(of: descriptor) else { throw UnusableSocket("has no address of the internet") }
        self.descriptor = descriptor
        (host, port) = address
        isHeldElsewhere = true
    }

    /// Closes a socket on which nobody is to be answered.
    package func discard() { close(descriptor) }

    /// Lets no new connection begin, while those that have begun come through: a filter on the socket drops each SYN. A
    /// new client asks again in a second, and meets the next server or hears that nobody listens.
    func beginNoMore() {
        #if canImport(Glibc)
            Self.synFilter.withUnsafeBufferPointer { steps in
                var program = FilterProgram(count: UInt16(steps.count), steps: steps.baseAddress)
                setsockopt(
                    descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, socklen_t(MemoryLayout<FilterProgram>.size))
            }
        #endif
    }

    /// `struct sock_filter` and `struct sock_fprog` of the kernel, which Swift's module for the C library lacks.
    private struct FilterStep {
        var code: UInt16
        var ifTrue: UInt8 = 0
        var ifFalse: UInt8 = 0
        var operand: UInt32
    }

    private struct FilterProgram {
        var count: UInt16
        var steps: UnsafePointer<FilterStep>?
    }

    /// The byte of flags in the TCP header; the bit of SYN; drop; keep whole (socket(7), BPF).
    private static let synFilter: [FilterStep] = [
        FilterStep(code: 0x30, operand: 13),
        FilterStep(code: 0x45, ifFalse: 1, operand: 0x02),
        FilterStep(code: 0x06, operand: 0),
        FilterStep(code: 0x06, operand: 0x7FFF_FFFF),
    ]

    /// The connections that the system has accepted and nobody has taken yet: closing the socket would cut off these
    /// connections with their requests.
    func takeWaiting() -> [CInt] {
        var waiting: [CInt] = []
        while true {
            let connection = Self.accept(descriptor)
            if connection >= 0 {
                waiting.append(connection)
            } else if errno != EINTR, errno != ECONNABORTED {
                return waiting
            }
        }
    }

    private static func port(of descriptor: CInt) -> Int? { name(of: descriptor)?.port }

    /// The address that a socket is bound to, as numbers; nil when it is not of IPv4 or IPv6.
    private static func name(of descriptor: CInt) -> (host: String, port: Int)? {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) } == 0
        }
        let family = CInt(address.ss_family)
        guard isKnown, family == AF_INET || family == AF_INET6 else { return nil }
        // The port has the same offset in both families, the address another one (RFC 3493 section 3.3).
        return withUnsafeBytes(of: &address) { bytes in
            let port = Int(bytes[2]) << 8 | Int(bytes[3])
            let number = bytes.baseAddress.map { $0 + (family == AF_INET ? 4 : 8) }
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            guard inet_ntop(family, number, &text, socklen_t(text.count)) != nil else { return nil }
            return (String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self), port)
        }
    }

    private static func option(_ name: CInt, of descriptor: CInt) -> CInt? {
        var value: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    #if canImport(Glibc)
        private static let stream = CInt(SOCK_STREAM.rawValue)
    #else
        private static let stream = SOCK_STREAM
    #endif

    private static func newSocket(_ family: CInt) -> CInt {
        #if canImport(Glibc)
            return socket(family, stream | CInt(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        #else
            return socket(family, stream, 0)
        #endif
    }

    private static func accept(_ descriptor: CInt) -> CInt {
        #if canImport(Glibc)
            let connection = Glibc.accept(descriptor, nil, nil)
        #else
            let connection = Darwin.accept(descriptor, nil, nil)
        #endif
        guard connection >= 0 else { return connection }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        _ = fcntl(connection, F_SETFL, fcntl(connection, F_GETFL) | O_NONBLOCK)
        return connection
    }
}

private func systemBind(_ descriptor: CInt, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> CInt {
    bind(descriptor, address, size)
}

private func systemListen(_ descriptor: CInt, _ backlog: CInt) -> CInt {
    listen(descriptor, backlog)
}

/// The failure to listen at an address.
package struct ListeningFault: Error {
    package let host: String
    package let port: Int
    /// The value of `errno`; nil when the host has no address.
    package let reason: CInt?
}

/// The reason why a descriptor is no socket to listen on, as the end of a sentence that begins with it.
package struct UnusableSocket: Error {
    package let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
