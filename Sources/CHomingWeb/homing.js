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
	"user-not-found": "Nobody has this address.",
	"user-signed-out": "Somebody signed in or out meanwhile.",
	"user-token-expired": OVER,
	"wait-cancelled": "Nobody waits for this any more.",
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
		super(message || (SENTENCES[code.replace("new-", "")] ?? `This did not work (${code}).`), options)
		this.code = `auth/${code}`
	}
}

function refusal({ message = "", status = "INTERNAL", triesLeft }) {
	const [wire, detail] = message.split(/ : (.*)/s)
	const name = /^[A-Z\d_]+$/.test(wire) ? wire : wire.startsWith("API key") ? "INVALID_API_KEY" : status
	const code = CODES[name] ?? name.replace("OOB", "ACTION").replace(/_/g, "-").toLowerCase()
	const wrong = triesLeft >= 0 && `This code is wrong. Tries left: ${triesLeft}.`
	const error = new HomingError(code, (detail || (wire !== name ? wire : wrong)).replace?.(/[^.!?]$/, "$&."))
	return wrong ? Object.assign(error, { triesLeft }) : error
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

// A link is of the tenant that it names, or of none.
function redeem(action) {
	if (!action) throw new HomingError("argument-error")
	return action.code ? { oobCode: action.code, tenantId: action.tenantId } : { oobCode: action }
}

// RFC 7636: who asks keeps the verifier, and its hash goes with the request.
async function verifierAndChallenge() {
	if (!globalThis.crypto?.subtle) throw new HomingError("operation-not-supported-in-this-environment")
	const text = bytes => btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "")
	const verifier = text(crypto.getRandomValues(new Uint8Array(32)))
	return [verifier, text(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))))]
}

// Ends early when the network or the page comes back.
const rest = time => new Promise(resolve => {
	const woken = new AbortController()
	const wake = () => (clearTimeout(timer), woken.abort(), resolve())
	const timer = setTimeout(wake, time)
	for (const event of ["online", "pageshow", "visibilitychange"]) {
		globalThis.addEventListener?.(event, wake, { signal: woken.signal })
	}
})

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

const areTexts = (...texts) => texts.every(text => text && typeof text === "string")
const areSame = (one, other) => one?.toLowerCase() === other?.toLowerCase()
const overtaken = () => new HomingError("user-signed-out")

