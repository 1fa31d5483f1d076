// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package com.example.lighthouse

import android.app.Activity
import android.content.Intent
import android.net.Uri
import android.os.Bundle
import homing.auth.ActionCodeResult
import homing.auth.ActionCodeUrl
import homing.auth.FirebaseAuth
import homing.auth.IncomingLink
import homing.auth.PendingAction
import homing.auth.handle
import homing.auth.pendingActions
import homing.auth.signInWithLink
import homing.dynamiclinks.FirebaseDynamicLinks

/** A letter for readers only: whoever forgets the password on the way comes back to the same part of the letter. */
class MainActivity : Activity() {
    private val auth = FirebaseAuth.getInstance()
    private lateinit var screen: Screen
    private var place = Place.FIRST

    private val onUser = FirebaseAuth.AuthStateListener { show() }

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        screen = Screen(this, Mails(auth)) { place }
        place = Place.of(savedInstanceState?.getString(PLACE)) ?: place
        setContentView(screen.view)
        if (savedInstanceState == null) arrive(intent)
        // A mail that was asked for before the process ended.
        auth.pendingActions.firstOrNull()?.let(::waitFor)
    }

    override fun onStart() {
        super.onStart()
        auth.addAuthStateListener(onUser)
    }

    override fun onStop() {
        super.onStop()
        auth.removeAuthStateListener(onUser)
    }

    override fun onSaveInstanceState(outState: Bundle) {
        super.onSaveInstanceState(outState)
        outState.putString(PLACE, place.url)
    }

    override fun onNewIntent(intent: Intent) {
        super.onNewIntent(intent)
        arrive(intent)
    }

    /** The app was opened: by a link, or for the first time after a link led to the store, or by hand. */
    private fun arrive(intent: Intent) {
        when (val link = auth.handle(intent)) {
            is IncomingLink.Action -> act(link.url, intent.dataString ?: "")
            is IncomingLink.ContinueUrl -> go(link.url)
            is IncomingLink.DynamicLink -> readDynamicLink(intent)
            is IncomingLink.UpdateNeeded -> screen.offerUpdate(link.storeUrl)
            is IncomingLink.OtherProject, is IncomingLink.Damaged ->
                screen.say("This link is damaged. Open it from the mail itself, or ask for a new mail.")
            is IncomingLink.NotOurs -> if (intent.data != null) go(intent.dataString) else readDynamicLink(intent)
        }
    }

    /** Also the first start after an install: the Play Store keeps the link that led to it. */
    private fun readDynamicLink(intent: Intent) {
        FirebaseDynamicLinks.getInstance().getDynamicLink(intent).addOnSuccessListener { data ->
            val link = data?.link?.toString() ?: return@addOnSuccessListener
            val update = data.getUpdateAppIntent(this)
            when {
                update != null -> startActivity(update)
                auth.handle(link) is IncomingLink.Action -> arrive(Intent(Intent.ACTION_VIEW, Uri.parse(link)))
                else -> go(link)
            }
        }
    }

    /** A mail's link: the app does what the mail is for, and goes where the person was. */
    private fun act(url: ActionCodeUrl, link: String) {
        when (url.operation) {
            ActionCodeResult.PASSWORD_RESET -> screen.askForPassword { password ->
                auth.confirmPasswordReset(url.code, password)
                    .addOnSuccessListener { screen.say("The new password is set. Sign in with it.") }
                    .addOnSuccessListener { go(url.continueUrl) }
                    .addOnFailureListener { screen.say(it.message) }
            }
            ActionCodeResult.SIGN_IN_WITH_EMAIL_LINK -> auth.signInWithLink(link)
                .addOnSuccessListener { go(url.continueUrl) }
                .addOnFailureListener { screen.say(it.message) }
            else -> auth.applyActionCode(url.code)
                .onSuccessTask { auth.currentUser?.reload() ?: homing.tasks.Tasks.forResult<Void?>(null) }
                .addOnSuccessListener { go(url.continueUrl) }
                .addOnFailureListener { screen.say(it.message) }
        }
    }

    private fun go(url: String?) {
        place = Place.of(url) ?: place
        show()
    }

    private fun waitFor(action: PendingAction) = screen.showNumber(action)

    private fun show() = screen.show(auth.currentUser, place)

    private companion object {
        const val PLACE = "place"
    }
}
