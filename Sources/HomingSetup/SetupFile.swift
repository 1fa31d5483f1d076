// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingOperations
import HomingStore

#if canImport(Glibc)
    // The compiler takes whichever of these it loads first for the home of `stat`.
    import CDispatch
    import CoreFoundation
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The `homing.yaml` that setup writes: what the file holds, with the answers in it.
struct SetupFile: Sendable {
    let path: String
    /// The answers, by key.
    let changes: [String: String]

    /// Whether the file would be another one.
    var isNew: Bool {
        get throws {
            let path = FilePath.resolved(path)
            let old = try SettingsFile.text(path: path, isRequired: false)
            return try Self.text(old ?? SettingsDocument.example, with: changes, path: path) != old
        }
    }

    /// Writes the answers into the file as it is now, in one step: a crash leaves the old file or the new one.
    ///
    /// - Parameter group: whose members may read a new file, beside root; nil is nobody.
    /// - Returns: whether the file is another one now.
    func write(group: gid_t?) throws -> Bool {
        try Self.refuseForeignLink(path)
        let path = FilePath.resolved(path)
        let old = try SettingsFile.text(path: path, isRequired: false)
        let text = try Self.text(old ?? SettingsDocument.example, with: changes, path: path)
        guard text != old else {
            if let group { Self.share(path, with: group) }
            return false
        }
        let draft = path + ".new"
        do {
            try makeFolder(of: path, group: group)
            try write(text, to: draft, like: old == nil ? nil : path, group: group)
            guard rename(draft, path) == 0 else { throw Fault(reason: errno) }
            let folder = open(FilePath.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            if folder >= 0 {
                fsync(folder)
                close(folder)
            }
        } catch let fault as Fault {
            unlink(draft)
            throw Refusal.invalidSetting(
                "\(path) cannot be written (\(String(cString: strerror(fault.reason)))): \(fault.advice)")
        }
        return true
    }

    /// The text with the answers, once YAML reads every answer back from it and everything else as before.
    static func text(_ old: String, with changes: [String: String], path: String) throws(SettingsFault) -> String {
        let before = try SettingsFile(path: path, text: old).values.mapValues(\.0)
        var text = SettingsText(old)
        // In the table's order, so that what is added stands in the order of the example.
        for setting in Setting.all {
            guard let value = changes[setting.key], before[setting.key] != value else { continue }
            text.set(setting.key, to: value)
        }
        let wanted = before.merging(changes) { $1 }
        let read = try? SettingsFile(path: path, text: text.text).values.mapValues(\.0)
        guard read == wanted else {
            let keys = changes.keys.filter { read?[$0] != changes[$0] }.sorted()
            throw SettingsFault(
                "\(path) is written in a way that homing setup does not change: set "
                    + "\((keys.isEmpty ? changes.keys.sorted() : keys).joined(separator: ", ")) there yourself, then run it again."
            )
        }
        return text.text
    }

    /// A link that another user has made could lead root anywhere.
    private static func refuseForeignLink(_ path: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, status.st_uid != geteuid() else { return }
        throw Refusal.invalidSetting(
            "\(path) is a symbolic link of another user, who could lead it anywhere: remove it, or name its target with --config"
        )
    }

    /// Lets the server read a file that somebody has written as root. Whoever can replace the file has another one
    /// shared by it, unless that is root's own; so it has to be, and must not be a link.
    private static func share(_ path: String, with group: gid_t) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, isSafe(FilePath.folder(of: path)),
            status.st_gid != group || status.st_mode & 0o040 == 0
        else { return }
        fchown(descriptor, status.st_uid, group)
        fchmod(descriptor, status.st_mode & 0o770 | 0o040)
    }

    /// Whether nobody but root can replace a file of root's in a folder.
    private static func isSafe(_ folder: String) -> Bool {
        var status = stat()
        return lstat(folder, &status) == 0 && status.st_uid == 0
            && (status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0)
    }

    private struct Fault: Error {
        let reason: CInt

        var advice: String {
            switch reason {
            case ENOSPC, EDQUOT: "free some space there; the file is as it was"
            case EACCES, EPERM, EROFS: "run homing setup as root, or name another file with --config PATH"
            default: "name another file with --config PATH"
            }
        }
    }

    private func makeFolder(of path: String, group: gid_t?) throws(Fault) {
        let folder = FilePath.folder(of: path)
        guard !FileManager.default.fileExists(atPath: folder) else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: group == nil ? 0o700 : 0o750])
        } catch {
            throw Fault(reason: errno)
        }
        if let group {
            chown(folder, 0, group)
            // The server makes its key file here, and can replace no file of root's.
            chmod(folder, 0o1770)
        }
    }

    /// - Parameter model: the file whose owner and mode it gets.
    private func write(_ text: String, to draft: String, like model: String?, group: gid_t?) throws(Fault) {
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Fault(reason: errno) }
        defer { close(descriptor) }
        var status = stat()
        if let model, stat(model, &status) == 0 {
            // Others may not read what may hold the relay's password.
            fchown(descriptor, status.st_uid, group ?? status.st_gid)
            fchmod(descriptor, status.st_mode & 0o770 | (group == nil ? 0 : 0o040))
        } else if let group {
            fchown(descriptor, 0, group)
            fchmod(descriptor, 0o640)
        }
        if let reason = Descriptor.write(text, to: descriptor) { throw Fault(reason: reason) }
        guard fsync(descriptor) == 0 else { throw Fault(reason: errno) }
    }
}
