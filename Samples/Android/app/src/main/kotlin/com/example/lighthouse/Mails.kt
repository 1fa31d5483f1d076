// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package com.example.lighthouse

import homing.auth.FirebaseAuth
import homing.auth.Finishing
import homing.auth.PendingAction
import homing.auth.actionCodeSettings
import homing.auth.sendPasswordResetEmail
import homing.auth.sendSignInLinkToEmail
import homing.tasks.Task

/** The mails that the app asks for; each brings the reader back to a place. */
class Mails(private val auth: FirebaseAuth) {
    private fun backTo(place: Place) = actionCodeSettings {
        url = place.url
        handleCodeInApp = true
        setAndroidPackageName("com.example.lighthouse", true, null)
    }

    /** Answered here, or anywhere else with the number that this device shows. */
    fun forgotten(email: String, place: Place): Task<PendingAction> =
        auth.sendPasswordResetEmail(email, backTo(place), Finishing.ANYWHERE)

    fun signInLink(email: String, place: Place): Task<PendingAction> =
        auth.sendSignInLinkToEmail(email, backTo(place), Finishing.ANYWHERE)
}
