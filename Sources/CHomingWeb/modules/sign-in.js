// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
// See sign-in.d.ts.

import { SignInFlow } from "./flow.js"
import { Homing, withoutActionCode } from "./homing.js"

const TEXTS = {
	email: "Email",
	password: "Password",
	newPassword: "New password",
	signIn: "Sign in",
	signUp: "Create an account",
	mailLink: "Mail me a link",
	mailReset: "Forgot the password?",
	mailed: "Look into your mail.",
	number: "The page behind its link asks for this number:",
	nobody: "Nobody who calls or writes to you needs it.",
	code: "Or type the code in the mail",
	go: "Continue",
	mailAgain: "Send it again",
	back: "Back",
	unverified: "This address is not verified yet.",
	mailVerification: "Mail me a link to verify it",
	signOut: "Sign out",
}
const STYLE = `
:host { display: block; max-inline-size: 22rem }
fieldset, label { display: grid; gap: .6rem; border: 0; margin: 0; padding: 0; min-inline-size: 0 }
p { margin: 0 }
input, button {
	font: inherit; color: inherit; background: none; border: 1px solid #8889; border-radius: .4rem; padding: .6rem;
	min-block-size: 44px; box-sizing: border-box; inline-size: 100%
}
button { cursor: pointer }
[part~=main] { background: var(--homing-accent, #14532d); color: var(--homing-on-accent, #fff); border-color: transparent }
:disabled button { opacity: .6 }
:focus-visible { outline: 3px solid var(--homing-accent, #14532d); outline-offset: 2px }
output { font-size: 3rem; font-weight: 700; letter-spacing: .1em; text-align: center }
[role=alert] { font-weight: 600 }
`

function element(tag, members, ...children) {
	const made = Object.assign(document.createElement(tag), { part: tag }, members)
	made.append(...children)
	return made
}

export class HomingSignIn extends (globalThis.HTMLElement ?? class {}) {
	#texts = {}
	#homing
	#flow
	#ends = []
	#shown = []

	constructor() {
		super()
		// A property that was set before the class was there hides the class's.
		for (const [name, value] of Object.entries(this)) if (delete this[name]) this[name] = value
	}

	// In the place of the English ones.
	get texts() { return this.#texts }
	set texts(texts) {
		this.#texts = texts
		if (this.#flow) this.#show(this.#flow.state)
	}
	get homing() {
		const [apiKey, url] = ["api-key", "url"].map(name => this.getAttribute(name) ?? undefined)
		return this.#homing ??= Homing({ apiKey, url, languageCode: this.closest("[lang]")?.lang })
	}
	set homing(homing) { this.#homing = homing }

	connectedCallback() {
		const root = this.shadowRoot ?? this.attachShadow({ mode: "open" })
		const sheet = new CSSStyleSheet()
		sheet.replaceSync(STYLE)
		root.adoptedStyleSheets = [sheet]
		const flow = this.#flow = SignInFlow(this.homing, { url: () => this.getAttribute("return-url") ?? location.href })
		this.#show(flow.state)
		const tell = detail => this.dispatchEvent(new CustomEvent("userchange", { detail }))
		this.#ends = [flow.subscribe(state => this.#show(state)), flow.start(), this.homing.onAuthStateChanged(tell)]
		const { href } = location
		if (flow.arrive(href)) history.replaceState(history.state, "", withoutActionCode(href))
	}
	#submit(event) {
		event.preventDefault()
		const { email, password, typed } = Object.fromEntries(new FormData(event.target))
		this.#flow[event.submitter.value](...email === undefined ? [typed ?? password] : [email, password])
	}
	disconnectedCallback() { for (const end of this.#ends) end() }

	// What was typed stays while the same is shown.
	#show({ step, pending, isBusy, error }) {
		const root = this.shadowRoot
		const [view, texts] = this.#shown
		const now = [step, pending?.requestId, this.homing.currentUser?.emailVerified].join()
		const isSame = view === now
		this.#shown = [now, JSON.stringify(this.#texts)]
		if (!isSame || texts !== this.#shown[1]) {
			const typed = isSame ? [...root.querySelectorAll("input")] : []
			const focused = isSame ? `[name="${root.activeElement?.name}"]` : "input"
			root.replaceChildren(element("form", { onsubmit: event => this.#submit(event) },
				element("fieldset", {}, ...this.#parts(step, pending)), element("p", { role: "alert", part: "error" })))
			for (const { name, value } of typed) root.querySelector(`[name=${name}]`).value = value
			if (view) root.querySelector(focused)?.focus()
		}
		root.querySelector("fieldset").disabled = isBusy
		root.querySelector("[role=alert]").textContent = error && error.code !== "auth/wait-cancelled" ? error.message : ""
	}
	#parts(step, pending) {
		const t = { ...TEXTS, ...this.texts }
		const text = name => element("p", {}, t[name])
		const field = (label, name, type, autocomplete, required = true) =>
			element("label", {}, t[label], element("input", { name, type, autocomplete, required }))
		const button = (value, label = value, part = "button") =>
			element("button", { value, part, formNoValidate: /mailAgain|back/.test(value) }, t[label])
		const main = (value, label) => button(value, label, "button main")
		const email = field("email", "email", "email", "username")
		const { email: address, emailVerified } = this.homing.currentUser ?? {}
		const views = {
			form: () => [email, field("password", "password", "password", "current-password", false), main("signIn"),
				button("signUp"), button("mailLink"), button("mailReset")],
			mailed: () => [text("mailed"), ...pending ? [text("number"), element("output", {}, pending.matchNumber), text("nobody"),
				field("code", "typed", "text", "one-time-code"), main("typeCode", "go")] : [],
			...this.#flow.canMailAgain() ? [button("mailAgain")] : [], button("back")],
			newPassword: () => [field("newPassword", "password", "password", "new-password"), main("setPassword", "go")],
			address: () => [email, main("giveAddress", "go"), button("back")],
			user: () => [element("p", {}, address ?? ""), ...address && !emailVerified
				? [text("unverified"), main("mailVerification")] : [], button("signOut")],
		}
		return views[step]()
	}
}

globalThis.customElements?.define("homing-sign-in", HomingSignIn)
