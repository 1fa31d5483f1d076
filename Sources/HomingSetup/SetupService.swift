// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingCurl
package import HomingOperations
import HomingStore
import HomingWire

/// The service of this machine's systemd, which runs the server on root's settings.
package struct SetupService: Sendable {
    private static let units = "/etc/systemd/system"
    private static let service = "homing.service"
    private static let socket = "homing.socket"
    private static let redirect = "homing-redirect.socket"
    private static let redirectUnit = "\(units)/\(redirect)"
    private static let dropIn = "\(units)/\(socket).d/setup.conf"

    /// Nil where systemd does not run, has no unit of ours, or where it is not root's own settings that are written.
    init?(configuration: String) {
        let folders = [Self.units, "/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"]
        guard geteuid() == 0, configuration == "/etc/homing/homing.yaml",
            FileManager.default.fileExists(atPath: "/run/systemd/system"),
            folders.contains(where: { FileManager.default.fileExists(atPath: "\($0)/\(Self.service)") })
        else { return nil }
    }

    /// Whether systemd holds the ports.
    func holdsPorts() async throws -> Bool { try await isActive(Self.socket) }

    /// Opens the ports of the settings and has the server run with them; returns once it answers.
    ///
    /// - Parameter isChanged: whether a server that runs has older settings.
    func start(_ settings: Settings, isChanged: Bool) async throws {
        let units = Self.texts(for: settings).filter { path, text in
            (try? String(contentsOfFile: path, encoding: .utf8)) != text
        }
        let (isActive, holdsPorts) = (try await isActive(Self.service), try await holdsPorts())
        // systemd opens no ports while others of the same unit are open, or for a service that has opened its own.
        // Stopped first, so that whoever finds the new texts knows that nothing runs with the old ones.
        let isStopped = !units.isEmpty || isActive && !holdsPorts
        if isStopped { _ = try await systemctl("stop", Self.socket, Self.redirect, Self.service) }
        if units.contains(where: { $0.path == Self.redirectUnit && $0.text == nil }) {
            try await demand("disable", Self.redirect)
        }
        for (path, text) in units { try Self.write(text, to: path) }
        if !units.isEmpty { try await demand("daemon-reload") }
        let sockets = [Self.socket] + (settings.redirectListen == nil ? [] : [Self.redirect])
        try await demand(["enable", "--now"] + sockets + [Self.service])
        if isActive, isChanged, !isStopped { try await demand("restart", Self.service) }
    }

    private func isActive(_ unit: String) async throws -> Bool {
        try await systemctl("is-active", "--quiet", unit).status == 0
    }

    /// What the units need beside what they are installed with, by path; an empty text is a file that is not needed.
    package static func texts(for settings: Settings) -> [(path: String, text: String?)] {
        let header = "# Written by homing setup, from the listeners in /etc/homing/homing.yaml.\n"
        let isShipped =
            settings.listen.description == "127.0.0.1:9099" && settings.adminListen.description == "127.0.0.1:9098"
        let ports =
            isShipped
            ? nil
            : """
            \(header)[Socket]
            ListenStream=
            ListenStream=\(settings.listen)
            ListenStream=\(settings.adminListen)

            """
        let redirect = settings.redirectListen.map { address in
            """
            \(header)[Unit]
            Description=Port 80 of Homing

            [Socket]
            ListenStream=\(address)
            FileDescriptorName=redirect
            Service=\(service)

            [Install]
            WantedBy=sockets.target

            """
        }
        return [(dropIn, ports), (redirectUnit, redirect)]
    }

    private static func write(_ text: String?, to path: String) throws {
        do {
            guard let text else { return try FileManager.default.removeItem(atPath: path) }
            try FileManager.default.createDirectory(
                atPath: FilePath.folder(of: path), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            // systemd warns of units that not everybody may read.
            chmod(path, 0o644)
        } catch {
            throw Refusal.invalidSetting("\(path) cannot be written: \(error.localizedDescription)")
        }
    }

    // MARK: systemctl

    private func demand(_ words: String...) async throws { try await demand(words) }

    private func demand(_ words: [String]) async throws {
        let done = try await systemctl(words)
        guard done.status == 0 else {
            let said = try? await Self.run(["journalctl", "-u", Self.service, "-n", "1", "-o", "cat", "--no-pager"])
            let last = said?.output.split(whereSeparator: \.isNewline).last.map { "; its last words: \($0)" } ?? ""
            let why = done.output.split(whereSeparator: \.isNewline).first.map(String.init) ?? "status \(done.status)"
            throw Refusal.invalidSetting(
                "systemctl \(words.joined(separator: " ")) failed (\(Printable.line(why, atMost: 200)))"
                    + "\(Printable.line(last, atMost: 400)); see journalctl -u homing, then run homing setup again")
        }
    }

    private func systemctl(_ words: String...) async throws -> (status: Int32, output: String) {
        try await systemctl(words)
    }

    private func systemctl(_ words: [String]) async throws -> (status: Int32, output: String) {
        try await Self.run(["systemctl"] + words)
    }

    private static func run(_ words: [String]) async throws -> (status: Int32, output: String) {
        try await OwnThread.run { Result { try Self.wait(for: words) } }.get()
    }

    /// (Foundation waits for every process that the program leaves behind, too.)
    private static func wait(for words: [String]) throws -> (status: Int32, output: String) {
        var path = Array("\(NSTemporaryDirectory())homing-setup-XXXXXX".utf8CString)
        let output = mkstemp(&path)
        guard output >= 0 else { throw cannotRun(words[0], errno) }
        unlink(path)
        let file = FileHandle(fileDescriptor: output, closeOnDealloc: true)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
        let arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let reason = posix_spawnp(&process, words[0], &actions, nil, arguments, environ)
        guard reason == 0 else { throw cannotRun(words[0], reason) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        try file.seek(toOffset: 0)
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        return (status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F), text)
    }

    private static func cannotRun(_ program: String, _ reason: CInt) -> Refusal {
        .invalidSetting("\(program) cannot be run (\(String(cString: strerror(reason)))): run homing setup again")
    }
}
