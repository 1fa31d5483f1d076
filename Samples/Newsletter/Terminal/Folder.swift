// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

/// What outlives the program, besides the session: a file for each, readable by its owner only.
struct Folder: Sendable {
    let url: URL

    /// - Parameter path: nil means a folder of the newsletter's among the user's application data.
    init(_ path: String?) {
        let standard = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        url =
            path.map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? (standard ?? FileManager.default.temporaryDirectory).appendingPathComponent("LighthouseLetters")
    }

    /// Which Homing it was the last time, for a start without the site.
    var settings: Site.Settings? {
        read("settings.json").flatMap { try? JSONDecoder().decode(Site.Settings.self, from: $0) }
    }

    func keep(_ settings: Site.Settings) throws {
        try write(JSONEncoder().encode(settings), "settings.json")
    }

    /// The address that a sign-in link was asked for. The link does not tell it, so that nobody who finds it can use
    /// it.
    var askedAddress: String? {
        read("asked").map { String(decoding: $0, as: UTF8.self) }
    }

    func keep(askedAddress: String?) throws {
        try write(askedAddress.map { Data($0.utf8) }, "asked")
    }

    private func read(_ name: String) -> Data? {
        try? Data(contentsOf: url.appendingPathComponent(name))
    }

    private func write(_ data: Data?, _ name: String) throws {
        let path = url.appendingPathComponent(name).path
        guard let data else {
            if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
            return
        }
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard FileManager.default.createFile(atPath: path, contents: data, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
    }
}
