// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCommands
import HomingDoctor

/// A DNS server on a UDP port of 127.0.0.1, with the records that the test gives it.
final class DoctorNameServer: Sendable {
    typealias Zone = [String: [RecordType: [String]]]

    let port: UInt16
    private let socket: CInt

    var service: NameServer? { NameServer(parsing: "127.0.0.1:\(port)") }

    /// Every name of the zone exists; a name that contains `SERVFAIL` is answered with that error.
    init(_ zone: Zone) throws {
        let socket = Foundation.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        self.socket = socket
        port = UInt16(bigEndian: address.sin_port)
        Thread { Self.serve(socket, zone) }.start()
    }

    /// Wakes the thread, which then ends.
    func stop() {
        shutdown(socket, Int32(SHUT_RDWR))
    }

    private static func serve(_ socket: CInt, _ zone: Zone) {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            var peer = sockaddr_storage()
            var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let capacity = buffer.count
            let count = withUnsafeMutablePointer(to: &peer) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    recvfrom(socket, &buffer, capacity, 0, $0, &size)
                }
            }
            guard count > 12 else { break }
            let reply = reply(to: Array(buffer.prefix(count)), zone)
            _ = withUnsafePointer(to: &peer) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    sendto(socket, reply, reply.count, 0, $0, size)
                }
            }
        }
        close(socket)
    }

    private static func reply(to query: [UInt8], _ zone: Zone) -> [UInt8] {
        var at = 12
        var labels: [String] = []
        while query[at] != 0 {
            let length = Int(query[at])
            labels.append(String(decoding: query[(at + 1)...(at + length)], as: UTF8.self))
            at += 1 + length
        }
        let type = UInt16(query[at + 1]) << 8 | UInt16(query[at + 2])
        let name = labels.joined(separator: ".").lowercased()
        let records = zone[name]?.first { number($0.key) == type }?.value ?? []
        let code: UInt8 = name.contains("servfail") ? 2 : zone[name] == nil ? 3 : 0
        var reply = Array(query[0..<2]) + [0x81, 0x80 | code, 0, 1, 0, UInt8(records.count), 0, 0, 0, 0]
        reply += query[12..<(at + 5)]
        for record in records {
            let data = data(record, type)
            reply += [0xC0, 12, UInt8(type >> 8), UInt8(type & 0xFF), 0, 1, 0, 0, 0, 60]
            reply += [UInt8(data.count >> 8), UInt8(data.count & 0xFF)] + data
        }
        return reply
    }

    private static func number(_ type: RecordType) -> UInt16 {
        switch type {
        case .a: 1
        case .mx: 15
        case .txt: 16
        case .aaaa: 28
        }
    }

    private static func data(_ record: String, _ type: UInt16) -> [UInt8] {
        switch type {
        case 1: return record.split(separator: ".").compactMap { UInt8($0) }
        case 15:
            let parts = record.split(separator: " ")
            let labels = parts[1].split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
            return [0, UInt8(parts[0]) ?? 0] + labels + [0]
        default:
            // Strings of at most 50 bytes reveal a reader that takes only the first one.
            let bytes = Array(record.utf8)
            return stride(from: 0, to: bytes.count, by: 50).flatMap { start in
                let piece = bytes[start..<min(start + 50, bytes.count)]
                return [UInt8(piece.count)] + piece
            }
        }
    }
}

/// Runs the body with a name server that ends afterwards.
func withNameServer<Result>(
    _ zone: DoctorNameServer.Zone, _ body: (NameServer) async throws -> Result
) async throws -> Result {
    let server = try DoctorNameServer(zone)
    defer { server.stop() }
    guard let service = server.service else { throw POSIXError(.EINVAL) }
    return try await body(service)
}
