// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// How many files and sockets the process may have open.
package enum OpenFiles {
    /// What the database, the relay, the logs and the listeners themselves need beside the connections.
    static let reserve = 256

    /// Raises the soft limit to the hard one where that is needed for so many connections on each of two listeners.
    ///
    /// - Parameter connections: the cap of one listener; 0 is no cap, then the limit is raised as far as it goes.
    /// - Returns: a sentence for the operator when the limit stays below what the connections need, else nil.
    package static func raise(forConnections connections: Int) -> String? {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else {
            return "The limit of open files could not be read; many connections may fail."
        }
        let needed = connections > 0 ? rlim_t(2 * connections + reserve) : limit.rlim_max
        if limit.rlim_cur < needed {
            var raised = limit
            raised.rlim_cur = min(needed, limit.rlim_max)
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return warning(connections: connections, soft: UInt64(limit.rlim_cur))
    }

    /// The sentence for a soft limit that is too low; nil when it is high enough.
    static func warning(connections: Int, soft: UInt64) -> String? {
        guard connections > 0, soft < UInt64(connections + reserve) else { return nil }
        return "At most \(soft) files can be open, too few for HOMING_LIMIT_CONNECTIONS=\(connections): raise the limit "
            + "(ulimit -n, LimitNOFILE= in a systemd unit) to \(2 * connections + reserve) or lower the setting."
    }

    #if canImport(Glibc)
    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #else
    private static var resource: Int32 { RLIMIT_NOFILE }
    #endif
}
