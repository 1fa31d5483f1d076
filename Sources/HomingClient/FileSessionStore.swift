// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingWire

/// Sessions as files of mode 0600 in a folder of mode 0700: the store where there is no Keychain.
public struct FileSessionStore: HomingSessionStore {
    private let folder: URL

    /// A store in a folder, which is made with mode 0700 when it is first needed. One that is there is used as it is:
    /// nobody else should be able to write into it.
    ///
    /// - Parameter folder: nil means `Homing/` and the program's name in the user's folder for application data.
    public init(folder: URL? = nil) {
        self.folder = folder ?? Self.standardFolder
    }

    private static var standardFolder: URL {
        let base =
            FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory
        let program = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        return base.appendingPathComponent("Homing").appendingPathComponent(percentEncoded(program))
    }

    /// A name to recognise, cut to what file systems take, and a checksum of the whole key (FNV-1a, 64 bits).
    private func path(_ key: String) -> String {
        let sum = key.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let name = "\(percentEncoded(key).prefix(80))-\(String(sum, radix: 16)).session"
        return folder.appendingPathComponent(name).path
    }

    /// The content of a key's file; nil when there is no file. A symbolic link is not followed.
    ///
    /// - Throws: ``SessionStoreLocked`` on a phone, tablet, watch or television that has not been unlocked since it was
    ///   started: its files are protected until then.
    public func read(_ key: String) throws -> Data? {
        let path = path(key)
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            #if !os(Linux) && !os(macOS)
                if errno == EPERM { throw SessionStoreLocked() }
            #endif
            throw Self.fault(path)
        }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        return try handle.readToEnd() ?? Data()
    }

    /// Writes a new file beside the old one and puts it in its place.
    public func write(_ data: Data, for key: String) throws {
        try makeFolder()
        try withLock { try replaceFile(path(key), with: data) }
    }

    /// Replaces or removes a key's file, if it is still what was read, while no other process writes.
    public func replace(_ old: Data, with new: Data?, for key: String) throws -> Bool {
        try makeFolder()
        return try withLock {
            guard try read(key) == old else { return false }
            if let new { try replaceFile(path(key), with: new) } else { try removeFiles(path(key)) }
            return true
        }
    }

    /// On Apple's platforms a folder in the container of an App Group, elsewhere one beside this store's own.
    ///
    /// - Throws: `CocoaError` when the app is not in the App Group.
    public func shared(by accessGroup: String) throws -> any HomingSessionStore {
        #if os(Linux)
            let container = folder.deletingLastPathComponent()
        #else
            guard
                let container = FileManager.default.containerURL(
                    forSecurityApplicationGroupIdentifier: accessGroup)
            else { throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: accessGroup]) }
        #endif
        return FileSessionStore(
            folder: container.appendingPathComponent("Homing group \(percentEncoded(accessGroup))"))
    }

    /// Runs the body while no other process changes anything in the folder. The system takes the lock back from a
    /// process that ends.
    private func withLock<Answer>(_ body: () throws -> Answer) throws -> Answer {
        let file = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw Self.fault(folder.path) }
        defer { close(file) }
        while flock(file, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Self.fault(folder.path) }
        }
        return try body()
    }

    private func makeFolder() throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    private func replaceFile(_ path: String, with data: Data) throws {
        let new = "\(path).\(UUID().uuidString)"
        // The mode comes with the file: between creating and restricting it others could open it.
        let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.fault(new) }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: data)
            try handle.synchronize()
            try handle.close()
            guard rename(new, path) == 0 else { throw Self.fault(path) }
        } catch {
            try? FileManager.default.removeItem(atPath: new)
            throw error
        }
    }

    /// Removes a key's file, and what a program that ended while writing has left of it.
    public func remove(_ key: String) throws {
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        try withLock { try removeFiles(path(key)) }
    }

    private func removeFiles(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw Self.fault(path) }
        let begun = URL(fileURLWithPath: path).lastPathComponent + "."
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where name.utf8.starts(with: begun.utf8) {
            try FileManager.default.removeItem(atPath: folder.appendingPathComponent(name).path)
        }
    }

    private static func fault(_ path: String) -> any Error {
        let reason = String(cString: strerror(errno))
        return CocoaError(
            .fileWriteUnknown, userInfo: [NSFilePathErrorKey: path, NSLocalizedDescriptionKey: "\(path): \(reason)"])
    }
}
