// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCurl

/// Looks at a name as an authority would: whether DNS knows it, and whether a challenge is answered there, by this
/// server.
package struct CertificateLookout: Sendable {
    let certificates: Certificates

    package struct Sight: Sendable {
        /// The addresses of the name, as text.
        package var addresses: [String]
        /// What each way of proving the name has shown; nil is a good answer, a text the reason of a bad one.
        package var answers: [(way: ChallengeKind, fault: String?)]

        package var leadsHere: Bool { answers.contains { $0.fault == nil } }

        /// One line, with the remedy.
        package var sentence: String {
            if addresses.isEmpty { return "the name has no address: add an A or AAAA record that leads to this server" }
            let faults = answers.compactMap { answer in
                answer.fault.map { "\(answer.way.place): \($0)" }
            }
            return
                "the name leads to \(addresses.prefix(4).joined(separator: ", ")), where this server does not answer "
                + "(\(faults.joined(separator: "; "))): see that it leads here, and that the ports are open"
        }
    }

    /// Publishes a challenge of our own, and asks for it.
    package func at(_ name: String, hasPlainListener: Bool) async throws -> Sight {
        let addresses = await OwnThread.run { Self.addresses(of: name) }
        guard !addresses.isEmpty else { return Sight(addresses: [], answers: []) }
        let token = certificates.newToken()
        let answer = "\(token).look"
        try await certificates.publish(token: token, answer: answer, for: name)
        var answers: [(way: ChallengeKind, fault: String?)] = []
        for way in ChallengeKind.usable(hasPlainListener: hasPlainListener) {
            let fault = await way.fault(name, token, answer)
            answers.append((way, fault))
            if fault == nil { break }
        }
        try await certificates.withdraw(token)
        return Sight(addresses: addresses, answers: answers)
    }

    package static func addresses(of name: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &found) == 0 else { return [] }
        defer { freeaddrinfo(found) }
        var addresses: [String] = []
        var next = found
        while let entry = next?.pointee {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            if getnameinfo(entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 {
                addresses.append(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
            }
            next = entry.ai_next
        }
        return addresses
    }
}
