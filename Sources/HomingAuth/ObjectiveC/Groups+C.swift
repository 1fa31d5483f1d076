// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
package import HomingClient

@_cdecl("homing_auth_access_group")
package func homingAuthAccessGroup(_ auth: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(object(auth, as: Auth.self).userAccessGroup)
}

/// Answers nothing or the error.
@_cdecl("homing_auth_use_access_group")
package func homingAuthUseAccessGroup(
    _ auth: UnsafeRawPointer, _ group: UnsafePointer<CChar>?
) -> UnsafeMutableRawPointer? {
    do throws(HomingAuthError) {
        try object(auth, as: Auth.self).useUserAccessGroup(optionalText(group))
        return nil
    } catch {
        return retained(Box<any Error>(error))
    }
}

/// Answers a user or nothing; the error goes where the pointer points.
@_cdecl("homing_auth_stored_user")
package func homingAuthStoredUser(
    _ auth: UnsafeRawPointer, _ group: UnsafePointer<CChar>?, _ fault: UnsafeMutablePointer<UnsafeMutableRawPointer?>
) -> UnsafeMutableRawPointer? {
    do throws(HomingAuthError) {
        return try object(auth, as: Auth.self).getStoredUser(forAccessGroup: optionalText(group)).map(retained)
    } catch {
        fault.pointee = retained(Box<any Error>(error))
        return nil
    }
}

@_cdecl("homing_auth_update_current_user")
package func homingAuthUpdateCurrentUser(
    _ auth: UnsafeRawPointer, _ user: UnsafeRawPointer?, _ context: UnsafeMutableRawPointer?,
    _ answer: @escaping CAnswer
) {
    object(auth, as: Auth.self).updateCurrentUser(
        user.map { object($0, as: User.self) }, completion: CCompletion(context, answer).plain)
}

/// Answers a flag.
@_cdecl("homing_auth_validate_password")
package func homingAuthValidatePassword(
    _ auth: UnsafeRawPointer, _ password: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?,
    _ answer: @escaping CAnswer
) {
    let take = CCompletion(context, answer).taking(Bool.self)
    object(auth, as: Auth.self).validatePassword(text(password)) { take($0?.isValid, $1) }
}

@_cdecl("homing_flag")
package func homingFlag(_ answer: UnsafeRawPointer) -> Bool { boxed(answer, as: Bool.self) }
