// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

const here = () => globalThis.location?.href

/**
 * What a form for signing in does, without the form: `<homing-sign-in>` and React's hook show its `state`.
 *
 * `step` says what to show: `form` (address and password), `mailed` (a mail is on its way; `pending` has the number that
 * the page behind its link asks for, and may be null), `newPassword`, `address` (a link came, and nobody knows for which
 * one) or `user`. `url` answers where mailed links lead back to; `settings` are the others, such as an app's ids.
 */
export function SignInFlow(homing, { url = here, settings, leave = link => location.replace(link) } = {}) {
	const listeners = new Set()
	const FORM = { step: "form", pending: null, email: null, isBusy: false, error: null }
	let state = FORM
	// What the step goes on with: the request, the code of a reset, the link, the address to which a link alone was mailed.
	let again, code, link, asked

	function put(change) {
		state = Object.freeze({ ...state, ...change })
		for (const tell of listeners) tell(state)
	}
	const settled = () => ({ ...settings, url: url() })
	const isKnown = () => homing.currentUser && !homing.currentUser.isAnonymous
	const home = more => put({ ...FORM, step: isKnown() ? "user" : "form", ...more })

	async function attempt(action) {
		put({ isBusy: true, error: null })
		try {
			await action()
			put({ isBusy: false })
		} catch (error) {
			put({ isBusy: false, error })
		}
	}
	function wait(pending) {
		put({ step: "mailed", pending, email: pending?.email ?? null })
		if (!pending) return
		const end = more => state.pending === pending && home(more)
		pending.result().then(() => homing.currentUser && homing.reload()).then(() => end(), error => end({ error }))
	}
	// With number and code where the server and the page can, else the link alone.
	async function mail(send, email) {
		again = () => mail(send, email)
		let pending = null
		try {
			pending = await send({ finishing: "anywhere" })
		} catch (error) {
			if (!/not-(supported|allowed)/.test(error.code)) throw error
			await send()
			asked = email
		}
		wait(pending)
	}
	async function come(email) {
		try {
			await homing.signInWithEmailLink(email, link)
			home()
		} catch (error) {
			if (error.code === "auth/missing-code-verifier") leave(homing.elsewhereURL(link))
			else if (error.code !== "auth/missing-email") throw error
			else if (asked) {
				const known = asked
				asked = null
				await come(known)
			} else put({ step: "address" })
		}
	}

	return {
		get state() { return state },
		subscribe(listener) {
			listeners.add(listener)
			return () => listeners.delete(listener)
		},
		/** Follows who is signed in, and goes on with a request of before. Ends with what it returns. */
		start() {
			homing.authStateReady().then(() => {
				const [pending] = isKnown() ? [] : homing.pendingActions()
				if (pending && !link) wait(pending)
			})
			return homing.onAuthStateChanged(user => {
				if (user ? isKnown() : state.step === "user") home()
			})
		},
		/** A link came: of a mail, or none. Answers whether it is a sign-in link. */
		arrive(given) {
			if (!homing.isSignInWithEmailLink(given)) return false
			link = given
			attempt(() => come(null))
			return true
		},
		giveAddress: email => attempt(() => come(email)),
		signIn: (email, password) => attempt(() => homing.signInWithEmailAndPassword(email, password)),
		signUp: (email, password) => attempt(async () => {
			await homing.createUserWithEmailAndPassword(email, password)
			await mail(how => homing.sendEmailVerification(settled(), how))
		}),
		mailLink: email => attempt(() => mail(how => homing.sendSignInLinkToEmail(email, settled(), how), email)),
		mailReset: email => attempt(() => mail(how => homing.sendPasswordResetEmail(email, settled(), how))),
		mailVerification: () => attempt(() => mail(how => homing.sendEmailVerification(settled(), how))),
		mailAgain: () => attempt(() => again()),
		canMailAgain: () => !!again,
		typeCode: typed => attempt(async () => {
			const { pending, email } = state
			const end = await pending.finish(typed)
			code = end.code
			if (code) put({ step: "newPassword", pending: null, email })
		}),
		setPassword: password => attempt(async () => {
			await homing.confirmPasswordReset(code, password)
			await homing.signInWithEmailAndPassword(state.email, password)
		}),
		signOut: () => attempt(() => homing.signOut()),
		back() {
			const { pending } = state
			home()
			pending?.cancel()
		},
	}
}
