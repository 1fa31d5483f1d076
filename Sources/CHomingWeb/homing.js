// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
// See homing.d.ts.

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
// What a person reads where the server says no more than a code.
const OVER = "The session is over. Sign in again."
const SENTENCES = {
	"admin-restricted-operation": "This is not offered here.",
	"argument-error": "This is no link from a mail.",
	"custom-token-mismatch": "This sign-in is for another service.",
	"email-already-in-use": "Another account has this address. Sign in with it instead.",
	"expired-action-code": "This link has expired. Ask for a new mail.",
	"internal-error": "The server could not do this. Try again later.",
	"invalid-action-code": "This link was used already, or is damaged. Ask for a new mail.",
	"invalid-credential": "The address or the password is wrong.",
	"invalid-email": "This is no email address.",
	"invalid-new-email": "This is no email address.",
	"invalid-refresh-token": OVER,
	"invalid-user-token": OVER,
	"missing-email": "An email address is needed.",
	"missing-new-email": "An email address is needed.",
	"missing-password": "A password is needed.",
	"network-request-failed": "The server cannot be reached. Look at the connection and try again.",
	"no-current-user": "Nobody is signed in.",
	"operation-not-allowed": "This is not offered here.",
	"requires-recent-login": "The sign-in was too long ago. Sign in again.",
	"user-disabled": "This account is disabled.",
	"user-not-found": "Nobody has this address.",
	"user-signed-out": "Somebody signed in or out meanwhile.",
	"user-token-expired": OVER,
	"weak-password": "This password is too easy.",
	"wrong-password": "The password is wrong.",
}
const OPERATIONS = {
	__proto__: null,
	recoverEmail: "RECOVER_EMAIL",
	resetPassword: "PASSWORD_RESET",
	revertSecondFactorAddition: "REVERT_SECOND_FACTOR_ADDITION",
	signIn: "EMAIL_SIGNIN",
	verifyAndChangeEmail: "VERIFY_AND_CHANGE_EMAIL",
	verifyEmail: "VERIFY_EMAIL",
}

export class HomingError extends Error {
	name = "HomingError"
	constructor(code, message, options) {
		super(message || (SENTENCES[code] ?? `This did not work (${code}).`), options)
		this.code = `auth/${code}`
	}
}

function refusal({ message = "", status = "INTERNAL" }) {
	const [wire, detail] = message.split(/ : (.*)/s)
	const name = /^[A-Z\d_]+$/.test(wire) ? wire : wire.startsWith("API key") ? "INVALID_API_KEY" : status
	const code = CODES[name] ?? name.replace("OOB", "ACTION").replace(/_/g, "-").toLowerCase()
	return new HomingError(code, (detail || (wire !== name && wire)).replace?.(/[^.!?]$/, "$&."))
}

// As in Firebase's SDK: the last of a name counts, `+` is no space.
function query(url) {
	const [text] = url.replace(/^[^?]*\?/, "").split("#")
	return Object.fromEntries(text.split("&").map(pair => [...pair.split("="), ""].slice(0, 2).map(decodeURIComponent)))
}

export function parseActionCodeURL(url) {
	try {
		const { link = "", deep_link_id: deep = "" } = query(url)
		const inner = query(deep).link || deep || query(link).deep_link_id || link || url
		const { mode, oobCode: code, apiKey, continueUrl = null, lang = null, tenantId = null } = query(inner)
		const operation = OPERATIONS[mode]
		return operation && code && apiKey ? { operation, code, apiKey, continueUrl, languageCode: lang, tenantId } : null
	} catch {
		return null // A stray percent sign.
	}
}

const proof = (email, link = location.href) => ({ email, ...redeem(parseActionCodeURL(link)) })
// A link is of the tenant that it names, or of none.
function redeem(action) {
	if (!action) throw new HomingError("argument-error")
	return action.code ? { oobCode: action.code, tenantId: action.tenantId } : { oobCode: action }
}

