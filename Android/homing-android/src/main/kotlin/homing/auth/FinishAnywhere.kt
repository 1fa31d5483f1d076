// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

@file:JvmName("FinishAnywhere")

package homing.auth

import homing.tasks.Task
import homing.tasks.task
import homing.text

/** Mails a link that signs in, on this device, wherever the mail is opened. */
fun FirebaseAuth.sendSignInLinkToEmail(
    email: String, settings: ActionCodeSettings, finishing: Finishing
): Task<PendingAction> = begin("EMAIL_SIGNIN", email, finishing) { signInSettings(settings) }

/** Mails a link that sets a new password, wherever the mail is opened. */
fun FirebaseAuth.sendPasswordResetEmail(
    email: String, settings: ActionCodeSettings?, finishing: Finishing
): Task<PendingAction> = begin("PASSWORD_RESET", email, finishing) { settings?.members() ?: emptyList() }

private fun FirebaseAuth.begin(
    type: String, email: String, finishing: Finishing, settings: () -> List<Pair<String, Any?>>
): Task<PendingAction> {
    val tenant = tenantId
    return task {
        check(finishing == Finishing.ANYWHERE)
        requests.begin(type, settings(), email, tenant) {
            send(type, listOf("email" to email, "tenantId" to tenant) + it)
        }
    }
}

/** Mails a link that verifies the address, wherever the mail is opened. When it is done, `reload` tells. */
fun FirebaseUser.sendEmailVerification(settings: ActionCodeSettings?, finishing: Finishing): Task<PendingAction> =
    begin("VERIFY_EMAIL", settings, null, finishing)

/** Mails a link to a new address, wherever the mail is opened. When it is done this session is over: sign in again. */
fun FirebaseUser.verifyBeforeUpdateEmail(
    newEmail: String, settings: ActionCodeSettings?, finishing: Finishing
): Task<PendingAction> = begin("VERIFY_AND_CHANGE_EMAIL", settings, newEmail, finishing)

private fun FirebaseUser.begin(
    type: String, settings: ActionCodeSettings?, newEmail: String?, finishing: Finishing
): Task<PendingAction> = task {
    check(finishing == Finishing.ANYWHERE)
    auth.requests.begin(type, settings?.members() ?: emptyList(), newEmail, tenantId) {
        send(type, listOf("newEmail" to newEmail) + it)
    }
}

/** What this app has asked for and can still be finished, the newest first; five at most, also after a restart. */
val FirebaseAuth.pendingActions: List<PendingAction> get() = requests.open

/**
 * Signs in with a sign-in link that this app has asked for: nobody has to say the address again.
 *
 * It fails with `ERROR_MISSING_EMAIL` when no sign-in is pending here: ask for the address, then
 * [FirebaseAuth.signInWithEmailLink].
 */
fun FirebaseAuth.signInWithLink(link: String): Task<AuthResult> = task {
    val action = signInLink(link)
    val passing = setOf("ERROR_MISSING_CODE_VERIFIER", "ERROR_INVALID_EMAIL")
    requests.asAsking(setOf(ActionCodeResult.SIGN_IN_WITH_EMAIL_LINK), passing) { pending ->
        val email = pending?.email ?: throw AuthErrors.of(
            "MISSING_EMAIL", "No sign-in is pending here. Ask for the address and call signInWithEmailLink."
        )
        val members = listOf("email" to email, "oobCode" to action.code, "tenantId" to action.tenantId)
        val result = signIn("signInWithEmailLink", members + pending.verifierMember)
        Use(result, email, PendingAction.State.SignedIn(result))
    }
}

/**
 * What the signed-in user was about to do when a mailed link was opened in a browser of a device without the app, and did
 * not finish; null for nothing. The server tells it once, and for a day.
 */
fun FirebaseAuth.pendingAction(): Task<UnfinishedAction?> = task {
    val user = currentUser ?: throw AuthErrors.of("USER_SIGNED_OUT")
    val answer = user.session.authorized { backend.call("pendingAction", "idToken" to it) }
    answer.text("mode")?.let { UnfinishedAction(ActionCodeResult.ofMode(it), answer.text("continueUrl")) }
}

/** Whether a password follows the rules of the project, as the server has them now. */
fun FirebaseAuth.validatePassword(password: String): Task<PasswordValidationStatus> = task {
    PasswordRules.check(password, backend.passwordPolicy())
}
