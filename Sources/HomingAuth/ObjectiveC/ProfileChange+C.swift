// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
package import HomingClient

private func change(_ pointer: UnsafeRawPointer) -> UserProfileChangeRequest {
    object(pointer, as: UserProfileChangeRequest.self)
}

@_cdecl("homing_profile_change")
package func homingProfileChange(_ user: UnsafeRawPointer) -> UnsafeMutableRawPointer {
    retained(object(user, as: User.self).createProfileChangeRequest())
}

@_cdecl("homing_profile_change_display_name")
package func homingProfileChangeDisplayName(_ pointer: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(change(pointer).displayName)
}

@_cdecl("homing_profile_change_set_display_name")
package func homingProfileChangeSetDisplayName(_ pointer: UnsafeRawPointer, _ name: UnsafePointer<CChar>?) {
    change(pointer).displayName = optionalText(name)
}

@_cdecl("homing_profile_change_photo_url")
package func homingProfileChangePhotoURL(_ pointer: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(change(pointer).photoURL?.absoluteString)
}

@_cdecl("homing_profile_change_set_photo_url")
package func homingProfileChangeSetPhotoURL(_ pointer: UnsafeRawPointer, _ photo: UnsafePointer<CChar>?) {
    change(pointer).photoURL = url(photo)
}

@_cdecl("homing_profile_change_commit")
package func homingProfileChangeCommit(
    _ pointer: UnsafeRawPointer, _ context: UnsafeMutableRawPointer?, _ answer: @escaping CAnswer
) {
    change(pointer).commitChanges(completion: CCompletion(context, answer).plain)
}
