// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingClient

/// The one of an app by name; without a name, or for a name that nothing was configured under, the default one.
@_cdecl("homing_auth")
package func homingAuth(_ name: UnsafePointer<CChar>?) -> UnsafeMutableRawPointer {
    guard let name = optionalText(name), let app = HomingApp.app(name: name) else { return retained(Auth.auth()) }
    return retained(Auth.auth(app: app))
}

@_cdecl("homing_auth_current_user")
package func homingAuthCurrentUser(_ auth: UnsafeRawPointer) -> UnsafeMutableRawPointer? {
    object(auth, as: Auth.self).currentUser.map(retained)
}

@_cdecl("homing_auth_session_end_reason")
package func homingAuthSessionEndReason(_ auth: UnsafeRawPointer) -> UnsafeMutableRawPointer? {
    object(auth, as: Auth.self).sessionEndReason.map { retained(Box<any Error>($0)) }
}

@_cdecl("homing_auth_language_code")
package func homingAuthLanguageCode(_ auth: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(object(auth, as: Auth.self).languageCode)
}

@_cdecl("homing_auth_set_language_code")
package func homingAuthSetLanguageCode(_ auth: UnsafeRawPointer, _ code: UnsafePointer<CChar>?) {
    object(auth, as: Auth.self).languageCode = optionalText(code)
}

@_cdecl("homing_auth_tenant_id")
package func homingAuthTenantID(_ auth: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(object(auth, as: Auth.self).tenantID)
}

@_cdecl("homing_auth_set_tenant_id")
package func homingAuthSetTenantID(_ auth: UnsafeRawPointer, _ tenant: UnsafePointer<CChar>?) {
    object(auth, as: Auth.self).tenantID = optionalText(tenant)
}

@_cdecl("homing_auth_use_app_language")
package func homingAuthUseAppLanguage(_ auth: UnsafeRawPointer) {
    object(auth, as: Auth.self).useAppLanguage()
}

@_cdecl("homing_auth_use_emulator")
package func homingAuthUseEmulator(_ auth: UnsafeRawPointer, _ host: UnsafePointer<CChar>?, _ port: Int) {
    object(auth, as: Auth.self).useEmulator(withHost: text(host), port: port)
}

/// Answers nothing or the error.
@_cdecl("homing_auth_sign_out")
package func homingAuthSignOut(_ auth: UnsafeRawPointer) -> UnsafeMutableRawPointer? {
    do throws(HomingAuthError) {
        try object(auth, as: Auth.self).signOut()
        return nil
    } catch {
        return retained(Box<any Error>(error))
    }
}

/// Answers the handle for `homing_auth_remove_listener`. The context ends when the listener is gone.
@_cdecl("homing_auth_add_listener")
package func homingAuthAddListener(
    _ auth: UnsafeRawPointer, _ wantsTokens: Bool, _ context: UnsafeMutableRawPointer?,
    _ call: @escaping CListener, _ end: @escaping CEnd
) -> UnsafeMutableRawPointer {
    let listener = CStateListener(context, call, end)
    let auth = object(auth, as: Auth.self)
    return retained(auth.add(wantsTokens ? .tokens : .nothing) { listener.hear($0, $1) })
}

@_cdecl("homing_auth_remove_listener")
package func homingAuthRemoveListener(_ auth: UnsafeRawPointer, _ handle: UnsafeRawPointer) {
    object(auth, as: Auth.self).removeStateDidChangeListener(object(handle, as: ListenerHandle.self))
}
