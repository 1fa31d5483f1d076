// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(Glibc)
    // Where Foundation's C part is loaded first, the compiler takes it for the home of `stat`.
    internal import CoreFoundation
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The control socket in the file system.
package struct ControlSocketAddress: Sendable {
    /// A socket that cannot be made or reached; one sentence for the operator.
    package struct Fault: Error, CustomStringConvertible {
        package let description: String
    }

    /// The path of the socket, beside the database.
    package let path: String
    private let folder: String
    private let database: String

    private static let name = "homing.sock"

    package init(database: DatabaseFile) {
        folder = database.folder
        self.database = database.path
        path = "\(folder)/\(Self.name)"
    }

    /// Binds a socket that only its owner can reach, and listens on it.
    ///
    /// The socket is created under a umask that leaves 0600, so at no moment could others connect. A socket that an
    /// ended server left behind is replaced; the caller owns the database file already, so that no two servers do so at
    /// the same time.
    package func listen() throws(Fault) -> CInt {
        try makeRoom()
        return try withSocket { descriptor, address, length throws(Fault) in
            let mask = umask(0o177)
            let isBound = bind(descriptor, address, length) == 0
            let reason = errno
            umask(mask)
            guard isBound else { throw fault("cannot be created", reason) }
            guard Self.startListening(descriptor) else { throw fault("cannot be listened on", errno) }
        }
    }

    /// Connects to a server that listens; nil when none does.
    ///
    /// The owner of the socket gets the command, with the password that may be in it: only our own user and root are
    /// accepted, and for root also the user who owns the database.
    package func connect() throws(Fault) -> CInt? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        var databaseStatus = stat()
        let databaseOwner = stat(database, &databaseStatus) == 0 ? databaseStatus.st_uid : nil
        guard Self.isTrusted(owner: status.st_uid, user: geteuid(), databaseOwner: databaseOwner) else {
            throw Fault(
                description:
                    "\(path) belongs to another user (uid \(status.st_uid)): run the command as the server's user.")
        }
        return try connectToAnybody()
    }

    package static func isTrusted(owner: UInt32, user: UInt32, databaseOwner: UInt32?) -> Bool {
        owner == user || owner == 0 || (user == 0 && owner == databaseOwner)
    }

    private func connectToAnybody() throws(Fault) -> CInt? {
        var isThere = true
        let descriptor = try withSocket { descriptor, address, length throws(Fault) in
            guard Self.connect(descriptor, address, length) != 0 else { return }
            guard errno == ECONNREFUSED || errno == ENOENT else { throw fault("cannot be reached", errno) }
            isThere = false
        }
        guard isThere else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Removes the file, if it is still the one that was bound.
    package func remove(_ identity: Identity?) {
        guard let identity, identity == self.identity else { return }
        unlink(path)
    }

    /// Tells one file from another that took the same name.
    package struct Identity: Equatable, Sendable {
        let device: UInt64
        let inode: UInt64
    }

    package var identity: Identity? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    private func makeRoom() throws(Fault) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw Fault(description: "\(path) is in the way and is no socket: move it, then start again.")
        }
        if let descriptor = try connectToAnybody() {
            close(descriptor)
            throw Fault(description: "A server already listens at \(path): stop it first.")
        }
        unlink(path)
    }

    private func fault(_ what: String, _ reason: CInt) -> Fault {
        Fault(description: "The control socket \(path) \(what): \(String(cString: strerror(reason))).")
    }

    /// Makes a socket and the address to bind or connect it to; on an error the socket is closed.
    private func withSocket(
        _ body: (CInt, UnsafePointer<sockaddr>, socklen_t) throws(Fault) -> Void
    ) throws(Fault) -> CInt {
        let descriptor = Self.newSocket()
        guard descriptor >= 0 else { throw fault("cannot be made", errno) }
        do {
            try withAddress { address, length throws(Fault) in try body(descriptor, address, length) }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// An address holds at most 107 bytes of path. A longer path is reached through the folder's descriptor: the file
    /// still lies beside the database, and no second folder has to be protected.
    private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) throws(Fault) -> Void) throws(Fault) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var spelled = path
        var folderDescriptor: CInt = -1
        defer { if folderDescriptor >= 0 { close(folderDescriptor) } }
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        if path.utf8.count >= capacity {
            folderDescriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard folderDescriptor >= 0 else { throw fault("cannot be reached", errno) }
            spelled = "/proc/self/fd/\(folderDescriptor)/\(Self.name)"
            guard access("/proc/self/fd", X_OK) == 0 else {
                throw Fault(
                    description: "\(path) is too long for a socket: keep the database in a folder of fewer bytes.")
            }
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: spelled.utf8) }
        var thrown: Fault?
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                do throws(Fault) {
                    try body(pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
                } catch {
                    thrown = error
                }
            }
        }
        if let thrown { throw thrown }
    }

    private static func newSocket() -> CInt {
        #if canImport(Glibc)
            return socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        #else
            return socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
    }

    private static func connect(_ descriptor: CInt, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> CInt {
        #if canImport(Glibc)
            return Glibc.connect(descriptor, address, length)
        #else
            return Darwin.connect(descriptor, address, length)
        #endif
    }

    private static func startListening(_ descriptor: CInt) -> Bool {
        #if canImport(Glibc)
            return Glibc.listen(descriptor, 16) == 0
        #else
            return Darwin.listen(descriptor, 16) == 0
        #endif
    }
}
