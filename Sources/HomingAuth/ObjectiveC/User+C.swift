// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
package import HomingClient

@_cdecl("homing_user_auth")
package func homingUserAuth(_ user: UnsafeRawPointer) -> UnsafeMutableRawPointer {
    retained(object(user, as: User.self).auth)
}

@_cdecl("homing_user_uid")
package func homingUserUID(_ user: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(object(user, as: User.self).uid)
}

@_cdecl("homing_user_email")
package func homingUserEmail(_ user: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(object(user, as: User.self).email)
}

@_cdecl("homing_user_is_email_verified")
package func homingUserIsEmailVerified(_ user: UnsafeRawPointer) -> Bool {
    object(user, as: User.self).isEmailVerified
}

@_cdecl("homing_user_is_anonymous")
package func homingUserIsAnonymous(_ user: UnsafeRawPointer) -> Bool {
    object(user, as: User.self).isAnonymous
}

@_cdecl("homing_user_tenant_id")
package func homingUserTenantID(_ user: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(object(user, as: User.self).tenantID)
}

@_cdecl("homing_user_display_name")
package func homingUserDisplayName(_ user: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(object(user, as: User.self).displayName)
}

@_cdecl("homing_user_photo_url")
package func homingUserPhotoURL(_ user: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(object(user, as: User.self).photoURL?.absoluteString)
}

@_cdecl("homing_user_refresh_token")
package func homingUserRefreshToken(_ user: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(object(user, as: User.self).refreshToken)
}

@_cdecl("homing_user_reload")
package func homingUserReload(
    _ user: UnsafeRawPointer, _ context: UnsafeMutableRawPointer?, _ answer: @escaping CAnswer
) {
    object(user, as: User.self).reload(completion: CCompletion(context, answer).plain)
}

/// Answers text.
@_cdecl("homing_user_id_token")
package func homingUserIDToken(
    _ user: UnsafeRawPointer, _ forcingRefresh: Bool, _ context: UnsafeMutableRawPointer?,
    _ answer: @escaping CAnswer
) {
    object(user, as: User.self).getIDTokenForcingRefresh(
        forcingRefresh, completion: CCompletion(context, answer).taking(String.self))
}

@_cdecl("homing_user_send_verification")
package func homingUserSendVerification(
    _ user: UnsafeRawPointer, _ actionCodeSettings: UnsafeRawPointer?, _ context: UnsafeMutableRawPointer?,
    _ answer: @escaping CAnswer
) {
    object(user, as: User.self).sendEmailVerification(
        with: settings(actionCodeSettings), completion: CCompletion(context, answer).plain)
}

@_cdecl("homing_user_send_verification_before_updating")
package func homingUserSendVerificationBeforeUpdating(
    _ user: UnsafeRawPointer, _ newEmail: UnsafePointer<CChar>?, _ actionCodeSettings: UnsafeRawPointer?,
    _ context: UnsafeMutableRawPointer?, _ answer: @escaping CAnswer
) {
    object(user, as: User.self).sendEmailVerification(
        beforeUpdatingEmail: text(newEmail), actionCodeSettings: settings(actionCodeSettings),
        completion: CCompletion(context, answer).plain)
}

@_cdecl("homing_user_update_password")
package func homingUserUpdatePassword(
    _ user: UnsafeRawPointer, _ password: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?,
    _ answer: @escaping CAnswer
) {
    object(user, as: User.self).updatePassword(
        to: text(password), completion: CCompletion(context, answer).plain)
}

@_cdecl("homing_user_reauthenticate")
package func homingUserReauthenticate(
    _ user: UnsafeRawPointer, _ credential: UnsafeRawPointer?, _ context: UnsafeMutableRawPointer?,
    _ answer: @escaping CAnswer
) {
    object(user, as: User.self).reauthenticate(
        with: HomingAuth.credential(credential),
        completion: CCompletion(context, answer).taking(AuthDataResult.self))
}

@_cdecl("homing_user_link")
package func homingUserLink(
    _ user: UnsafeRawPointer, _ credential: UnsafeRawPointer?, _ context: UnsafeMutableRawPointer?,
    _ answer: @escaping CAnswer
) {
    object(user, as: User.self).link(
        with: HomingAuth.credential(credential),
        completion: CCompletion(context, answer).taking(AuthDataResult.self))
}

@_cdecl("homing_user_delete")
package func homingUserDelete(
    _ user: UnsafeRawPointer, _ context: UnsafeMutableRawPointer?, _ answer: @escaping CAnswer
) {
    object(user, as: User.self).delete(completion: CCompletion(context, answer).plain)
}
