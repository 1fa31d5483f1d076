// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The number of files and sockets that the process may have open.
package enum OpenFiles {
    /// The files of the database, the relay, the logs and the listeners themselves, beside the connections.
    package static let reserve = 256

    /// The number of connections that a listener can have, with a warning for the operator.
    package struct Allowance: Sendable, Equatable {
        /// The cap to use for each listener; 0 is no cap.
        package let connections: Int
        /// A sentence when the cap that was asked for does not fit, else nil.
        package let warning: String?

        package init(connections: Int, warning: String?) {
            self.connections = connections
            self.warning = warning
        }
    }

    /// Raises the soft limit to the need of so many connections on each listener, or as far as it goes.
    ///
    /// Where the limit is still too low the cap is lowered: without files left over, a full public listener would leave
    /// nothing for the admin listener and the database.
    ///
    /// - Parameters:
    ///   - connections: the cap of one listener; 0 is no cap, and stays one.
    ///   - listeners: how many there are.
    package static func raise(forConnections connections: Int, on listeners: Int) -> Allowance {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else {
            return Allowance(connections: connections, warning: "The limit of open files could not be read.")
        }
        let needed = connections > 0 ? rlim_t(listeners * connections + reserve) : limit.rlim_max
        if limit.rlim_cur < needed {
            var raised = limit
            raised.rlim_cur = min(needed, limit.rlim_max)
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return allowance(connections: connections, on: listeners, soft: Int(clamping: limit.rlim_cur))
    }

    /// The allowance under a soft limit.
    package static func allowance(connections: Int, on listeners: Int, soft: Int) -> Allowance {
        let needed = listeners * connections + reserve
        guard connections > 0, soft < needed else { return Allowance(connections: connections, warning: nil) }
        let possible = max(16, (soft - reserve) / listeners)
        return Allowance(
            connections: possible,
            warning: "Only \(soft) files can be open, so each listener takes \(possible) connections and not "
                + "HOMING_LIMIT_CONNECTIONS=\(connections): raise the limit (ulimit -n, LimitNOFILE= in a systemd unit) to "
                + "\(needed), or lower the setting."
        )
    }

    #if canImport(Glibc)
        private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #else
        private static var resource: Int32 { RLIMIT_NOFILE }
    #endif
}
