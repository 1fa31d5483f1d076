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

/// The user that the server runs as. Root works on the data as that user, so that no file of root's lies among them.
struct ServiceUser: Sendable, Equatable {
    let name: String
    let id: uid_t
    let group: gid_t

    /// The user to whom the data belong; nil when that is the one who runs the command, and where it is not root who
    /// does.
    ///
    /// - Parameter folders: the folders of defaults, in which the data are those of the user `homing`.
    static func owner(of settings: Settings, _ folders: DefaultFolders) -> ServiceUser? {
        guard geteuid() == 0 else { return nil }
        guard let file = settings.database.file else { return ServiceUser(entry: getpwnam("homing")) }
        if file.folder == folders.dataFolder, let homing = ServiceUser(entry: getpwnam("homing")) { return homing }
        for path in [file.path, file.folder] {
            var status = stat()
            if stat(path, &status) == 0 { return ServiceUser(entry: getpwuid(status.st_uid)) }
        }
        return nil
    }

    private init?(entry: UnsafeMutablePointer<passwd>?) {
        guard let entry = entry?.pointee, entry.pw_uid != 0 else { return nil }
        name = String(cString: entry.pw_name)
        id = entry.pw_uid
        group = entry.pw_gid
    }

    /// Does work with this user's rights, in all threads; the process gets its own back afterwards.
    func run<Answer>(_ work: () async throws -> Answer) async throws -> Answer {
        guard initgroups(name, group) == 0, setegid(group) == 0, seteuid(id) == 0 else {
            Self.returnToRoot()
            throw Refusal.invalidSetting("this process cannot work as the user \(name): run it as root, or as \(name)")
        }
        defer { Self.returnToRoot() }
        return try await work()
    }

    private static func returnToRoot() {
        seteuid(0)
        setegid(0)
        initgroups("root", 0)
    }

    /// Makes the user the owner of an empty folder that root has made; a symbolic link is left alone.
    func own(_ path: String) {
        lchown(path, id, group)
    }
}

extension Optional<ServiceUser> {
    /// The work as that user, or as the present one.
    func run<Answer>(_ work: () async throws -> Answer) async throws -> Answer {
        guard let user = self else { return try await work() }
        return try await user.run(work)
    }
}
