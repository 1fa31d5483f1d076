// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
// See homing.d.ts.

import { Requests } from "./anywhere.js"
import { HomingError, refusal } from "./errors.js"
import { OPERATIONS, parseActionCodeURL, redeem, withoutActionCode } from "./links.js"
import { areTexts, claimsOf, overtaken, sessionOf, Store } from "./session.js"

export { HomingError, parseActionCodeURL, withoutActionCode }

// The server that this module came from. The npm package has none: bundlers of apps know no `import.meta`.
const ORIGIN = new URL(import.meta.url).origin

export function Homing({ apiKey, url = ORIGIN, storage = "local", timeout = 30000, languageCode, tenantId = null }) {
	if (!url) throw new HomingError("argument-error", "Name the server: Homing({ apiKey, url }).")
	const server = url.replace(/\/+$/, "")
	// A refresh token never goes to another server than it came from.
	const key = `homing:${apiKey}:${server}`
	const requestsKey = `homing-requests:${apiKey}:${server}`
	const listeners = new Set()
	const tokenListeners = new Set()
	const renewals = {}
	const policies = {}
	let store = Store(storage, [key, requestsKey])
	store.remove(`homing:${apiKey}`) // Of an earlier version, for any server.
	let text, token, user, begun = 0, done = 0
	// Another tab wrote, or the page came back.
	for (const event of ["storage", "pageshow"]) globalThis.addEventListener?.(event, current)

	function session() {
		try {
			const kept = JSON.parse(store.get(key))
			return areTexts(kept.idToken, kept.refreshToken, kept.user.uid) ? kept : null
		} catch {
			return null // Nobody, or what nobody can read.
		}
	}
	// A late answer changes the session that asked, or none.
	const isCurrent = ({ refreshToken }) => session()?.refreshToken === refreshToken
	const end = own => isCurrent(own) && write(null)
	function write(next) {
		store.set(key, JSON.stringify(next))
		return current()
	}
	function current() {
		const own = session()
		const now = JSON.stringify(own?.user ?? null)
		const isOther = now !== text
		if (isOther) user = JSON.parse(text = now, (_, value) => Object.freeze(value))
		const heard = [...(isOther ? listeners : []), ...(own?.idToken === token ? [] : tokenListeners)]
		token = own?.idToken
		const told = user
		for (const tell of heard) queueMicrotask(() => tell(told))
		return user
	}
	function listen(listeners, listener) {
		let isEnded = false
		const tell = user => isEnded || listener(user)
		const begin = () => {
			const now = current()
			listeners.add(tell)
			queueMicrotask(() => tell(now))
		}
		store.ready ? store.ready.then(begin) : begin()
		return () => {
			isEnded = true
			listeners.delete(tell)
		}
	}

	async function request(path, headers, more) {
		const ending = new AbortController()
		const timer = setTimeout(() => ending.abort(), timeout)
		let ok
		const answer = await fetch(`${server}/${path}`, {
			headers: { ...headers, ...(homing.languageCode && { "X-Firebase-Locale": homing.languageCode }) },
			signal: ending.signal,
			redirect: "error",
			referrerPolicy: "no-referrer", // The page's URL may hold a code.
			...more,
		})
			.then(response => (ok = response.ok, response.json()))
			.catch(cause => { throw new HomingError("network-request-failed", "", { cause }) })
			.finally(() => clearTimeout(timer))
		if (ok) return answer
		throw refusal(answer?.error ?? {})
	}
	async function post(call, body, own, path = `accounts:${call}`, more) {
		// A token says by itself of which tenant it is.
		const members = own ? body : { tenantId: homing.tenantId, ...body }
		const text = JSON.stringify(members, (_, value) => value ?? undefined)
		try {
			const headers = { "Content-Type": "application/json" }
			return await request(`v1/${path}?key=${apiKey}`, headers, { method: "POST", body: text, ...more })
		} catch (error) {
			if (own && /user-(token-expired|disabled)|refresh-token/.test(error.code)) end(own)
			throw error
		}
	}
	// The sign-in that was begun last counts. With `uid` it has to be that person's.
	async function signIn(call, body, uid) {
		await store.ready
		const turn = ++begun
		const answer = await post(call, { ...body, returnSecureToken: true })
		if (turn < done) throw overtaken()
		const next = sessionOf(answer)
		if (uid && uid !== next.user.uid) throw new HomingError("user-mismatch")
		done = turn
		const user = write(next)
		await store.saved()
		return { user, isNewUser: answer.isNewUser ?? call === "signUp" }
	}
	async function somebody() {
		await store.ready
		if (!current()) throw new HomingError("no-current-user")
		return user
	}
	// All wait for one renewal.
	async function fresh(force, own) {
		await store.ready
		own ??= session()
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
		async authStateReady() { await store.ready },
		onAuthStateChanged: listener => listen(listeners, listener),
		onIdTokenChanged: listener => listen(tokenListeners, listener),
		async setPersistence(storage) {
			await store.ready
			const next = Store(storage, [key, requestsKey])
			await next.ready
			for (const name of session() ? [key, requestsKey] : []) {
				const text = store.get(name)
				store.remove(name)
				if (text !== null) next.set(name, text)
			}
			await next.saved()
			store = next
			current()
		},
		createUserWithEmailAndPassword: (email, password) => signIn("signUp", { email, password }),
		signInWithEmailAndPassword: (email, password) => signIn("signInWithPassword", { email, password }),
		signInWithCustomToken: token => signIn("signInWithCustomToken", { token }),
		async signInAnonymously() {
			await store.ready
			const isKnown = current()?.isAnonymous && user.tenantId == homing.tenantId
			return isKnown ? { user, isNewUser: false } : signIn("signUp")
		},
		isSignInWithEmailLink: link => parseActionCodeURL(link)?.operation === "EMAIL_SIGNIN",
		signInWithEmailLink: async (email, link) => hereByLink(email, link, body => signIn("signInWithEmailLink", body)),
		linkWithEmailLink: async (email, link) => hereByLink(email, link, body => change("signInWithEmailLink", body)),
		async reauthenticateWithEmailAndPassword(email, password) {
			const { uid, tenantId } = await somebody()
			return signIn("signInWithPassword", { email, password, tenantId }, uid)
		},
		async reauthenticateWithEmailLink(email, link) {
			const { uid } = await somebody()
			return hereByLink(email, link, body => signIn("signInWithEmailLink", body, uid))
		},
		linkWithEmailAndPassword: (email, password) => change("signUp", { email, password }),
		async signOut() {
			await store.ready
			done = ++begun
			write(null)
			await store.saved()
		},
		getIdToken: async forceRefresh => (await fresh(forceRefresh)).idToken,
		async getIdTokenResult(forceRefresh) {
			const { idToken: token } = await fresh(forceRefresh)
			const claims = claimsOf(token)
			const [authTime, issuedAtTime, expirationTime] = [claims.auth_time, claims.iat, claims.exp]
				.map(seconds => new Date(seconds * 1000).toUTCString())
			return { token, claims, authTime, issuedAtTime, expirationTime, signInProvider: claims.firebase.sign_in_provider }
		},
		async reload() { await fresh(true) },
		async updateProfile({ displayName, photoURL }) {
			const deleteAttribute = [displayName === null && "DISPLAY_NAME", photoURL === null && "PHOTO_URL"].filter(Boolean)
			await change("update", { displayName, photoUrl: photoURL, deleteAttribute })
		},
		async updatePassword(password) { await change("update", { password }) },
		async validatePassword(password) {
			const { tenantId } = homing
			const query = `key=${apiKey}${tenantId ? `&tenantId=${encodeURIComponent(tenantId)}` : ""}`
			policies[tenantId] ??= request(`v2/passwordPolicy?${query}`)
			const passwordPolicy = await policies[tenantId].catch(error => {
				delete policies[tenantId]
				throw error
			})
			const { customStrengthOptions: rules } = passwordPolicy
			const length = [...password].length
			const meets = (rule, pattern) => !rules[`contains${rule}Character`] || pattern.test(password)
			const status = {
				meetsMinPasswordLength: length >= (rules.minPasswordLength ?? 0),
				meetsMaxPasswordLength: length <= (rules.maxPasswordLength ?? Infinity),
				containsLowercaseLetter: meets("Lowercase", /[a-z]/),
				containsUppercaseLetter: meets("Uppercase", /[A-Z]/),
				containsNumericCharacter: meets("Numeric", /[0-9]/),
				containsNonAlphanumericCharacter: meets("NonAlphanumeric", /[^a-zA-Z0-9]/),
			}
			return { isValid: !Object.values(status).includes(false), ...status, passwordPolicy }
		},
		async deleteUser() { end((await ask("delete"))[0]) },

		sendPasswordResetEmail: (email, settings, options) => send("PASSWORD_RESET", settings, options, { email }),
		sendSignInLinkToEmail: (email, settings, options) =>
			send("EMAIL_SIGNIN", settings, options, { email, canHandleCodeInApp: true }),
		sendEmailVerification: (settings, options) => send("VERIFY_EMAIL", settings, options, {}, ask),
		verifyBeforeUpdateEmail: (newEmail, settings, options) =>
			send("VERIFY_AND_CHANGE_EMAIL", settings, options, { newEmail }, ask),
		pendingActions: () => known(),
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
	const { send, here, hereByLink, page, known } = Requests({
		homing,
		apiKey,
		server,
		timeout,
		key: requestsKey,
		store: () => store,
		current,
		post,
		signedIn(answer) {
			done = ++begun
			return write(sessionOf(answer))
		},
	})
	return homing
}
