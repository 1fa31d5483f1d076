// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingClient
internal import HomingWire

/// Changes a user's name and picture: set what is to change, then ``commitChanges()``.
///
/// A property that was never set is left alone; one that was set to nil is removed.
public final class UserProfileChangeRequest {
    private let user: User
    private var newName: String??
    private var newPhoto: URL??

    init(_ user: User) {
        self.user = user
    }

    /// The name to show, at most 256 bytes.
    public var displayName: String? {
        get { newName ?? user.displayName }
        set { newName = .some(newValue) }
    }

    /// A picture of the user, at most 2,048 bytes.
    public var photoURL: URL? {
        get { newPhoto ?? user.photoURL }
        set { newPhoto = .some(newValue) }
    }

    /// Sends the changes. The user's properties have them afterwards.
    public func commitChanges() async throws(HomingAuthError) {
        let members = members
        try await user.change(members)
    }

    /// ``commitChanges()`` with a completion handler.
    public func commitChanges(completion: (((any Error)?) -> Void)? = nil) {
        let (user, members) = (user, members)
        deliver(to: completion) { () async throws(HomingAuthError) in try await user.change(members) }
    }

    private var members: [(String, JSON?)] {
        var removed: [JSON] = []
        if case .some(.none) = newName { removed.append("DISPLAY_NAME") }
        if case .some(.none) = newPhoto { removed.append("PHOTO_URL") }
        return [
            ("displayName", (newName ?? nil).map { .string($0) }),
            ("photoUrl", (newPhoto ?? nil).map { .string($0.absoluteString) }),
            ("deleteAttribute", removed.isEmpty ? nil : .array(removed)),
        ]
    }
}

extension User {
    /// A request that changes the user's name and picture.
    public func createProfileChangeRequest() -> UserProfileChangeRequest { UserProfileChangeRequest(self) }

    func change(_ members: [(String, JSON?)]) async throws(HomingAuthError) {
        guard members.contains(where: { $0.1 != nil }) else { return }
        _ = try await authorized { idToken async throws(HomingAuthError) in
            try await self.auth.backend.call("update", [("idToken", .string(idToken))] + members)
        }
        try await reload()
    }
}
