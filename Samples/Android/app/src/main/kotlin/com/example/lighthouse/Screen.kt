// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package com.example.lighthouse

import android.app.Activity
import android.app.AlertDialog
import android.content.Intent
import android.net.Uri
import android.text.InputType
import android.view.View
import android.widget.Button
import android.widget.EditText
import android.widget.LinearLayout
import android.widget.TextView
import homing.auth.FirebaseAuth
import homing.auth.FirebaseUser
import homing.auth.PendingAction
import homing.tasks.Task

/** One column: a text, fields for address and password, and buttons. */
class Screen(private val activity: Activity, private val mails: Mails, private val place: () -> Place) {
    private val auth = FirebaseAuth.getInstance()
    private val text = TextView(activity)
    private val email = field("Email", EMAIL_ADDRESS)
    private val password = field("Password", PASSWORD)
    private val guest = column(
        email, password,
        button("Sign in") { told(auth.signInWithEmailAndPassword(email.content, password.content)) },
        button("New here") { told(auth.createUserWithEmailAndPassword(email.content, password.content)) },
        button("I forgot my password") { begin(mails.forgotten(email.content, place())) },
        button("Sign in by mail") { begin(mails.signInLink(email.content, place())) }
    )
    private val reader = column(button("Sign out") { auth.signOut() })
    val view: View = column(text, guest, reader)

    fun show(user: FirebaseUser?, place: Place) {
        guest.visibility = if (user == null) View.VISIBLE else View.GONE
        reader.visibility = if (user == null) View.GONE else View.VISIBLE
        text.text = if (user == null) "Letters are for readers." else "${place.letter}, part ${place.part}, for ${user.email}"
    }

    fun say(sentence: String?) {
        text.text = sentence
    }

    fun offerUpdate(storeUrl: String?) {
        AlertDialog.Builder(activity).setMessage("This link needs a newer version of the app.")
            .setPositiveButton("Update") { _, _ -> open(storeUrl) }.setNegativeButton("Not now", null).show()
    }

    fun askForPassword(use: (String) -> Unit) {
        val entry = field("New password", PASSWORD)
        AlertDialog.Builder(activity).setTitle("Choose a new password").setView(entry)
            .setPositiveButton("Set") { _, _ -> use(entry.content) }.show()
    }

    /** While a mail waits: its number, for whoever opens it elsewhere, and a field for its code. */
    fun showNumber(action: PendingAction) {
        val code = field("Code of the mail", InputType.TYPE_CLASS_NUMBER)
        val dialog = AlertDialog.Builder(activity).setTitle("We have sent a mail to ${action.email}")
            .setMessage("Open it here, or anywhere else with the number ${action.matchNumber}.").setView(code)
            .setPositiveButton("Use the code") { _, _ -> finish(action, code.content) }
            .setNegativeButton("Cancel") { _, _ -> action.cancel() }.show()
        action.result().addOnCompleteListener { task ->
            dialog.dismiss()
            say(if (task.isSuccessful) "Done. Sign in." else task.exception?.message)
            if (auth.currentUser != null) show(auth.currentUser, place())
        }
    }

    private fun finish(action: PendingAction, typed: String) {
        action.finish(typed).addOnFailureListener { say(it.message) }.addOnSuccessListener { finish ->
            val code = finish.code ?: return@addOnSuccessListener
            askForPassword { told(auth.confirmPasswordReset(code, it)) }
        }
    }

    private fun begin(asking: Task<PendingAction>) {
        asking.addOnSuccessListener { showNumber(it) }.addOnFailureListener { say(it.message) }
    }

    private fun told(call: Task<*>) {
        call.addOnFailureListener { say(it.message) }
    }

    private fun open(url: String?) {
        url?.let { activity.startActivity(Intent(Intent.ACTION_VIEW, Uri.parse(it))) }
    }

    private fun column(vararg views: View) = LinearLayout(activity).apply {
        orientation = LinearLayout.VERTICAL
        views.forEach { addView(it) }
    }

    private fun field(hint: String, type: Int) = EditText(activity).apply {
        this.hint = hint
        inputType = type
    }

    private fun button(label: String, press: () -> Unit) = Button(activity).apply {
        text = label
        setOnClickListener { press() }
    }

    private companion object {
        const val EMAIL_ADDRESS = InputType.TYPE_CLASS_TEXT or InputType.TYPE_TEXT_VARIATION_EMAIL_ADDRESS
        const val PASSWORD = InputType.TYPE_CLASS_TEXT or InputType.TYPE_TEXT_VARIATION_PASSWORD
    }

    private val EditText.content: String get() = text.toString().trim()
}
