// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

/// The master keys: one line each in a file of mode 0600 outside the database. File and database open everything.
///
/// ```
/// # Homing master keys. Keep a copy somewhere safe, never beside a backup of the database.
/// 1 live q83vEjRWeJC…
/// ```
package struct MasterKeyFile: Sendable, Equatable {
    /// One generation of the secret. A retired one verifies and decrypts nothing any more.
    package struct Entry: Sendable, Equatable {
        package let version: UInt8
        package var isRetired: Bool
        let secret: [UInt8]
    }

    package private(set) var entries: [Entry]

    package init(firstSecret: [UInt8]) {
        entries = [Entry(version: 1, isRetired: false, secret: firstSecret)]
    }

    package init(reading path: String) throws(MasterKeyFault) {
        // The mode of a symbolic link says nothing; the mode of its target counts.
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { throw .missing(path) }
        guard let mode = attributes[.posixPermissions] as? NSNumber, mode.intValue & 0o077 == 0 else {
            throw .unusable("\(path) can be read by others: chmod 600 \(path)")
        }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw .unusable("\(path) cannot be read by this user")
        }
        var entries: [Entry] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            guard words.count == 3, let version = UInt8(words[0]), ["live", "retired"].contains(words[1]),
                let secret = Data(base64Encoded: String(words[2])), secret.count == 32
            else { throw .unusable("\(path) is not a key file of homing: each line is VERSION live|retired SECRET") }
            entries.append(Entry(version: version, isRetired: words[1] == "retired", secret: Array(secret)))
        }
        guard !entries.isEmpty, Set(entries.map(\.version)).count == entries.count else {
            throw .unusable("\(path) holds no key, or one version twice")
        }
        self.entries = entries
    }

    /// Replaces the file in one step: a crash leaves the old file or the new one, never half of either.
    package func write(to path: String) throws(MasterKeyFault) {
        try write(to: path) { draft, path in rename(draft, path) == 0 }
    }

    /// Makes the file, in one step, where there is none; one that is there stays as it is.
    func create(at path: String) throws(MasterKeyFault) {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        try write(to: path) { draft, path in
            defer { unlink(draft) }
            // Somebody may have been faster. Some mounts of other systems know no links; there a file is moved.
            if link(draft, path) == 0 || errno == EEXIST { return true }
            return access(path, F_OK) != 0 && rename(draft, path) == 0
        }
    }

    private func write(
        to path: String, _ place: (_ draft: String, _ path: String) -> Bool
    ) throws(MasterKeyFault) {
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        var text = "# Homing master keys. Keep a copy somewhere safe, never beside a backup of the database.\n"
        for entry in entries {
            let secret = Data(entry.secret).base64EncodedString()
            text += "\(entry.version) \(entry.isRetired ? "retired" : "live") \(secret)\n"
        }
        let folder = (path as NSString).deletingLastPathComponent
        // One for each process: several may be at it.
        let draft = "\(path).new-\(getpid())"
        do {
            if !folder.isEmpty {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
            unlink(draft)
            let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw MasterKeyFault.unusable("\(draft) cannot be written") }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            // What root writes belongs to whom the file belonged to, or the folder: the service has to read it.
            let files = FileManager.default
            let before = try? files.attributesOfItem(atPath: files.fileExists(atPath: path) ? path : folder)
            if geteuid() == 0, let user = before?[.ownerAccountID] as? NSNumber,
                let group = before?[.groupOwnerAccountID] as? NSNumber
            {
                fchown(descriptor, user.uint32Value, group.uint32Value)
            }
            try handle.write(contentsOf: Data(text.utf8))
            try handle.synchronize()
            guard place(draft, path) else {
                throw MasterKeyFault.unusable("\(path) cannot be written: \(String(cString: strerror(errno)))")
            }
            // The database must not come to want a key whose file a power cut has undone.
            let place = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            if place >= 0 {
                fsync(place)
                close(place)
            }
        } catch let fault as MasterKeyFault {
            throw fault
        } catch {
            throw .unusable("\(path) cannot be written: \(error.localizedDescription)")
        }
    }

    package mutating func add(secret: [UInt8]) -> UInt8? {
        guard let newest = entries.map(\.version).max(), newest < 255 else { return nil }
        entries.append(Entry(version: newest + 1, isRetired: false, secret: secret))
        return newest + 1
    }

    package mutating func retire(_ version: UInt8) -> Bool {
        guard let index = entries.firstIndex(where: { $0.version == version }) else { return false }
        entries[index].isRetired = true
        return true
    }
}

/// The key file is missing, or cannot be trusted.
package enum MasterKeyFault: Error, CustomStringConvertible {
    /// `first` is where the key file was that the database was made with, if that is known and not here.
    case missing(String, first: String? = nil)
    case foreign(String, first: String? = nil)
    case lacking(String, version: UInt8)
    case unusable(String)

    package var description: String {
        switch self {
        case .missing(let path, nil):
            "the key file \(path) is missing, and this database was made with one: put the copy back "
                + "(HOMING_KEY_FILE tells where it is looked for)"
        case .missing(let path, let first?):
            "the key file \(path) is missing, and this database was made with the one that was first at \(first): copy it from "
                + "there, or from a server that has it (HOMING_KEY_FILE tells where it is looked for)"
        case .foreign(let path, nil):
            "the key file \(path) is not the one that this database was made with: put the right copy back"
        case .foreign(let path, let first?):
            "the key file \(path) is not the one that this database was made with, which was first at \(first): copy it from "
                + "there, or from a server that has it"
        case .lacking(let path, let version):
            "the key file \(path) holds no living key version \(version), and this database was made with it: put a newer "
                + "copy of the file back, or a backup from after that version was retired"
        case .unusable(let sentence): sentence
        }
    }
}
