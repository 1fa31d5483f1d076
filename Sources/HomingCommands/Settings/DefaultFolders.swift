// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What defaults depend on: who runs the program, and where.
package struct DefaultFolders: Sendable {
    package let dataFolder: String
    package let configurationFolder: String
    package let isTerminal: Bool

    /// - Parameters:
    ///   - isRoot: root keeps things where services keep them, everybody else where the XDG base directory
    ///     specification says.
    ///   - isTerminal: whether stderr is read by a person.
    package init(environment: [String: String], isRoot: Bool, isTerminal: Bool) {
        self.isTerminal = isTerminal
        guard !isRoot else {
            dataFolder = "/var/lib/homing"
            configurationFolder = "/etc/homing"
            return
        }
        let home = environment["HOME"].flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil } ?? Self.homeOfUser
        /// The specification has relative paths ignored.
        func folder(_ variable: String, _ fallback: String) -> String {
            let named = environment[variable].flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
            return "\(named ?? "\(home)/\(fallback)")/homing"
        }
        dataFolder = folder("XDG_DATA_HOME", ".local/share")
        configurationFolder = folder("XDG_CONFIG_HOME", ".config")
    }

    /// This process.
    package init(environment: [String: String]) {
        self.init(environment: environment, isRoot: geteuid() == 0, isTerminal: isatty(STDERR_FILENO) == 1)
    }

    /// Read without `--config`, if it is there.
    package var configurationPath: String {
        "\(configurationFolder)/homing.yaml"
    }

    private static var homeOfUser: String {
        guard let entry = getpwuid(geteuid()), let folder = entry.pointee.pw_dir else { return "/" }
        return String(cString: folder)
    }
}