async function send(ask, requestType, settings, more) {
	const { url, handleCodeInApp, iOS, android, ...domain } = settings ?? {}
	await ask("sendOobCode", {
		continueUrl: url,
		canHandleCodeInApp: handleCodeInApp,
		iOSBundleId: iOS?.bundleId,
		androidPackageName: android?.packageName,
		androidInstallApp: android?.installApp,
		androidMinimumVersion: android?.minimumVersion,
		...domain,
		...more,
		requestType,
	})
}

// In either spelling; not verified, for it came from its signer.
function sessionOf({ id_token, refresh_token, expires_in, ...answer }) {
	const { idToken = id_token, refreshToken = refresh_token, expiresIn = expires_in } = answer
	const bytes = atob(idToken.split(".")[1].replace(/-/g, "+").replace(/_/g, "/"))
	const claims = JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, c => c.charCodeAt())))
	const user = {
		uid: claims.sub,
		email: claims.email ?? null,
		emailVerified: claims.email_verified ?? false,
		displayName: claims.name ?? null,
		photoURL: claims.picture ?? null,
		isAnonymous: claims.firebase.sign_in_provider === "anonymous",
		tenantId: claims.firebase.tenant ?? null,
	}
	return { idToken, refreshToken, expiresAt: Date.now() + expiresIn * 1000, user }
}

const overtaken = () => new HomingError("user-signed-out")

