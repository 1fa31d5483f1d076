// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingServer
import HomingWire

/// Looks at a name as an authority would: whether DNS knows it, and whether a challenge is answered there, by this server.
struct CertificateLookout: Sendable {
    let certificates: Certificates

    struct Sight: Sendable {
        /// The addresses of the name, as text.
        var addresses: [String]
        /// What each way of proving the name has shown; nil is a good answer, a text the reason of a bad one.
        var answers: [(way: CertificatePlan.Challenge, fault: String?)]

        var leadsHere: Bool { answers.contains { $0.fault == nil } }

        /// One line, with the remedy.
        var sentence: String {
            if addresses.isEmpty { return "the name has no address: add an A or AAAA record that leads to this server" }
            let faults = answers.compactMap { answer in
                answer.fault.map { "\(answer.way == .http ? "port 80" : "port 443"): \($0)" }
            }
            return
                "the name leads to \(addresses.prefix(4).joined(separator: ", ")), where this server does not answer "
                + "(\(faults.joined(separator: "; "))): see that it leads here, and that the ports are open"
        }
    }

    /// Publishes a challenge of our own, and asks for it.
    func at(_ name: String, hasPlainListener: Bool) async throws -> Sight {
        let addresses = await OwnThread.run { Self.addresses(of: name) }
        guard !addresses.isEmpty else { return Sight(addresses: [], answers: []) }
        let token = certificates.newToken()
        let answer = "\(token).look"
        try await certificates.publish(token: token, answer: answer, for: name)
        var answers: [(way: CertificatePlan.Challenge, fault: String?)] = []
        if hasPlainListener {
            answers.append((.http, await overHTTP(name, token, answer)))
        }
        if answers.first?.fault != nil || answers.isEmpty {
            answers.append((.tls, await ListenerProbe.challenge(on: name, answer: answer)))
        }
        try await certificates.withdraw(token)
        return Sight(addresses: addresses, answers: answers)
    }

    private func overHTTP(_ name: String, _ token: String, _ wanted: String) async -> String? {
        switch await WebFetcher().fetch("http://\(name)/.well-known/acme-challenge/\(token)") {
        case .unreachable(let reason): return reason
        case .answered(let response):
            guard response.status == 200, response.body.elementsEqual(wanted.utf8) else {
                return "another server answers, with status \(response.status)"
            }
            return nil
        }
    }

    static func addresses(of name: String) -> [String] {
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
