// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The facts on which defaults depend: the user of the program, and the folders.
package struct DefaultFolders: Sendable {
    package let dataFolder: String
    package let configurationFolder: String
    package let isTerminal: Bool

    /// - Parameters:
    ///   - isRoot: root uses the folders of services, everybody else those of the XDG base directory specification.
    ///   - isTerminal: whether a person reads stderr.
    package init(environment: [String: String], isRoot: Bool, isTerminal: Bool) {
        self.isTerminal = isTerminal
        guard !isRoot else {
            dataFolder = "/var/lib/homing"
            configurationFolder = "/etc/homing"
            return
        }
        let home = environment["HOME"].flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil } ?? Self.homeOfUser
        /// The specification ignores relative paths.
        func folder(_ variable: String, _ fallback: String) -> String {
            let named = environment[variable].flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
            return "\(named ?? "\(home)/\(fallback)")/homing"
        }
        dataFolder = folder("XDG_DATA_HOME", ".local/share")
        configurationFolder = folder("XDG_CONFIG_HOME", ".config")
    }

    /// The folders of this process.
    package init(environment: [String: String]) {
        self.init(environment: environment, isRoot: geteuid() == 0, isTerminal: isatty(STDERR_FILENO) == 1)
    }

    /// The file that is read without `--config`, if it exists.
    package var configurationPath: String {
        "\(configurationFolder)/homing.yaml"
    }

    private static var homeOfUser: String {
        guard let entry = getpwuid(geteuid()), let folder = entry.pointee.pw_dir else { return "/" }
        return String(cString: folder)
    }
}