export function Homing({ apiKey, url, storage = "local", timeout = 30000, languageCode, tenantId = null }) {
	const server = (url ?? new URL(import.meta.url).origin).replace(/\/+$/, "")
	// A refresh token never goes to another server than it came from.
	const key = `homing:${apiKey}:${server}`
	const requestsKey = `homing-requests:${apiKey}:${server}`
	const listeners = new Set()
	const renewals = {}
	const pendings = {}
	let store, text, user, redeeming, begun = 0, done = 0
	try {
		store = globalThis[`${storage}Storage`]
		delete store[`homing:${apiKey}`] // Of an earlier version, for any server.
	} catch {} // No storage here.
	store ??= {}
	let requestStore = store
	// Another tab wrote, or the page came back.
	for (const event of ["storage", "pageshow"]) globalThis.addEventListener?.(event, current)

	function session() {
		try {
			const kept = JSON.parse(store[key])
			return areTexts(kept.idToken, kept.refreshToken, kept.user.uid) ? kept : null
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

	async function post(call, body, own, path = `accounts:${call}`, signal = AbortSignal.timeout?.(timeout)) {
		const { languageCode, tenantId } = homing
		let ok
		const answer = await fetch(`${server}/v1/${path}?key=${apiKey}`, {
			method: "POST",
			headers: { "Content-Type": "application/json", ...(languageCode && { "X-Firebase-Locale": languageCode }) },
			// A token says by itself of which tenant it is.
			body: JSON.stringify(own ? body : { tenantId, ...body }, (_, value) => value ?? undefined),
			signal,
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

	// What was asked for here and may be finished anywhere, the newest first.
	function requests() {
		try {
			// An approved sign-in waits for five minutes at least.
			const isAlive = own => areTexts(own.requestId, own.verifier) && own.expiresAt + 300000 > Date.now()
			return JSON.parse(requestStore[requestsKey]).filter(isAlive)
		} catch {
			return [] // None, or what nobody can read.
		}
	}
	function keep(list) {
		const json = JSON.stringify(list.slice(0, 5))
		try {
			requestStore[requestsKey] = json
		} catch {
			delete requestStore[requestsKey] // Full.
			requestStore = { [requestsKey]: json }
		}
	}
	const forget = id => keep(requests().filter(({ requestId }) => requestId !== id))
	const page = (name, query) => `${server}/__/auth/${name}?` + Object.entries(query)
		.filter(([, value]) => value).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")

	async function send(requestType, settings, options, body, ask) {
		const { tenantId } = homing
		const isBound = options?.finishing === "anywhere"
		const [verifier, codeChallenge] = isBound ? await verifierAndChallenge() : []
		const { url, handleCodeInApp, iOS, android, ...domain } = settings ?? {}
		const whole = {
			continueUrl: url,
			canHandleCodeInApp: handleCodeInApp,
			iOSBundleId: iOS?.bundleId,
			androidPackageName: android?.packageName,
			androidInstallApp: android?.installApp,
			androidMinimumVersion: android?.minimumVersion,
			...domain,
			...body,
			codeChallenge,
			codeChallengeMethod: codeChallenge && "S256",
			requestType,
		}
		const [own, answer] = ask ? await ask("sendOobCode", whole) : [, await post("sendOobCode", { tenantId, ...whole })]
		if (!isBound) return
		const { requestId, matchNumber, expiresIn } = answer
		if (!requestId) throw new HomingError("operation-not-allowed", "This server mails plain links only.")
		const request = {
			requestId,
			verifier,
			matchNumber,
			operation: requestType,
			email: body?.newEmail ?? body?.email ?? own.user.email,
			tenantId: own ? own.user.tenantId : tenantId,
			uid: current()?.uid,
			expiresAt: Date.now() + expiresIn * 1000,
		}
		// The server has ended what this replaces.
		const isReplaced = ({ operation, email, tenantId }) => operation === requestType
			&& tenantId == request.tenantId && areSame(email, request.email)
		keep([request, ...requests().filter(own => !isReplaced(own))])
		return pending(request)
	}

	// A code does not say which request it is of: the newest goes first.
	async function here(operations, action, body, attempt) {
		const code = redeem(action)
		const { tenantId = homing.tenantId, email } = { ...code, ...body }
		const tried = requests().filter(own => operations.includes(own.operation) && own.tenantId == tenantId
			&& (!email || areSame(own.email, email)))
		for (;;) {
			const own = tried.shift()
			// With an address that is none, a link that was asked for elsewhere is told from one that needs the address.
			const address = "email" in body && { email: email || own?.email || "?" }
			try {
				const answer = await (redeeming = attempt({ ...code, ...body, ...address, codeVerifier: own?.verifier }))
				// A link that nobody is bound to works with any verifier.
				if (own && areSame(own.email, answer.email ?? answer.user?.email)) forget(own.requestId)
				return answer
			} catch (error) {
				if (tried.length && /missing-code-verifier|invalid-email/.test(error.code)) continue
				const isUnknown = address && !email && error.code === "auth/invalid-email"
				throw isUnknown ? new HomingError("missing-email") : error
			}
		}
	}
	const hereByLink = (email, link = location.href, attempt) =>
		here(["EMAIL_SIGNIN"], parseActionCodeURL(link), { email }, attempt)

	// The same for everybody who asks for a request, so that one of them waits at a time.
	function pending(own) {
		return pendings[own.requestId] ??= pendingAction(own)
	}
	function pendingAction(own) {
		const { requestId, verifier, matchNumber, operation, email, tenantId, uid } = own
		const listeners = new Set()
		let state = "pending", isAwaited, isWaiting, held, typing, end
		const outcome = new Promise((resolve, reject) => end = { resolve, reject })
		outcome.catch(() => {}) // Told to whoever asks for it.

		function settle(next, error, more) {
			if (state !== "pending") return
			state = next
			forget(requestId)
			error ? end.reject(error) : end.resolve(told(more))
			for (const tell of listeners) queueMicrotask(tell)
		}
		const told = more => ({ user: current(), isNewUser: false, code: null, ...more })
		function take({ state: now, isNewUser = false, ...answer }) {
			if (state !== "pending") return
			if (now === "APPROVED" && answer.idToken) {
				const person = current()
				const isOther = person && !person.isAnonymous && person.uid !== uid && !areSame(person.email, email)
				if (isOther) return settle("failed", overtaken())
				done = ++begun
				settle("approved", null, { user: write(sessionOf(answer)), isNewUser })
			} else if (now === "DONE") settle("done")
			else if (now === "DECLINED") settle("declined", new HomingError("action-declined"))
			else if (now === "EXPIRED") settle("expired", new HomingError("expired-action-code"))
		}
		const look = (more, signal) =>
			post("awaitOobCode", { requestId, codeVerifier: verifier, tenantId, ...more }, null, undefined, signal)
		// Also while the page is hidden: the mail is read elsewhere.
		async function wait() {
			if (isWaiting) return
			isWaiting = true
			for (let pause = 500; state === "pending" && (isAwaited || listeners.size);) {
				const since = Date.now()
				let isLost = false
				held = new AbortController()
				const timer = setTimeout(() => held.abort(), timeout + 25000)
				try {
					const answer = await look({ wait: 25 }, held.signal)
					// The tokens of a code that this page is using come by its answer.
					if (answer.state === "DONE") await Promise.allSettled([typing, redeeming])
					take(answer)
				} catch (error) {
					isLost = /network|unavailable|too-many|internal/.test(error.code)
					if (error.code === "auth/invalid-request-id") take({ state: "EXPIRED" })
					else if (!isLost) settle("failed", error)
				}
				clearTimeout(timer)
				held = null
				// A server that stops answers at once.
				pause = isLost || Date.now() - since < 1000 ? Math.min(pause * 2, 30000) : 500
				if (state === "pending" && pause > 500) await rest(pause * (1 + Math.random() / 2))
			}
			isWaiting = false
		}
		const pending = {
			operation,
			email,
			matchNumber,
			requestId,
			expiresAt: new Date(own.expiresAt),
			waitURL: page("wait", { request: requestId, apiKey, lang: homing.languageCode, tenantId }),
			onState(listener) {
				let last
				const tell = () => listeners.has(tell) && last !== state && listener(last = state)
				listeners.add(tell)
				queueMicrotask(tell)
				wait()
				return () => listeners.delete(tell)
			},
			states: {
				async *[Symbol.asyncIterator]() {
					const heard = []
					let wake
					const stop = pending.onState(state => (heard.push(state), wake?.()))
					try {
						for (let state = "pending"; state === "pending"; yield state) {
							while (!heard.length) await new Promise(resolve => wake = resolve)
							state = heard.shift()
						}
					} finally {
						stop()
					}
				},
			},
			result() {
				isAwaited = true
				wait()
				return outcome
			},
			async finish(typed) {
				const digits = `${typed}`.match(/\p{Nd}/gu) ?? []
				if (digits.length !== 8) throw new HomingError("invalid-action-code", "The code has eight digits.")
				const { oobCode, ...answer } = await (typing = look({ typedCode: digits.join(""), wait: 0 }))
				if (!oobCode) {
					// Where it is over, a wait that is held may have the tokens.
					if (answer.state !== "DONE" || !held) take(answer)
				} else if (operation === "PASSWORD_RESET") {
					const code = { operation, code: oobCode, apiKey, continueUrl: null, languageCode: null, tenantId }
					return told({ code })
				} else {
					await post("update", { oobCode, codeVerifier: verifier, tenantId })
					settle("done")
				}
				return pending.result()
			},
			cancel() {
				settle("failed", new HomingError("wait-cancelled"))
				held?.abort()
			},
		}
		return Object.freeze(pending)
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
		signInWithEmailLink: async (email, link) => hereByLink(email, link, body => signIn("signInWithEmailLink", body)),
		linkWithEmailLink: async (email, link) => hereByLink(email, link, body => change("signInWithEmailLink", body)),
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

		sendPasswordResetEmail: (email, settings, options) => send("PASSWORD_RESET", settings, options, { email }),
		sendSignInLinkToEmail: (email, settings, options) =>
			send("EMAIL_SIGNIN", settings, options, { email, canHandleCodeInApp: true }),
		sendEmailVerification: (settings, options) => send("VERIFY_EMAIL", settings, options, {}, ask),
		verifyBeforeUpdateEmail: (newEmail, settings, options) =>
			send("VERIFY_AND_CHANGE_EMAIL", settings, options, { newEmail }, ask),
		pendingActions: () => requests().map(pending),
		async pendingAction() {
			const [, { mode, continueUrl = null }] = await ask("pendingAction")
			return mode ? { operation: OPERATIONS[mode], continueUrl } : null
		},
		elsewhereURL(link = location.href) {
			const action = parseActionCodeURL(link)
			const { oobCode, tenantId } = redeem(action)
			const mode = Object.keys(OPERATIONS).find(mode => OPERATIONS[mode] === action.operation)
			const { apiKey, continueUrl, languageCode: lang } = action
			return page("action", { mode, oobCode, apiKey, continueUrl, lang, tenantId })
		},
		async checkActionCode(code) {
			const { requestType: operation, email: now = null, newEmail: other = null } = await post("resetPassword", redeem(code))
			const [email, previousEmail] = operation === "VERIFY_AND_CHANGE_EMAIL" ? [other, now] : [now, other]
			return { operation, data: { email, previousEmail } }
		},
		verifyPasswordResetCode: async code => (await homing.checkActionCode(code)).data.email,
		async confirmPasswordReset(code, newPassword) {
			await here(["PASSWORD_RESET"], code, { newPassword }, body => post("resetPassword", body))
		},
		async applyActionCode(code) {
			const operations = [code?.operation ?? ["VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"]].flat()
			await here(operations, code, {}, body => post("update", body))
		},
	}
	return homing
}
