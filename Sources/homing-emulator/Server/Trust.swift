// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// Which names lead here, and which pages may do everything.
///
/// Whoever can run a program on this machine may do anything, and is meant to. A page of the web is not: a browser on
/// this machine sends its requests to loopback ports too, and a host name that changes its address (DNS rebinding) lets
/// it read the answers.
struct Trust: Sendable {
    /// Pages elsewhere that the operator named, in lower case.
    private let origins: Set<String>

    init(origins: [String]) { self.origins = Set(origins) }

    /// An origin as browsers send it (RFC 6454 section 6.2), or `null`, which pages without one send; nil for anything
    /// else. A slash at its end goes.
    static func origin(_ text: String) -> String? {
        let text = ASCII.lowercased(text.utf8.last == UInt8(ascii: "/") ? String(text.dropLast()) : text)
        if ASCII.areEqual(text, "null") { return text }
        guard let authority = authority(of: text), !authority.isEmpty,
            authority.utf8.allSatisfy({ ASCII.isVisible($0) && !"/?#@\\,*".utf8.contains($0) })
        else { return nil }
        return text
    }

    // MARK: Names

    /// Refuses a request to a name that is none of this machine's. No browser leaves the name out.
    func check(host authority: String?) throws(Fault) {
        guard let authority else { return }
        let name = Self.name(in: authority)
        guard !Self.isLoopback(name), !Self.areNamed(name, by: origins) else { return }
        // So does Android's emulator call the machine that it runs on.
        guard !ASCII.areEqual(name, "10.0.2.2") else { return }
        throw Fault.forbidden(
            "This emulator answers to localhost, names that end in .localhost, 127.0.0.1, [::1] and 10.0.2.2, not to "
                + "\(name): a page of the web may have sent this request. If you did, start homing-emulator with "
                + "--allow-origin http://\(name).")
    }

    private static func areNamed(_ name: String, by origins: Set<String>) -> Bool {
        origins.contains { origin in
            authority(of: origin).map { ASCII.areEqual(Self.name(in: $0), name) } ?? false
        }
    }

    // MARK: Pages

    /// Whether a request comes from no page, from a page of this machine, or from one that the operator named.
    func covers(origin: String?) -> Bool {
        guard let origin = origin.map({ ASCII.lowercased($0) }) else { return true }
        return origins.contains(origin)
            || Self.authority(of: origin).map { Self.isLoopback(Self.name(in: $0)) } ?? false
    }

    func check(origin: String?) throws(Fault) {
        guard let origin, !covers(origin: origin) else { return }
        throw Fault.forbidden(
            "Only pages on localhost may do this, with Bearer owner, below /emulator/ or by DELETE; this one is of "
                + "\(origin). If it is yours, start homing-emulator with --allow-origin \(origin).")
    }

    // MARK: Reading

    private static func authority(of origin: String) -> Substring? {
        let bytes = origin.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
            return nil
        }
        return origin[bytes.index(colon, offsetBy: 3)...]
    }

    /// The host of an authority, in lower case and without its port.
    private static func name(in authority: some StringProtocol) -> String {
        let text = ASCII.lowercased(authority)
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
            text.utf8[text.utf8.index(after: colon)...].allSatisfy(ASCII.isDigit)
        else { return text }
        return String(text[..<colon])
    }

    /// `localhost`, all below it, 127.0.0.0/8 and ::1, as browsers write them.
    private static func isLoopback(_ name: String) -> Bool {
        if ASCII.areEqual(name, "localhost") || ASCII.areEqual(name, "[::1]") { return true }
        let labels = ASCII.split(name, at: UInt8(ascii: "."))
        if labels.count > 1, ASCII.areEqual(labels[labels.count - 1], "localhost") { return true }
        return labels.count == 4 && ASCII.areEqual(labels[0], "127")
            && labels.allSatisfy { ASCII.number($0, atMost: 255) != nil }
    }
}