export function Homing({ apiKey, url, storage = "local", timeout = 30000, languageCode, tenantId = null }) {
	const server = (url ?? new URL(import.meta.url).origin).replace(/\/+$/, "")
	// A refresh token never goes to another server than it came from.
	const key = `homing:${apiKey}:${server}`
	const listeners = new Set()
	const renewals = {}
	let store, text, user, begun = 0, done = 0
	try {
		store = globalThis[`${storage}Storage`]
		delete store[`homing:${apiKey}`] // Of an earlier version, and nobody knows which server's.
	} catch {} // No storage here.
	store ??= {}
	// Another tab wrote, or the page came back.
	for (const event of ["storage", "pageshow"]) globalThis.addEventListener?.(event, current)

	function session() {
		try {
			const kept = JSON.parse(store[key])
			const isOurs = [kept.idToken, kept.refreshToken, kept.user.uid].every(text => text && typeof text === "string")
			return isOurs ? kept : null
		} catch {
			return null // Nobody, or what nobody can read.
		}
	}
	// A late answer changes the session that asked, or none.
	const isCurrent = ({ refreshToken }) => session()?.refreshToken === refreshToken
	const end = own => isCurrent(own) && write(null)
	function write(next) {
		const json = JSON.stringify(next)
		try {
			store[key] = json
		} catch {
			delete store[key] // Full: nobody of before may come back.
			store = { [key]: json }
		}
		return current()
	}
	function current() {
		const now = JSON.stringify(session()?.user ?? null)
		if (now !== text) {
			const told = user = Object.freeze(JSON.parse(text = now))
			for (const tell of listeners) queueMicrotask(() => tell(told))
		}
		return user
	}

	async function post(call, body, own, path = `accounts:${call}`) {
		const { languageCode, tenantId } = homing
		let ok
		const answer = await fetch(`${server}/v1/${path}?key=${apiKey}`, {
			method: "POST",
			headers: { "Content-Type": "application/json", ...(languageCode && { "X-Firebase-Locale": languageCode }) },
			// A token says by itself of which tenant it is.
			body: JSON.stringify(own ? body : { tenantId, ...body }, (_, value) => value ?? undefined),
			signal: AbortSignal.timeout?.(timeout),
			redirect: "error",
			referrerPolicy: "no-referrer", // The page's URL may hold a code.
		})
			.then(response => (ok = response.ok, response.json()))
			.catch(cause => { throw new HomingError("network-request-failed", "", { cause }) })
		if (ok) return answer
		const error = refusal(answer?.error ?? {})
		if (own && /user-(token-expired|disabled)|refresh-token/.test(error.code)) end(own)
		throw error
	}
	// The sign-in that was begun last counts.
	async function signIn(call, body) {
		const turn = ++begun
		const answer = await post(call, { ...body, returnSecureToken: true })
		if (turn < done) throw overtaken()
		done = turn
		return { user: write(sessionOf(answer)), isNewUser: answer.isNewUser ?? call === "signUp" }
	}
	// All wait for one renewal.
	async function fresh(force, own = session()) {
		if (!own) throw new HomingError("no-current-user")
		if (!force && own.expiresAt - 30000 > Date.now()) return own
		const token = own.refreshToken
		return renewals[token] ??= renew(own).finally(() => delete renewals[token])
	}
	async function renew(own, answer) {
		const body = { grantType: "refresh_token", refreshToken: own.refreshToken }
		const next = sessionOf(answer?.idToken ? answer : await post("", body, own, "token"))
		if (!isCurrent(own)) throw overtaken()
		write(next)
		return next
	}
	async function ask(call, body, force, before) {
		const own = await fresh(force, before)
		try {
			return [own, await post(call, { ...body, idToken: own.idToken }, own)]
		} catch (error) {
			// New keys, or a clock set back.
			if (force || error.code !== "auth/invalid-user-token") throw error
			return ask(call, body, true, own)
		}
	}
	async function change(call, body) {
		const { user } = await renew(...await ask(call, { ...body, returnSecureToken: true }))
		return { user }
	}

	const homing = {
		languageCode,
		tenantId,
		get currentUser() { return current() },
		onAuthStateChanged(listener) {
			const now = current()
			const tell = user => listeners.has(tell) && listener(user)
			listeners.add(tell)
			queueMicrotask(() => tell(now))
			return () => listeners.delete(tell)
		},
		createUserWithEmailAndPassword: (email, password) => signIn("signUp", { email, password }),
		signInWithEmailAndPassword: (email, password) => signIn("signInWithPassword", { email, password }),
		signInWithCustomToken: token => signIn("signInWithCustomToken", { token }),
		async signInAnonymously() {
			const isKnown = current()?.isAnonymous && user.tenantId == homing.tenantId
			return isKnown ? { user, isNewUser: false } : signIn("signUp")
		},
		isSignInWithEmailLink: link => parseActionCodeURL(link)?.operation === "EMAIL_SIGNIN",
		signInWithEmailLink: async (email, link) => signIn("signInWithEmailLink", proof(email, link)),
		linkWithEmailLink: async (email, link) => change("signInWithEmailLink", proof(email, link)),
		linkWithEmailAndPassword: (email, password) => change("signUp", { email, password }),
		async signOut() {
			done = ++begun
			write(null)
		},
		getIdToken: async forceRefresh => (await fresh(forceRefresh)).idToken,
		async reload() { await fresh(true) },
		async updateProfile({ displayName, photoURL }) {
			const deleteAttribute = [displayName === null && "DISPLAY_NAME", photoURL === null && "PHOTO_URL"].filter(Boolean)
			await change("update", { displayName, photoUrl: photoURL, deleteAttribute })
		},
		async updatePassword(password) { await change("update", { password }) },
		async deleteUser() { end((await ask("delete"))[0]) },

		sendPasswordResetEmail: (email, settings) => send(post, "PASSWORD_RESET", settings, { email }),
		sendSignInLinkToEmail: (email, settings) => send(post, "EMAIL_SIGNIN", settings, { email, canHandleCodeInApp: true }),
		sendEmailVerification: settings => send(ask, "VERIFY_EMAIL", settings),
		verifyBeforeUpdateEmail: (newEmail, settings) => send(ask, "VERIFY_AND_CHANGE_EMAIL", settings, { newEmail }),
		async checkActionCode(code) {
			const { requestType: operation, email: now = null, newEmail: other = null } = await post("resetPassword", redeem(code))
			const [email, previousEmail] = operation === "VERIFY_AND_CHANGE_EMAIL" ? [other, now] : [now, other]
			return { operation, data: { email, previousEmail } }
		},
		verifyPasswordResetCode: async code => (await homing.checkActionCode(code)).data.email,
		async confirmPasswordReset(code, newPassword) { await post("resetPassword", { ...redeem(code), newPassword }) },
		async applyActionCode(code) { await post("update", redeem(code)) },
	}
	return homing
}
