// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
package import HomingClient

// MARK: Asking for mails

/// Answers a pending action.
@_cdecl("homing_auth_begin_password_reset")
package func homingAuthBeginPasswordReset(
    _ auth: UnsafeRawPointer, _ email: UnsafePointer<CChar>?, _ actionCodeSettings: UnsafeRawPointer?,
    _ context: UnsafeMutableRawPointer?, _ answer: @escaping CAnswer
) {
    object(auth, as: Auth.self).sendPasswordReset(
        withEmail: text(email), actionCodeSettings: settings(actionCodeSettings), finishing: .anywhere,
        completion: CCompletion(context, answer).taking(PendingAction.self))
}

/// Answers a pending action.
@_cdecl("homing_auth_begin_sign_in")
package func homingAuthBeginSignIn(
    _ auth: UnsafeRawPointer, _ email: UnsafePointer<CChar>?, _ actionCodeSettings: UnsafeRawPointer?,
    _ context: UnsafeMutableRawPointer?, _ answer: @escaping CAnswer
) {
    object(auth, as: Auth.self).sendSignInLink(
        toEmail: text(email), actionCodeSettings: settings(actionCodeSettings) ?? ActionCodeSettings(),
        finishing: .anywhere, completion: CCompletion(context, answer).taking(PendingAction.self))
}

/// Answers a pending action.
@_cdecl("homing_user_begin_verification")
package func homingUserBeginVerification(
    _ user: UnsafeRawPointer, _ actionCodeSettings: UnsafeRawPointer?, _ context: UnsafeMutableRawPointer?,
    _ answer: @escaping CAnswer
) {
    object(user, as: User.self).sendEmailVerification(
        with: settings(actionCodeSettings), finishing: .anywhere,
        completion: CCompletion(context, answer).taking(PendingAction.self))
}

/// Answers a pending action.
@_cdecl("homing_user_begin_change")
package func homingUserBeginChange(
    _ user: UnsafeRawPointer, _ newEmail: UnsafePointer<CChar>?, _ actionCodeSettings: UnsafeRawPointer?,
    _ context: UnsafeMutableRawPointer?, _ answer: @escaping CAnswer
) {
    object(user, as: User.self).sendEmailVerification(
        beforeUpdatingEmail: text(newEmail), actionCodeSettings: settings(actionCodeSettings), finishing: .anywhere,
        completion: CCompletion(context, answer).taking(PendingAction.self))
}

// MARK: Pending actions

/// Answers a list.
@_cdecl("homing_auth_pending_actions")
package func homingAuthPendingActions(_ auth: UnsafeRawPointer) -> UnsafeMutableRawPointer {
    retained(Box(object(auth, as: Auth.self).pendingActions))
}

@_cdecl("homing_pending_actions_count")
package func homingPendingActionsCount(_ list: UnsafeRawPointer) -> Int {
    boxed(list, as: [PendingAction].self).count
}

@_cdecl("homing_pending_actions_at")
package func homingPendingActionsAt(_ list: UnsafeRawPointer, _ index: Int) -> UnsafeMutableRawPointer {
    retained(Box(boxed(list, as: [PendingAction].self)[index]))
}

private func action(_ pointer: UnsafeRawPointer) -> PendingAction { boxed(pointer, as: PendingAction.self) }

@_cdecl("homing_pending_action_is")
package func homingPendingActionIs(_ pointer: UnsafeRawPointer, _ other: UnsafeRawPointer) -> Bool {
    action(pointer) === action(other)
}

@_cdecl("homing_pending_action_match_number")
package func homingPendingActionMatchNumber(_ pointer: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(action(pointer).matchNumber)
}

@_cdecl("homing_pending_action_request_id")
package func homingPendingActionRequestID(_ pointer: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(action(pointer).requestID)
}

@_cdecl("homing_pending_action_email")
package func homingPendingActionEmail(_ pointer: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(action(pointer).email)
}

@_cdecl("homing_pending_action_operation")
package func homingPendingActionOperation(_ pointer: UnsafeRawPointer) -> Int {
    action(pointer).operation.rawValue
}

@_cdecl("homing_pending_action_continue_url")
package func homingPendingActionContinueURL(_ pointer: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(action(pointer).continueURL?.absoluteString)
}

/// Seconds since 1970.
@_cdecl("homing_pending_action_expires")
package func homingPendingActionExpires(_ pointer: UnsafeRawPointer) -> Int {
    Int(exactly: action(pointer).expiresAt.timeIntervalSince1970.rounded(.down)) ?? 0
}

/// A number of `HOMPendingActionState`.
@_cdecl("homing_pending_action_state")
package func homingPendingActionState(_ pointer: UnsafeRawPointer) -> Int {
    switch action(pointer).state {
    case .pending: 0
    case .signedIn: 1
    case .done: 2
    case .declined: 3
    case .expired: 4
    case .failed: 5
    }
}

/// Answers a result, or nothing.
@_cdecl("homing_pending_action_result")
package func homingPendingActionResult(
    _ pointer: UnsafeRawPointer, _ context: UnsafeMutableRawPointer?, _ answer: @escaping CAnswer
) {
    action(pointer).result(completion: CCompletion(context, answer).taking(AuthDataResult.self))
}

/// Answers how a typed code has finished it.
@_cdecl("homing_pending_action_finish")
package func homingPendingActionFinish(
    _ pointer: UnsafeRawPointer, _ code: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?,
    _ answer: @escaping CAnswer
) {
    action(pointer).finish(
        typed: text(code), completion: CCompletion(context, answer).taking(PendingAction.Finish.self))
}

/// The sign-in, or nothing.
@_cdecl("homing_finish_result")
package func homingFinishResult(_ finish: UnsafeRawPointer) -> UnsafeMutableRawPointer? {
    guard case .signedIn(let result) = boxed(finish, as: PendingAction.Finish.self) else { return nil }
    return retained(Box(result))
}

@_cdecl("homing_finish_code")
package func homingFinishCode(_ finish: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    guard case .code(let code) = boxed(finish, as: PendingAction.Finish.self) else { return nil }
    return copied(code)
}

@_cdecl("homing_pending_action_cancel")
package func homingPendingActionCancel(_ pointer: UnsafeRawPointer) { action(pointer).cancel() }

// MARK: Links, and after the app was installed

@_cdecl("homing_auth_sign_in_with_link")
package func homingAuthSignInWithLink(
    _ auth: UnsafeRawPointer, _ link: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?,
    _ answer: @escaping CAnswer
) {
    object(auth, as: Auth.self).signIn(
        withLink: text(link), completion: CCompletion(context, answer).taking(AuthDataResult.self))
}

/// Answers an unfinished action, or nothing.
@_cdecl("homing_auth_unfinished_action")
package func homingAuthUnfinishedAction(
    _ auth: UnsafeRawPointer, _ context: UnsafeMutableRawPointer?, _ answer: @escaping CAnswer
) {
    object(auth, as: Auth.self).pendingAction(
        completion: CCompletion(context, answer).taking(UnfinishedAction.self))
}

@_cdecl("homing_unfinished_operation")
package func homingUnfinishedOperation(_ unfinished: UnsafeRawPointer) -> Int {
    boxed(unfinished, as: UnfinishedAction.self).operation.rawValue
}

@_cdecl("homing_unfinished_continue_url")
package func homingUnfinishedContinueURL(_ unfinished: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(boxed(unfinished, as: UnfinishedAction.self).continueURL?.absoluteString)
}
