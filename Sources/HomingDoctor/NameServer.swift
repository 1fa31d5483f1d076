// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import CLibResolv
internal import HomingCurl
internal import HomingWire

/// The system's resolver, or one name server of the operator's choice.
package struct NameServer: NameService, Sendable, Equatable {
    /// An IPv4 address; nil for the system's own servers.
    package let address: String?
    package let port: UInt16

    package static let system = NameServer()

    private init() {
        address = nil
        port = 53
    }

    /// `IP` or `IP:PORT`, IPv4 in dotted decimal.
    package init?(parsing text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        let octets = parts[0].utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, octets.count == 4, octets.allSatisfy({ UInt8(String(Substring($0))) != nil }),
            parts[0].utf8.allSatisfy({ ASCII.isDigit($0) || $0 == 0x2E })
        else { return nil }
        var port: UInt16 = 53
        if parts.count == 2 {
            guard let given = UInt16(parts[1]), given > 0, parts[1].utf8.first != UInt8(ascii: "+") else { return nil }
            port = given
        }
        address = parts[0]
        self.port = port
    }

    package func look(up name: String, _ type: RecordType) async -> NameAnswer {
        guard Self.isName(name) else { return .noSuchName }
        return await OwnThread.run { ask(name, type) }
    }

    /// Labels of letters, digits, hyphens and underscores; a name from a stranger's record may be anything.
    private static func isName(_ name: String) -> Bool {
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return name.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.count)
                    && label.allSatisfy { ASCII.isLetterOrDigit($0) || $0 == 0x2D || $0 == 0x5F }
            }
    }

    private func ask(_ name: String, _ type: RecordType) -> NameAnswer {
        var answer = [UInt8](repeating: 0, count: 65_535)
        let capacity = Int32(answer.count)
        let length = homing_dns_ask(address, port, name, type.number, 2, &answer, capacity)
        switch length {
        case Int32(HOMING_DNS_NO_SUCH_NAME): return .noSuchName
        case Int32(HOMING_DNS_NO_RECORDS): return .noRecords
        case ..<0: return .failed
        default: break
        }
        var records: [String] = []
        var text = [UInt8](repeating: 0, count: 65_535)
        while records.count < 200 {
            let count = homing_dns_record(answer, length, type.number, Int32(records.count), &text, capacity)
            guard count >= 0 else { break }
            records.append(Printable.ascii(text.prefix(Int(count)), atMost: 4_096))
        }
        return records.isEmpty ? .noRecords : .records(records)
    }
}

extension RecordType {
    fileprivate var number: Int32 {
        switch self {
        case .a: Int32(HOMING_DNS_A)
        case .aaaa: Int32(HOMING_DNS_AAAA)
        case .mx: Int32(HOMING_DNS_MX)
        case .txt: Int32(HOMING_DNS_TXT)
        }
    }
}
