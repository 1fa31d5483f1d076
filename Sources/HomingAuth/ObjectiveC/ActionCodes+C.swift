// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
package import HomingClient

/// Settings as they are at the time of a call. No text means that a setting is not set.
@_cdecl("homing_settings")
package func homingSettings(
    _ continueURL: UnsafePointer<CChar>?, _ handleCodeInApp: Bool, _ iOSBundleID: UnsafePointer<CChar>?,
    _ androidPackageName: UnsafePointer<CChar>?, _ androidInstallIfNotAvailable: Bool,
    _ androidMinimumVersion: UnsafePointer<CChar>?, _ dynamicLinkDomain: UnsafePointer<CChar>?,
    _ linkDomain: UnsafePointer<CChar>?
) -> UnsafeMutableRawPointer {
    let settings = ActionCodeSettings()
    settings.url = url(continueURL)
    settings.handleCodeInApp = handleCodeInApp
    settings.iOSBundleID = optionalText(iOSBundleID)
    settings.androidPackageName = optionalText(androidPackageName)
    settings.androidInstallIfNotAvailable = androidInstallIfNotAvailable
    settings.androidMinimumVersion = optionalText(androidMinimumVersion)
    settings.dynamicLinkDomain = optionalText(dynamicLinkDomain)
    settings.linkDomain = optionalText(linkDomain)
    return retained(settings)
}

/// Settings of a pointer that may be nil.
func settings(_ pointer: UnsafeRawPointer?) -> ActionCodeSettings? {
    pointer.map { object($0, as: ActionCodeSettings.self) }
}

@_cdecl("homing_auth_send_password_reset")
package func homingAuthSendPasswordReset(
    _ auth: UnsafeRawPointer, _ email: UnsafePointer<CChar>?, _ actionCodeSettings: UnsafeRawPointer?,
    _ context: UnsafeMutableRawPointer?, _ answer: @escaping CAnswer
) {
    object(auth, as: Auth.self).sendPasswordReset(
        withEmail: text(email), actionCodeSettings: settings(actionCodeSettings),
        completion: CCompletion(context, answer).plain)
}

@_cdecl("homing_auth_send_sign_in_link")
package func homingAuthSendSignInLink(
    _ auth: UnsafeRawPointer, _ email: UnsafePointer<CChar>?, _ actionCodeSettings: UnsafeRawPointer?,
    _ context: UnsafeMutableRawPointer?, _ answer: @escaping CAnswer
) {
    object(auth, as: Auth.self).sendSignInLink(
        toEmail: text(email), actionCodeSettings: settings(actionCodeSettings) ?? ActionCodeSettings(),
        completion: CCompletion(context, answer).plain)
}

@_cdecl("homing_auth_is_sign_in_link")
package func homingAuthIsSignInLink(_ auth: UnsafeRawPointer, _ link: UnsafePointer<CChar>?) -> Bool {
    object(auth, as: Auth.self).isSignIn(withEmailLink: text(link))
}

/// Answers text.
@_cdecl("homing_auth_verify_password_reset_code")
package func homingAuthVerifyPasswordResetCode(
    _ auth: UnsafeRawPointer, _ code: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?,
    _ answer: @escaping CAnswer
) {
    object(auth, as: Auth.self).verifyPasswordResetCode(
        text(code), completion: CCompletion(context, answer).taking(String.self))
}

@_cdecl("homing_auth_confirm_password_reset")
package func homingAuthConfirmPasswordReset(
    _ auth: UnsafeRawPointer, _ code: UnsafePointer<CChar>?, _ newPassword: UnsafePointer<CChar>?,
    _ context: UnsafeMutableRawPointer?, _ answer: @escaping CAnswer
) {
    object(auth, as: Auth.self).confirmPasswordReset(
        withCode: text(code), newPassword: text(newPassword), completion: CCompletion(context, answer).plain)
}

/// Answers an info.
@_cdecl("homing_auth_check_action_code")
package func homingAuthCheckActionCode(
    _ auth: UnsafeRawPointer, _ code: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?,
    _ answer: @escaping CAnswer
) {
    object(auth, as: Auth.self).checkActionCode(
        text(code), completion: CCompletion(context, answer).taking(ActionCodeInfo.self))
}

@_cdecl("homing_auth_apply_action_code")
package func homingAuthApplyActionCode(
    _ auth: UnsafeRawPointer, _ code: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?,
    _ answer: @escaping CAnswer
) {
    object(auth, as: Auth.self).applyActionCode(text(code), completion: CCompletion(context, answer).plain)
}
