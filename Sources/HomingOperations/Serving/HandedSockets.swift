// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingListener
internal import HomingServer
package import HomingStore
internal import HomingWire

/// A listener, by the name that its socket has in a unit (`FileDescriptorName=`).
package enum ListenerName: String, Sendable, CaseIterable {
    case open = "public"
    case admin = "admin"
    case redirect = "redirect"

    /// The setting that names the listener's address.
    package var flag: String {
        switch self {
        case .open: "listen"
        case .admin: "admin-listen"
        case .redirect: "redirect-listen"
        }
    }
}

/// The sockets that a service manager has opened, keeps, and hands to the process that it starts (sd_listen_fds(3)):
/// descriptors from 3 on, counted by LISTEN_FDS, for the process LISTEN_PID, with names in LISTEN_FDNAMES.
package struct HandedSockets: Sendable, Equatable {
    package private(set) var descriptors: [ListenerName: CInt] = [:]

    private static let first: CInt = 3

    /// Gives each socket to the listener that it is called by. Sockets that only have their unit's name go to the
    /// public and the admin listener, as far as these are left, in order.
    ///
    /// - Throws: a sentence for whoever wrote the unit.
    package init(environment: [String: String], process: Int32) throws(Refusal) {
        guard let count = environment["LISTEN_FDS"], let target = environment["LISTEN_PID"] else { return }
        // The variables of a parent that did not unset them are about the parent.
        guard ASCII.number(Substring(target), atMost: Int(Int32.max)) == Int(process) else { return }
        guard let count = ASCII.number(Substring(count), atMost: 1_024) else {
            throw .invalidSetting(
                "LISTEN_FDS=\(Printable.line(count, atMost: 100)) is not a number of sockets: unset it")
        }
        let names = try Self.names(environment["LISTEN_FDNAMES"], count: count)
        var unnamed: [CInt] = []
        for (descriptor, name) in zip(Self.first..., names) {
            if let listener = ListenerName(rawValue: name) {
                guard descriptors.updateValue(descriptor, forKey: listener) == nil else {
                    throw .invalidSetting("two sockets are called \(name): give each listener one ListenStream=")
                }
            } else if Self.isNameOfUnit(name) {
                unnamed.append(descriptor)
            } else {
                throw .invalidSetting(
                    "no listener is called \(Printable.line(name, atMost: 100)): FileDescriptorName= is public, admin or redirect; "
                        + "without it the first ListenStream= is the public listener's, the second the admin listener's"
                )
            }
        }
        for descriptor in unnamed {
            guard let listener = [.open, .admin].first(where: { descriptors[$0] == nil }) else {
                throw .invalidSetting(
                    "\(count) sockets are handed over for two listeners: give one ListenStream= for the public listener and "
                        + "one for the admin listener")
            }
            descriptors[listener] = descriptor
        }
    }

    private static func names(_ text: String?, count: Int) throws(Refusal) -> [String] {
        guard let text, !text.isEmpty else { return Array(repeating: "", count: count) }
        let names = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard names.count == count else {
            throw .invalidSetting(
                "LISTEN_FDNAMES has \(names.count) names for the \(count) sockets of LISTEN_FDS: give as many")
        }
        return names
    }

    /// systemd's names for a socket that its unit does not name.
    private static func isNameOfUnit(_ name: String) -> Bool {
        name.isEmpty || name == "unknown" || name.hasSuffix(".socket")
    }

    /// The sockets themselves.
    ///
    /// - Throws: a sentence for whoever wrote the unit.
    package func listening() throws(Refusal) -> [ListenerName: ListeningSocket] {
        var sockets: [ListenerName: ListeningSocket] = [:]
        for (listener, descriptor) in descriptors {
            do throws(UnusableSocket) {
                sockets[listener] = try ListeningSocket(heldElsewhere: descriptor)
            } catch {
                throw .invalidSetting(
                    "the \(listener.rawValue) listener cannot use descriptor \(descriptor), which LISTEN_FDS hands over: it "
                        + "\(error.reason); give ListenStream= an address with a port, such as 127.0.0.1:9099, and Accept=no"
                )
            }
        }
        return sockets
    }
}
