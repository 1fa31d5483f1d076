// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

// Firebase's names where they are not the wire's in small letters.
const CODES = {
	ADMIN_ONLY_OPERATION: "admin-restricted-operation",
	CREDENTIAL_MISMATCH: "custom-token-mismatch",
	CREDENTIAL_TOO_OLD_LOGIN_AGAIN: "requires-recent-login",
	EMAIL_EXISTS: "email-already-in-use",
	EMAIL_NOT_FOUND: "user-not-found",
	INTERNAL: "internal-error",
	INVALID_ID_TOKEN: "invalid-user-token",
	INVALID_LOGIN_CREDENTIALS: "invalid-credential",
	INVALID_PASSWORD: "wrong-password",
	MISSING_ANDROID_PACKAGE_NAME: "missing-android-pkg-name",
	PASSWORD_LOGIN_DISABLED: "operation-not-allowed",
	TOKEN_EXPIRED: "user-token-expired",
	TOO_MANY_ATTEMPTS_TRY_LATER: "too-many-requests",
	UNAUTHORIZED_DOMAIN: "unauthorized-continue-uri",
	USER_NOT_FOUND: "user-token-expired",
}
// What a person reads where the server says but a code.
const OVER = "The session is over. Sign in again."
const SENTENCES = {
	"action-declined": "This was declined. Ask for a new mail if it was you.",
	"admin-restricted-operation": "This is not offered here.",
	"argument-error": "This is no link from a mail.",
	"custom-token-mismatch": "This sign-in is for another service.",
	"email-already-in-use": "Another account has this address. Sign in with it instead.",
	"expired-action-code": "This link has expired. Ask for a new mail.",
	"internal-error": "The server could not do this. Try again later.",
	"invalid-action-code": "This link was used already, or is damaged. Ask for a new mail.",
	"invalid-credential": "The address or the password is wrong.",
	"invalid-email": "This is no email address.",
	"invalid-refresh-token": OVER,
	"invalid-user-token": OVER,
	"missing-code-verifier": "This link was asked for elsewhere. Finish there, or with the number there.",
	"missing-email": "An email address is needed.",
	"missing-password": "A password is needed.",
	"network-request-failed": "The server cannot be reached. Look at the connection and try again.",
	"no-current-user": "Nobody is signed in.",
	"operation-not-allowed": "This is not offered here.",
	"operation-not-supported-in-this-environment": "This needs a page with https, or on localhost.",
	"requires-recent-login": "The sign-in was too long ago. Sign in again.",
	"user-disabled": "This account is disabled.",
	"user-mismatch": "This is another account.",
	"user-not-found": "Nobody has this address.",
	"user-signed-out": "Somebody signed in or out meanwhile.",
	"user-token-expired": OVER,
	"wait-cancelled": "Nobody waits for this any more.",
	"weak-password": "This password is too easy.",
	"wrong-password": "The password is wrong.",
}
export class HomingError extends Error {
	name = "HomingError"
	constructor(code, message, options) {
		super(message || (SENTENCES[code.replace("new-", "")] ?? `This did not work (${code}).`), options)
		this.code = `auth/${code}`
	}
}

// A refusal as the server says it.
export function refusal({ message = "", status = "INTERNAL", triesLeft }) {
	const [wire, detail] = message.split(/ : (.*)/s)
	const name = /^[A-Z\d_]+$/.test(wire) ? wire : wire.startsWith("API key") ? "INVALID_API_KEY" : status
	const code = CODES[name] ?? name.replace("OOB", "ACTION").replace(/_/g, "-").toLowerCase()
	const wrong = triesLeft >= 0 && `This code is wrong. Tries left: ${triesLeft}.`
	const error = new HomingError(code, (detail || (wire !== name ? wire : wrong)).replace?.(/[^.!?]$/, "$&."))
	return wrong ? Object.assign(error, { triesLeft }) : error
}
