// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
import HomingCore
import HomingLinkRules
package import HomingListener
internal import HomingServer
package import HomingStore
internal import HomingWire
internal import NIOCore

/// The program that has started this one and looks after it, such as systemd: it may have opened the sockets, wants to
/// hear how the server is (sd_notify(3)), and restarts one that falls silent (sd_watchdog_enabled(3)).
///
/// Started by anybody else, there are no sockets, and what is told goes nowhere.
package struct ServiceManager: Sendable {
    package let sockets: [ListenerName: ListeningSocket]
    private let ear: Ear?
    /// The silence after which the server is restarted; nil when nobody listens for it.
    package let longestSilence: Duration?

    package init(environment: [String: String], process: Int32) throws(Refusal) {
        sockets = try HandedSockets(environment: environment, process: process).listening()
        ear = environment["NOTIFY_SOCKET"].flatMap(Ear.init)
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int($0) } ?? 0
        let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
        longestSilence = microseconds > 0 && isMeant ? .microseconds(microseconds) : nil
    }

    /// The manager of this process. Its variables are taken out of the environment, as no other process is meant.
    package static func take(_ environment: [String: String]) throws(Refusal) -> ServiceManager {
        let names = [
            "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID",
        ]
        for name in names { unsetenv(name) }
        return try ServiceManager(environment: environment, process: getpid())
    }

    /// The addresses of the sockets, which stand before every setting.
    package var flags: [String: String] {
        Dictionary(
            uniqueKeysWithValues: sockets.map { name, socket in
                (name.flag, "\(socket.host.contains(":") ? "[\(socket.host)]" : socket.host):\(socket.port)")
            })
    }

    /// A sentence for each address that was set and is not that of the socket which stands before it.
    ///
    /// - Parameter sockets: ``flags``.
    package static func differences(of settings: Settings, from sockets: [String: String]) -> [String] {
        settings.entries.compactMap { entry in
            guard entry.source != .standard, let value = entry.value, let socket = sockets[entry.setting.flag],
                !value.utf8.elementsEqual(socket.utf8)
            else { return nil }
            return "the socket \(socket) was handed over and stands before \(entry.setting.key)=\(entry.shown ?? "") "
                + "(\(entry.source)): change ListenStream= in the socket's unit, or take the setting out"
        }
    }

    /// A notice, in systemd's words.
    package enum Notice: Sendable, Equatable {
        case ready
        case stopping
        /// Settings are being read again; ``ready`` is the end of it.
        case reloading
        /// The server works.
        case working
        /// One sentence for `systemctl status`.
        case status(String)
        /// What is under way takes as long as this, or until the next such notice.
        case moreTime(seconds: Int)

        package var text: String {
            switch self {
            case .ready: "READY=1"
            case .stopping: "STOPPING=1"
            case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(Self.microsecondsSinceBoot)"
            case .working: "WATCHDOG=1"
            case .status(let sentence): "STATUS=\(Printable.line(sentence, atMost: 400))"
            case .moreTime(let seconds): "EXTEND_TIMEOUT_USEC=\(seconds)000000"
            }
        }

        private static var microsecondsSinceBoot: UInt64 {
            NIODeadline.now().uptimeNanoseconds / 1_000
        }
    }

    package func tell(_ notices: Notice...) {
        ear?.hear(notices.map(\.text).joined(separator: "\n"))
    }

    /// Asks for more time as long as the body runs, however long a migration or the recovery of a database takes.
    package func givingTime<Answer: Sendable>(to body: () async throws -> Answer) async rethrows -> Answer {
        async let _ = askForTime()
        return try await body()
    }

    private func askForTime() async {
        while !Task.isCancelled {
            tell(.moreTime(seconds: 30))
            try? await Task.sleep(for: .seconds(10))
        }
    }
}

/// The Unix socket that takes notices: a path, or a name without a file that begins with `@`.
private struct Ear: Sendable {
    private let path: [UInt8]

    init?(_ name: String) {
        var path = Array(name.utf8)
        guard let kind = path.first, kind == UInt8(ascii: "/") || kind == UInt8(ascii: "@"),
            path.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        else { return nil }
        if kind == UInt8(ascii: "@") { path[0] = 0 }
        self.path = path
    }

    /// A notice that does not arrive changes nothing here: whoever waits for it acts on its absence.
    func hear(_ text: String) {
        #if canImport(Glibc)
            let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
        #endif
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        // A name without a file is as long as it is told to be; a path ends at its NUL either way.
        let length = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map { $0 + path.count } ?? 0)
        let bytes = Array(text.utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                sendto(descriptor, bytes, bytes.count, 0, pointer, length)
            }
        }
    }
}
