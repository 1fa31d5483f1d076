// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
package import HomingClient

@_cdecl("homing_credential_password")
package func homingCredentialPassword(
    _ email: UnsafePointer<CChar>?, _ password: UnsafePointer<CChar>?
) -> UnsafeMutableRawPointer {
    retained(Box(EmailAuthProvider.credential(withEmail: text(email), password: text(password))))
}

@_cdecl("homing_credential_link")
package func homingCredentialLink(
    _ email: UnsafePointer<CChar>?, _ link: UnsafePointer<CChar>?
) -> UnsafeMutableRawPointer {
    retained(Box(EmailAuthProvider.credential(withEmail: text(email), link: text(link))))
}

/// A credential of a pointer; nobody's, which the server refuses, for no pointer.
func credential(_ pointer: UnsafeRawPointer?) -> AuthCredential {
    pointer.map { boxed($0, as: AuthCredential.self) } ?? EmailAuthProvider.credential(withEmail: "", password: "")
}

@_cdecl("homing_credential_provider")
package func homingCredentialProvider(_ credential: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(boxed(credential, as: AuthCredential.self).provider)
}

@_cdecl("homing_auth_create_user")
package func homingAuthCreateUser(
    _ auth: UnsafeRawPointer, _ email: UnsafePointer<CChar>?, _ password: UnsafePointer<CChar>?,
    _ context: UnsafeMutableRawPointer?, _ answer: @escaping CAnswer
) {
    object(auth, as: Auth.self).createUser(
        withEmail: text(email), password: text(password),
        completion: CCompletion(context, answer).taking(AuthDataResult.self))
}

@_cdecl("homing_auth_sign_in")
package func homingAuthSignIn(
    _ auth: UnsafeRawPointer, _ credential: UnsafeRawPointer?, _ context: UnsafeMutableRawPointer?,
    _ answer: @escaping CAnswer
) {
    object(auth, as: Auth.self).signIn(
        with: HomingAuth.credential(credential),
        completion: CCompletion(context, answer).taking(AuthDataResult.self))
}

@_cdecl("homing_auth_sign_in_with_custom_token")
package func homingAuthSignInWithCustomToken(
    _ auth: UnsafeRawPointer, _ token: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?,
    _ answer: @escaping CAnswer
) {
    object(auth, as: Auth.self).signIn(
        withCustomToken: text(token), completion: CCompletion(context, answer).taking(AuthDataResult.self))
}

@_cdecl("homing_auth_sign_in_anonymously")
package func homingAuthSignInAnonymously(
    _ auth: UnsafeRawPointer, _ context: UnsafeMutableRawPointer?, _ answer: @escaping CAnswer
) {
    object(auth, as: Auth.self).signInAnonymously(
        completion: CCompletion(context, answer).taking(AuthDataResult.self))
}

// MARK: What a sign-in answers

@_cdecl("homing_result_user")
package func homingResultUser(_ result: UnsafeRawPointer) -> UnsafeMutableRawPointer {
    retained(boxed(result, as: AuthDataResult.self).user)
}

@_cdecl("homing_result_provider")
package func homingResultProvider(_ result: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(boxed(result, as: AuthDataResult.self).additionalUserInfo?.providerID)
}

@_cdecl("homing_result_is_new_user")
package func homingResultIsNewUser(_ result: UnsafeRawPointer) -> Bool {
    boxed(result, as: AuthDataResult.self).additionalUserInfo?.isNewUser == true
}
