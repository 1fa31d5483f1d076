// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The domain and the `userInfo` keys of errors.
public enum AuthErrors {
    /// The domain of every ``HomingAuthError``.
    public static let domain = "FIRAuthErrorDomain"
    /// Under which `userInfo` has the name, such as `ERROR_USER_NOT_FOUND`.
    public static let userInfoNameKey = "FIRAuthErrorUserInfoNameKey"
    /// Under which `userInfo` has the address that the error is about.
    public static let userInfoEmailKey = "FIRAuthErrorUserInfoEmailKey"
    /// Under which `userInfo` of FirebaseAuth has another provider's credential; never here.
    public static let userInfoUpdatedCredentialKey = "FIRAuthErrorUserInfoUpdatedCredentialKey"
    /// Under which `userInfo` of FirebaseAuth has what asks for a second factor; never here.
    public static let userInfoMultiFactorResolverKey = "FIRAuthErrorUserInfoMultiFactorResolverKey"
    /// Under which `userInfo` has ``AuthErrorCode/triesLeft``.
    public static let userInfoTriesLeftKey = "HOMAuthErrorUserInfoTriesLeftKey"
}

/// ``AuthErrors/domain``, as code that was written for FirebaseAuth 10 or older calls it.
public let AuthErrorDomain = AuthErrors.domain
/// ``AuthErrors/userInfoNameKey``, as code that was written for FirebaseAuth 10 or older calls it.
public let AuthErrorUserInfoNameKey = AuthErrors.userInfoNameKey
/// ``AuthErrors/userInfoEmailKey``, as code that was written for FirebaseAuth 10 or older calls it.
public let AuthErrorUserInfoEmailKey = AuthErrors.userInfoEmailKey
/// ``AuthErrors/userInfoUpdatedCredentialKey``, as code that was written for FirebaseAuth 10 or older calls it.
public let AuthErrorUserInfoUpdatedCredentialKey = AuthErrors.userInfoUpdatedCredentialKey
/// ``AuthErrors/userInfoMultiFactorResolverKey``, as code that was written for FirebaseAuth 10 or older calls it.
public let AuthErrorUserInfoMultiFactorResolverKey = AuthErrors.userInfoMultiFactorResolverKey
