// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
// swift-format-ignore-file

import Foundation
import HomingAuth

// What is absent on purpose: the compiler says of each what to do.

// shape: Google
func absent1() { _ = GoogleAuthProvider.credential(withIDToken: "", accessToken: "") }

// shape: Facebook
func absent2() { _ = FacebookAuthProvider.credential(withAccessToken: "") }

// shape: Apple
func absent3() { _ = OAuthProvider.appleCredential(withIDToken: "", rawNonce: nil, fullName: nil) }

// shape: Apple before FirebaseAuth 10
func absent4() { _ = OAuthProvider.credential(withProviderID: "apple.com", idToken: "", rawNonce: "") }

// shape: a phone number
func absent5() { PhoneAuthProvider.provider().verifyPhoneNumber("+1", uiDelegate: nil) { _, _ in } }

// shape: a phone's code
func absent6() { _ = PhoneAuthProvider.provider().credential(withVerificationID: "", verificationCode: "") }

// shape: who has an account
func absent7() { Auth.auth().fetchSignInMethods(forEmail: "a") { _, _ in } }

// shape: who has an account with async
func absent8() async throws { _ = try await Auth.auth().fetchSignInMethods(forEmail: "a") }

// shape: an address without a mail
func absent9(_ user: User) { user.updateEmail(to: "a") { _ in } }

// shape: an address without a mail with async
func absent10(_ user: User) async throws { try await user.updateEmail(to: "a") }

// shape: a URL of phone sign-in
func absent11(_ url: URL) { _ = Auth.auth().canHandle(url) }

// shape: a notification of phone sign-in
func absent12() { _ = Auth.auth().canHandleNotification([:]) }

// shape: a token of notifications
func absent13(_ token: Data) { Auth.auth().setAPNSToken(token, type: .prod) }

// shape: a provider that is taken away
func absent14(_ user: User) { user.unlink(fromProvider: "password") { _, _ in } }

// shape: a second factor
func absent15(_ user: User) { _ = user.multiFactor }

// shape: Apple's token is revoked
func absent16() async throws { try await Auth.auth().revokeToken(withAuthorizationCode: "") }

// shape: a session on every device
func absent17() { Auth.auth().shareAuthStateAcrossDevices = true }

// shape: Google's client id
func absent18() { _ = HomingApp.app()?.options.clientID }

// shape: the page's canHandleInApp
func absent19() { ActionCodeSettings().canHandleInApp = true }

// shape: the page's URL
func absent20() { ActionCodeSettings().URL = "https://www.example.com" }

// shape: the page's iOSbundleID
func absent21() { ActionCodeSettings().iOSbundleID = "com.example" }

// shape: the page's withActionCodeSettings
func absent22(_ user: User) { user.sendEmailVerification(withActionCodeSettings: settings) { _ in } }
