// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
package import HomingClient
internal import HomingWire

/// Answers a token result.
@_cdecl("homing_user_token_result")
package func homingUserTokenResult(
    _ user: UnsafeRawPointer, _ forcingRefresh: Bool, _ context: UnsafeMutableRawPointer?,
    _ answer: @escaping CAnswer
) {
    object(user, as: User.self).getIDTokenResult(
        forcingRefresh: forcingRefresh, completion: CCompletion(context, answer).taking(AuthTokenResult.self))
}

@_cdecl("homing_token_text")
package func homingTokenText(_ result: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(boxed(result, as: AuthTokenResult.self).token)
}

@_cdecl("homing_token_provider")
package func homingTokenProvider(_ result: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(boxed(result, as: AuthTokenResult.self).signInProvider)
}

/// Everything that the token says, as a JSON object.
@_cdecl("homing_token_claims")
package func homingTokenClaims(_ result: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    let claims = JSON.object(boxed(result, as: AuthTokenResult.self).payload)
    return copied(String(decoding: claims.write(pretty: false), as: UTF8.self))
}

/// Seconds since 1970.
@_cdecl("homing_token_expires")
package func homingTokenExpires(_ result: UnsafeRawPointer) -> Double {
    boxed(result, as: AuthTokenResult.self).expirationDate.timeIntervalSince1970
}

/// Seconds since 1970.
@_cdecl("homing_token_authenticated")
package func homingTokenAuthenticated(_ result: UnsafeRawPointer) -> Double {
    boxed(result, as: AuthTokenResult.self).authDate.timeIntervalSince1970
}

/// Seconds since 1970.
@_cdecl("homing_token_issued")
package func homingTokenIssued(_ result: UnsafeRawPointer) -> Double {
    boxed(result, as: AuthTokenResult.self).issuedAtDate.timeIntervalSince1970
}

/// Seconds since 1970, or less than 0 where nobody knows.
@_cdecl("homing_user_created")
package func homingUserCreated(_ user: UnsafeRawPointer) -> Double {
    object(user, as: User.self).metadata.creationDate?.timeIntervalSince1970 ?? -1
}

/// Seconds since 1970, or less than 0 where nobody knows.
@_cdecl("homing_user_last_sign_in")
package func homingUserLastSignIn(_ user: UnsafeRawPointer) -> Double {
    object(user, as: User.self).metadata.lastSignInDate?.timeIntervalSince1970 ?? -1
}

/// Whether a password or a mailed link signs the user in.
@_cdecl("homing_user_has_email_provider")
package func homingUserHasEmailProvider(_ user: UnsafeRawPointer) -> Bool {
    !object(user, as: User.self).providerData.isEmpty
}
