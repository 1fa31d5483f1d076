// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// What the DNS says of a sender domain for DMARC (RFC 9989, section 4.10): the policies at it and above it, and the
/// organisation that it belongs to.
package struct DMARCPolicy: Sendable, Equatable {
    package enum Fault: Error, Equatable {
        /// No name server answers for this name.
        case unknown(String)
        /// Several policies at this name, so that none counts.
        case several(String, count: Int)
    }

    /// What receivers shall do with mails that are not the domain's own, in the order of its strength.
    package enum Wish: String, Sendable, Comparable {
        case nothing = "none"
        case quarantine, reject

        package static func < (left: Wish, right: Wish) -> Bool { left.strength < right.strength }
        private var strength: Int { self == .nothing ? 0 : self == .quarantine ? 1 : 2 }
    }

    /// In lower case.
    package let domain: String
    /// The domain at the root of the organisation's names.
    package let organisation: String
    /// Where the record that counts stands; nil where there is none.
    package let place: String?
    package let record: TagList?

    /// Asks at the domain, then upwards label by label: at most eight questions (section 4.10).
    package static func find(for domain: String, by names: any NameService) async throws(Fault) -> DMARCPolicy {
        let domain = ASCII.lowercased(domain)
        var found: [(domain: String, record: TagList)] = []
        for place in places(for: domain) {
            let name = "_dmarc.\(place)"
            guard let texts = await names.look(up: name, .txt).found else { throw .unknown(name) }
            let records = texts.map(TagList.init).filter { $0.tags.first?.name == "v" && $0["v"] == "DMARC1" }
            // Above the domain several count as none.
            if records.count > 1, found.isEmpty { throw .several(name, count: records.count) }
            guard records.count == 1 else { continue }
            found.append((place, records[0]))
            let isPublicSuffix = records[0]["psd"].map { ASCII.lowercased($0) }
            if isPublicSuffix == "n" || (isPublicSuffix == "y" && place.utf8.count < domain.utf8.count) { break }
        }
        let organisation = organisation(of: domain, found)
        let own = found.first { $0.domain.utf8.count == domain.utf8.count }
        let counting = own ?? found.first { $0.domain.utf8.elementsEqual(organisation.utf8) } ?? found.last
        return DMARCPolicy(
            domain: domain, organisation: organisation, place: counting?.domain, record: counting?.record)
    }

    /// The domain and those above it, without the labels between where there are more than eight.
    package static func places(for domain: String) -> [String] {
        let labels = domain.split(separator: ".")
        guard labels.count > 8 else { return labels.indices.map { labels[$0...].joined(separator: ".") } }
        return [domain] + (1...7).reversed().map { labels.suffix($0).joined(separator: ".") }
    }

    private static func organisation(of domain: String, _ found: [(domain: String, record: TagList)]) -> String {
        guard let last = found.last else { return domain }
        guard ASCII.lowercased(last.record["psd"] ?? "") == "y", last.domain.utf8.count < domain.utf8.count else {
            return last.domain
        }
        // One label below the public suffix.
        let below = last.domain.split(separator: ".").count + 1
        return domain.split(separator: ".").suffix(below).joined(separator: ".")
    }

    private var isOwn: Bool { place?.utf8.count == domain.utf8.count }

    /// What the record asks for, as it is written; nil where it says nothing.
    package var written: String? {
        record.flatMap { isOwn ? $0["p"] : $0["sp"] ?? $0["p"] }
    }

    /// Nil for a word that no receiver knows. A missing one means none (section 4.7), and so does no record.
    package var wish: Wish? {
        guard let written else { return .nothing }
        guard let wish = Wish(rawValue: ASCII.lowercased(written)) else { return nil }
        // A policy under test is taken for the next weaker one.
        guard ASCII.lowercased(record?["t"] ?? "") == "y" else { return wish }
        return wish == .reject ? .quarantine : .nothing
    }

    /// Whether another domain counts as the sender's own: the same one, or, unless the record wants it strict, one of
    /// the same organisation (section 4.4).
    package func isAligned(_ other: String, strictly tag: String, by names: any NameService) async throws(Fault) -> Bool
    {
        let other = ASCII.lowercased(other)
        if ASCII.areEqual(other, domain) { return true }
        if ASCII.lowercased(record?[tag] ?? "") == "s" { return false }
        return ASCII.areEqual(try await Self.find(for: other, by: names).organisation, organisation)
    }
}
