// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
import HomingCore
package import HomingListener
internal import HomingServer
package import HomingStore

/// The sockets of both listeners, those that were handed over first; or one line that names the address that is not
/// available and the remedy.
package struct Sockets: Sendable {
    package let open: ListeningSocket
    package let admin: ListeningSocket
    package let redirect: ListeningSocket?

    package init(_ settings: Settings, handed: [ListenerName: ListeningSocket]) throws(Refusal) {
        open = try Self.socket(.open, handed, settings.listen, variable: "HOMING_LISTEN", key: "listen")
        admin = try Self.socket(
            .admin, handed, settings.adminListen, variable: "HOMING_ADMIN_LISTEN", key: "admin.listen")
        redirect = try settings.redirectListen.map { (address) throws(Refusal) in
            try Self.socket(
                .redirect, handed, address, variable: "HOMING_REDIRECT_LISTEN", key: "redirect.listen")
        }
    }

    /// Whether a listener could be opened: opens it, and closes it again.
    package static func probe(_ name: ListenerName, _ address: ListenAddress) throws(Refusal) {
        let key = name == .open ? "listen" : "\(name.rawValue).listen"
        let variable = name == .open ? "HOMING_LISTEN" : "HOMING_\(name.rawValue.uppercased())_LISTEN"
        try socket(name, [:], address, variable: variable, key: key).discard()
    }

    private static func socket(
        _ name: ListenerName, _ handed: [ListenerName: ListeningSocket], _ address: ListenAddress, variable: String,
        key: String
    ) throws(Refusal) -> ListeningSocket {
        if let socket = handed[name] { return socket }
        do throws(ListeningFault) {
            return try ListeningSocket(host: address.host, port: address.port)
        } catch {
            let way =
                switch error.reason {
                case EADDRINUSE: "stop what listens there (ss -ltnp), or give \(variable) (\(key)) another port"
                case EACCES:
                    "ports below 1024 want root or CAP_NET_BIND_SERVICE; give \(variable) (\(key)) another port"
                case EADDRNOTAVAIL, nil:
                    "give \(variable) (\(key)) an address of this machine, such as 127.0.0.1 or 0.0.0.0"
                default: "give \(variable) (\(key)) another host:port"
                }
            let reason = error.reason.map { String(cString: strerror($0)) } ?? "the host has no address"
            throw .invalidSetting(
                "the \(name.rawValue) listener cannot have \(error.host):\(error.port): \(reason); \(way)")
        }
    }
}
