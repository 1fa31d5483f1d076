// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore
import HomingWire

/// A provider's URL in parts, as a form asks for them one by one.
extension MailProvider {
    package struct Part: Sendable {
        /// For people, such as `region`.
        package let name: String
        package let isRequired: Bool
    }

    /// The parts besides the secret, in the order of the URL.
    package var parts: [Part] {
        [userName, placeName].compactMap(\.self).map { Part(name: $0, isRequired: true) }
            + parameters.filter { !Self.isExperts($0.name) }.map { Part(name: $0.name, isRequired: $0.isRequired) }
    }

    /// Whether a parameter is for people who write the URL themselves.
    private static func isExperts(_ name: String) -> Bool { name.utf8.elementsEqual("token-url".utf8) }

    /// The URL that has these parts, by their names, without a secret.
    package func url(of parts: [String: String]) -> String {
        func part(_ name: String?) -> String { name.flatMap { parts[$0] } ?? "" }
        let user = userName == nil ? "" : "\(percentEncoded(part(userName)))@"
        let query = parameters.compactMap { parameter in
            let value = part(parameter.name)
            return value.isEmpty ? nil : "\(parameter.name)=\(percentEncoded(value))"
        }
        return "\(scheme):\(placeName == nil ? "" : "//")\(user)\(written(part(placeName)))"
            + (query.isEmpty ? "" : "?\(query.joined(separator: "&"))")
    }

    /// A place as the URL has it.
    private func written(_ place: String) -> String {
        if placeIsURL {
            let scheme = "https://"
            return place.utf8.starts(with: scheme.utf8) ? String(place.dropFirst(scheme.utf8.count)) : place
        }
        let encoded = percentEncoded(place)
        return placeIsMailbox ? encoded.replacing("%40", with: "@") : encoded
    }

    /// The parts of a URL of this provider, by their names; nil where it says something that no part has, such as an
    /// endpoint.
    package func parts(of url: String) -> [String: String]? {
        guard let read = try? MailURL(parsing: url, for: self), read.endpoint == nil, read.authorityFile == nil,
            read.connections == nil, read.secretFile == nil, !read.parameters.keys.contains(where: Self.isExperts)
        else { return nil }
        var parts = read.parameters
        if let userName { parts[userName] = read.user }
        if let placeName { parts[placeName] = placeIsURL ? read.written : read.place }
        // The secret that is kept is of one spelling of the place.
        let again = try? MailURL(parsing: self.url(of: parts), for: self)
        return again?.destination == read.destination ? parts : nil
    }
}
