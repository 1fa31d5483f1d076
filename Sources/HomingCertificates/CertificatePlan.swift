// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
package import HomingStore

/// Decides which names get a certificate, when one is ordered, and how a name is proven. Pure.
///
/// An authority counts what it refuses, and shuts out who is refused too often (Let's Encrypt: five times in an hour
/// for a name). So nothing is ordered for a name that does not lead here yet, which is looked at every minute and costs
/// the authority nothing, and after a refusal it is hours until the next order.
package enum CertificatePlan {
    private static let minute: Int64 = 60
    private static let hour: Int64 = 3600
    private static let day: Int64 = 86_400

    // MARK: Which names

    /// The hosts that need a certificate, each once, in order.
    ///
    /// - Parameter covered: names of the certificate in the operator's own files, `*.shop.example` among them.
    package static func names(publicHost: String?, linkDomains: [LinkDomain], covered: [String]) -> [String] {
        var hosts = publicHost.flatMap { WebHost(parsing: $0) }.map { [$0] } ?? []
        hosts += linkDomains.filter { !$0.isGoogles }.map(\.host)
        var names: [String] = []
        var seen: Set<String> = []
        for host in hosts where isPublic(host) && seen.insert(host.text).inserted {
            if !covered.contains(where: { covers($0, host.text) }) { names.append(host.text) }
        }
        return names
    }

    /// Whether an authority could know the host: a name with a dot that leaves the machine.
    package static func isPublic(_ host: WebHost) -> Bool {
        !host.isAddress && !host.isLoopback && host.labelCount > 1
    }

    /// Whether a name of a certificate stands for a host: itself, or a wildcard for one label (RFC 6125 section 6.4.3).
    package static func covers(_ pattern: String, _ host: String) -> Bool {
        let pattern = pattern.lowercased()
        guard pattern.hasPrefix("*.") else { return pattern.utf8.elementsEqual(host.utf8) }
        guard let dot = host.utf8.firstIndex(of: UInt8(ascii: ".")) else { return false }
        return host[dot...].utf8.elementsEqual(pattern.dropFirst().utf8)
    }

    // MARK: When

    package enum Step: Sendable, Equatable {
        case rest
        /// Look whether the name leads here; ``isWorthAnOrder(_:leadsHere:at:)`` tells what follows.
        case look
        case order
    }

    package static func step(for state: CertificateState, at now: Moment) -> Step {
        if state.isThere {
            guard let renewAt = state.renewAt, now >= renewAt, now >= state.nextAt else { return .rest }
            return .order
        }
        guard now >= state.lookedAt?.adding(seconds: pauseBetweenLooks(state, at: now)) ?? now else { return .rest }
        if now >= state.nextAt { return .look }
        // It was refused because it did not lead here, perhaps; the owner of the name may have mended that.
        guard !state.ledHere, let triedAt = state.triedAt, now >= triedAt.adding(seconds: 15 * minute) else {
            return .rest
        }
        return .look
    }

    /// - Parameters:
    ///   - hasAddress: whether DNS has an address for this name; no authority proves one without.
    ///   - leadsHere: whether a challenge on this name was answered by this server. Some networks cannot reach
    ///     themselves by their outer address, so a name that has waited for an hour is tried without that.
    package static func isWorthAnOrder(
        _ state: CertificateState, hasAddress: Bool, leadsHere: Bool, at now: Moment
    ) -> Bool {
        leadsHere || (hasAddress && now >= state.nextAt && now >= state.seenAt.adding(seconds: hour))
    }

    /// First certificates that are ordered for one project in a day: whoever may add link domains to it cannot use up
    /// what the authority grants to all.
    package static let firstOrdersPerDay = 20

    /// As many of them may be for names on which this server has not seen itself answer.
    package static let unseenOrdersPerDay = 5

    /// The names in the order in which they are worked on: the server's own, then renewals, the certificate that ends
    /// first at the beginning, then first certificates, of each project one in turn, the name looked at longest ago
    /// first.
    ///
    /// - Parameters:
    ///   - ownName: the host of the public URL.
    ///   - projects: the project of each host of a link.
    package static func queue(
        _ states: [CertificateState], ownName: String?, projects: [String: ProjectID]
    ) -> [CertificateState] {
        func isEarlier(_ left: CertificateState, _ right: CertificateState) -> Bool {
            (left.lookedAt?.milliseconds ?? 0, left.name) < (right.lookedAt?.milliseconds ?? 0, right.name)
        }
        let own = states.filter { $0.name == ownName }
        let others = states.filter { $0.name != ownName }
        let renewals = others.filter(\.isThere).sorted { left, right in
            (left.endsAt?.milliseconds ?? 0, left.name) < (right.endsAt?.milliseconds ?? 0, right.name)
        }
        let firsts = Dictionary(grouping: others.filter { !$0.isThere }) { projects[$0.name] ?? "" }
            .values.map { $0.sorted(by: isEarlier) }
            // The project whose turn was longest ago.
            .sorted { left, right in
                let turns = [left, right].map { $0.compactMap { $0.triedAt?.milliseconds }.max() ?? 0 }
                return turns[0] == turns[1] ? isEarlier(left[0], right[0]) : turns[0] < turns[1]
            }
        let longest = firsts.map(\.count).max() ?? 0
        let turns = (0..<longest).flatMap { place in firsts.compactMap { place < $0.count ? $0[place] : nil } }
        return own + renewals + turns
    }

    /// Whether a server may order at its own authority where another one on the same database orders elsewhere. Servers
    /// whose settings differ would else obtain every certificate anew, in turn.
    ///
    /// - Parameters:
    ///   - since: when the other authority came into force.
    ///   - wasInForce: whether that of this server was in force before, while it ran.
    ///   - isAlone: whether no other server can be on the database.
    package static func mayChangeAuthority(
        since: Moment, wasInForce: Bool, isAlone: Bool, at now: Moment
    ) -> Bool {
        isAlone || now >= since.adding(seconds: wasInForce ? day : hour) || since > now.adding(seconds: hour)
    }

    /// Every minute in the first hour and then less often, until every ten minutes.
    private static func pauseBetweenLooks(_ state: CertificateState, at now: Moment) -> Int64 {
        let age = now.seconds - state.seenAt.seconds
        return age < hour ? minute - 5 : min(10 * minute, age / 60)
    }

    /// Two thirds into a certificate's life, and up to a 24th of it later, so that certificates made together are not
    /// renewed together.
    ///
    /// - Parameter share: 0 to 1, drawn for each certificate.
    package static func renewal(from begin: Moment, until end: Moment, share: Double) -> Moment {
        let life = Double(max(0, end.milliseconds - begin.milliseconds))
        return Moment(
            milliseconds: begin.milliseconds + Int64((life * (2.0 / 3 + min(max(share, 0), 1) / 24)).rounded()))
    }

    /// Seconds until the next order after the authority has refused this many in a row: one hour, two, four, until a
    /// day.
    ///
    /// - Parameters:
    ///   - wanted: what the authority has asked for (`Retry-After`).
    ///   - share: 0 to 1; up to a tenth is added, so that nodes and names do not come together.
    package static func pause(afterRefusals failures: Int, wanted: Int64?, share: Double) -> Int64 {
        let own = min(day, hour << Int64(min(max(failures, 1) - 1, 5)))
        return lengthened(max(own, min(wanted ?? 0, 7 * day)), by: share)
    }

    /// Seconds until the next order after the authority was not reached, which it does not count: five minutes, ten,
    /// until an hour.
    package static func pause(afterSilences failures: Int, share: Double) -> Int64 {
        lengthened(min(hour, 5 * minute << Int64(min(max(failures, 1) - 1, 4))), by: share)
    }

    private static func lengthened(_ seconds: Int64, by share: Double) -> Int64 {
        seconds + Int64(Double(seconds) * 0.1 * min(max(share, 0), 1))
    }

    // MARK: How

    /// - Parameters:
    ///   - offered: the types that the authority takes.
    ///   - hasPlainListener: whether there is a listener for port 80.
    ///   - failures: orders that have failed in a row; each one tries the other way.
    package static func challenge(
        among offered: [String], hasPlainListener: Bool, failures: Int
    ) -> ChallengeKind? {
        let usable = ChallengeKind.usable(hasPlainListener: hasPlainListener).filter { offered.contains($0.type) }
        return usable.isEmpty ? nil : usable[max(0, failures) % usable.count]
    }
}
