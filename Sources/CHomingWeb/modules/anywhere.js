// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import { HomingError } from "./errors.js"
import { parseActionCodeURL, redeem } from "./links.js"
import { areSame, areTexts, overtaken } from "./session.js"

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

/** The requests of one `Homing` that may be finished anywhere. */
export function Requests({ homing, apiKey, server, timeout, key, store, current, post, signedIn }) {
	const pendings = {}
	let redeeming

	// What was asked for here and may be finished anywhere, the newest first.
	function requests() {
		try {
			// An approved sign-in waits for five minutes at least.
			const isAlive = own => areTexts(own.requestId, own.verifier) && own.expiresAt + 300000 > Date.now()
			return JSON.parse(store().get(key)).filter(isAlive)
		} catch {
			return [] // None, or what nobody can read.
		}
	}
	const keep = list => store().set(key, JSON.stringify(list.slice(0, 5)))
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
			continueUrl: url ? `${url}` : null,
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
				settle("approved", null, { user: signedIn(answer), isNewUser })
			} else if (now === "DONE") settle("done")
			else if (now === "DECLINED") settle("declined", new HomingError("action-declined"))
			else if (now === "EXPIRED") settle("expired", new HomingError("expired-action-code"))
		}
		const look = (more, signal) =>
			post("awaitOobCode", { requestId, codeVerifier: verifier, tenantId, ...more }, null, undefined, signal && { signal })
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
			continueUrl: own.continueUrl ?? null,
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

	return { send, here, hereByLink, page, known: () => requests().map(pending) }
}
