// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/** What a session says of the person. It is frozen; a change makes another one. */
export interface User {
	readonly uid: string
	/** `null` for an anonymous account, and for one of a custom token that has no address. */
	readonly email: string | null
	readonly emailVerified: boolean
	readonly displayName: string | null
	readonly photoURL: string | null
	readonly isAnonymous: boolean
	/** `["password"]` for an account with an address, else empty. */
	readonly providers: readonly string[]
	/** The tenant of the project that the account is in; `null` for one of the project itself. */
	readonly tenantId: string | null
}

export interface UserCredential {
	readonly user: User
}

export interface SignIn extends UserCredential {
	/** Whether this sign-in made the account. */
	readonly isNewUser: boolean
}

/** Where a mailed link leads, as in Firebase. */
export interface ActionCodeSettings {
	/** Where the person goes on: on an authorised domain of the project. Comes back byte for byte. */
	url?: string
	/** Whether an app, or a page of yours, takes the code itself. */
	handleCodeInApp?: boolean
	iOS?: { bundleId: string }
	android?: { packageName: string; installApp?: boolean; minimumVersion?: string }
	linkDomain?: string
	/** @deprecated Firebase's earlier name of `linkDomain`; the link then has the form of a dynamic link. */
	dynamicLinkDomain?: string
}

export type ActionCodeOperation =
	| "EMAIL_SIGNIN"
	| "PASSWORD_RESET"
	| "RECOVER_EMAIL"
	| "REVERT_SECOND_FACTOR_ADDITION"
	| "VERIFY_AND_CHANGE_EMAIL"
	| "VERIFY_EMAIL"

/** What a mailed link holds. */
export interface ActionCodeURL {
	readonly operation: ActionCodeOperation
	readonly code: string
	readonly apiKey: string
	readonly continueUrl: string | null
	readonly languageCode: string | null
	readonly tenantId: string | null
}

/** What a code would do. */
export interface ActionCodeInfo {
	readonly operation: ActionCodeOperation
	readonly data: {
		/** The address afterwards; `null` for a sign-in link, which tells nobody whose it is. */
		readonly email: string | null
		/** The address before, where the code changes it. */
		readonly previousEmail: string | null
	}
}

/**
 * The last argument of the methods that mail: what they mail is finished here, or on any device with `matchNumber`, or by
 * typing the mail's code here, and they answer a `PendingAction`. Without it they answer nothing, as in Firebase.
 *
 * It needs `crypto.subtle`, which browsers have on pages with https and on this machine's own; elsewhere it is
 * `auth/operation-not-supported-in-this-environment`.
 */
export interface FinishingAnywhere {
	finishing: "anywhere"
}

/**
 * What became of a request. After every state but `pending` nothing more comes.
 *
 * - `approved`: a sign-in that was approved elsewhere or by its code has happened here.
 * - `done`: the action was done elsewhere, or by this browser in another way.
 * - `declined`: somebody said "I did not ask for this", or typed the number wrong three times.
 * - `expired`: nobody finished in time, or a newer mail has replaced this one.
 * - `failed`: `result()` says why, as after `cancel()`.
 */
export type PendingState = "pending" | "approved" | "done" | "declined" | "expired" | "failed"

export interface PendingResult {
	/** Who is signed in now. */
	readonly user: User | null
	/** Whether a sign-in that was approved made the account. */
	readonly isNewUser: boolean
	/** Of a password reset whose code was typed: give it to `confirmPasswordReset`. Else `null`. */
	readonly code: ActionCodeURL | null
}

/**
 * A mail that was asked for here and may be finished anywhere.
 *
 * While somebody listens to it, or waits for its result, it asks the server by itself, also after the network was gone and
 * while the page is hidden.
 */
export interface PendingAction {
	readonly operation: ActionCodeOperation
	/** Where the mail went. */
	readonly email: string
	/** Two digits for the person to type where the mail is opened. Show them large, and send them to nobody. */
	readonly matchNumber: string
	readonly requestId: string
	readonly expiresAt: Date
	/** The `url` of its settings: where to go on when it is done, also after a reload. */
	readonly continueUrl: string | null
	/** The server's own page that shows the number, takes the typed code and mails again. */
	readonly waitURL: string
	/** Calls the listener at once (in a microtask), and then when the state changes. Returns a function that ends this. */
	onState(listener: (state: PendingState) => void): () => void
	/** The states for `for await`, from the present one to the last. */
	readonly states: AsyncIterable<PendingState>
	/**
	 * Waits for the end. After a sign-in the session is kept before this resolves; for a verification `reload()` then tells
	 * of it. Rejects with `auth/action-declined`, `auth/expired-action-code`, or `auth/user-signed-out` when somebody else has
	 * signed in here meanwhile.
	 */
	result(): Promise<PendingResult>
	/**
	 * Finishes with the eight digits that stand in the mail, in any spelling. A sign-in, a verification and a change of address
	 * are then done; a reset answers the `code` for `confirmPasswordReset`. Rejects with `auth/invalid-action-code` and
	 * `triesLeft` for a wrong one; without `triesLeft`, and without asking the server, where there are not eight digits.
	 */
	finish(typed: string): Promise<PendingResult>
	/** Stops waiting and forgets the request here. */
	cancel(): void
}

/**
 * A refusal, or an answer that did not come (`auth/network-request-failed`). Every method that returns a promise rejects
 * with it.
 */
export class HomingError extends Error {
	/** Firebase's code for web apps, such as `auth/invalid-credential`. */
	readonly code: string
	/** A sentence for people, in English. */
	readonly message: string
	/** How many more times a code may be typed, where a typed one was wrong (`auth/invalid-action-code`). */
	readonly triesLeft?: number
	constructor(code: string, message?: string, options?: { cause?: unknown })
}

/**
 * Reads a mailed link by the rules of Firebase's JavaScript SDK, inside a wrapped link and behind mail scanners, too. `null` for any other text; it
 * never throws. Nothing is asked of the server.
 */
export function parseActionCodeURL(link: string): ActionCodeURL | null

/**
 * Where an app keeps texts. Its answers may be promises, as those of React Native's AsyncStorage: then `currentUser` is known
 * when `authStateReady()` has resolved, and every method waits for that by itself.
 */
export interface AppStorage {
	getItem(key: string): string | null | undefined | Promise<string | null | undefined>
	setItem(key: string, text: string): unknown
	removeItem(key: string): unknown
}

/** `local` for all tabs and later visits, `session` for this tab, `memory` for this page, or a storage of the app's own. */
export type Persistence = "local" | "session" | "memory" | AppStorage

/** A token and what it says; times are texts as of `Date.toUTCString()`. */
export interface IdTokenResult {
	readonly token: string
	/** Those of your back end, too. */
	readonly claims: { readonly [name: string]: any }
	readonly authTime: string
	readonly issuedAtTime: string
	readonly expirationTime: string
	/** `password`, `anonymous` or `custom`. */
	readonly signInProvider: string | null
}

/** Which rules of the project a password keeps. A server refuses passwords that are easily guessed besides. */
export interface PasswordStatus {
	readonly isValid: boolean
	readonly meetsMinPasswordLength: boolean
	readonly meetsMaxPasswordLength: boolean
	readonly containsLowercaseLetter: boolean
	readonly containsUppercaseLetter: boolean
	readonly containsNumericCharacter: boolean
	readonly containsNonAlphanumericCharacter: boolean
	/** The rules, as the server told them. */
	readonly passwordPolicy: { readonly customStrengthOptions: { readonly [rule: string]: number | boolean } }
}

/**
 * A page's URL without the code that a mailed link has put there, for `history.replaceState`: it works once, and belongs
 * neither into the history nor into a bookmark.
 */
export function withoutActionCode(link: string): string

export interface HomingOptions {
	/** The project's API key, `hk_…`. */
	apiKey: string
	/** The server's public URL. By default the origin that the module came from; needed with the npm package. */
	url?: string
	/** Where the session is kept; by default `local`. Where the browser keeps nothing, it is `memory`. */
	storage?: Persistence
	/** How long an answer may take, in milliseconds; 30,000 by default. */
	timeout?: number
	/** The language of mails and pages, a BCP 47 tag such as `pt-BR`. By default the project's. */
	languageCode?: string | null
	/** The tenant of the project in which people sign up and in, and ask for mails. By default the project itself. */
	tenantId?: string | null
}

export interface Homing {
	/** The language of mails and pages from now on. */
	languageCode?: string | null
	/**
	 * The tenant in which people sign up and in, and ask for mails, from now on. A link and whoever is signed in have a tenant
	 * of their own, which counts for them.
	 */
	tenantId?: string | null
	/** Who is signed in, also where another tab did it. */
	readonly currentUser: User | null
	/**
	 * Calls the listener at once (in a microtask), and then whenever `currentUser` has become another one or has changed.
	 * Returns a function that ends this.
	 */
	onAuthStateChanged(listener: (user: User | null) => void): () => void

	/** The same for the token: also after each renewal. */
	onIdTokenChanged(listener: (user: User | null) => void): () => void
	/** Resolves when `currentUser` is known: at once, but for a storage that answers with promises. */
	authStateReady(): Promise<void>
	/** Keeps the session elsewhere from now on. Whoever is signed in stays so; else somebody may be known there. */
	setPersistence(storage: Persistence): Promise<void>

	/** Makes an account and signs in. */
	createUserWithEmailAndPassword(email: string, password: string): Promise<SignIn>
	signInWithEmailAndPassword(email: string, password: string): Promise<SignIn>
	/** Signs in with a token that your back end has made. */
	signInWithCustomToken(token: string): Promise<SignIn>
	/** Signs in without an address. Whoever is anonymous already stays the same. */
	signInAnonymously(): Promise<SignIn>
	/** Whether a text is a sign-in link. */
	isSignInWithEmailLink(link: string): boolean
	/**
	 * Signs in with a mailed link, by default this page's URL, and the address that it was mailed to; without one, the address
	 * of a request that this browser knows (`finishing: "anywhere"`).
	 *
	 * Rejects with `auth/missing-email` when it knows none, and with `auth/missing-code-verifier` when the link was asked for in
	 * another browser or app: lead the person to `elsewhereURL()`.
	 */
	signInWithEmailLink(email?: string | null, link?: string): Promise<SignIn>
	/** Gives the current account the address of a mailed link. */
	linkWithEmailLink(email?: string | null, link?: string): Promise<UserCredential>
	/** Gives the current account an address and a password. */
	linkWithEmailAndPassword(email: string, password: string): Promise<UserCredential>
	/**
	 * Shows again that the current person is there, before a change that wants a sign-in of the last five minutes. Rejects with
	 * `auth/user-mismatch`, and leaves the session, when it is another account.
	 */
	reauthenticateWithEmailAndPassword(email: string, password: string): Promise<SignIn>
	/** The same with a mailed link. */
	reauthenticateWithEmailLink(email?: string | null, link?: string): Promise<SignIn>
	/** Forgets the session here and in the other tabs. Asks nothing of the server. */
	signOut(): Promise<void>

	/**
	 * A token for your back end, good for at least 30 seconds; renewed when need be, once for all who wait.
	 *
	 * Rejects with `auth/no-current-user` when nobody is signed in. When the session is over (`auth/user-token-expired`,
	 * `auth/user-disabled`, `auth/invalid-refresh-token`) the person is signed out; when the network fails they are not.
	 */
	getIdToken(forceRefresh?: boolean): Promise<string>
	/** The same token with its claims. */
	getIdTokenResult(forceRefresh?: boolean): Promise<IdTokenResult>
	/** Gets `currentUser` anew, after a verification for example. */
	reload(): Promise<void>
	/** Changes what is given; `null` removes it. */
	updateProfile(profile: { displayName?: string | null; photoURL?: string | null }): Promise<void>
	/**
	 * Wants a sign-in of the last five minutes (`auth/requires-recent-login`). Ends the other sessions and the tokens of
	 * before: wait for it before the next call.
	 */
	updatePassword(password: string): Promise<void>
	/** Holds a password against the project's rules, which are asked for once. */
	validatePassword(password: string): Promise<PasswordStatus>
	/** Deletes the account. Wants a sign-in of the last five minutes, unless the account is anonymous. */
	deleteUser(): Promise<void>

	/** Mails a link for a new password. The answer is the same for an address that nobody has. */
	sendPasswordResetEmail(email: string, settings?: ActionCodeSettings | null): Promise<void>
	sendPasswordResetEmail(
		email: string, settings: ActionCodeSettings | null | undefined, options: FinishingAnywhere): Promise<PendingAction>
	/** Mails a link that signs in. `settings.url` is needed, `handleCodeInApp` is taken as `true`. */
	sendSignInLinkToEmail(email: string, settings: ActionCodeSettings): Promise<void>
	sendSignInLinkToEmail(
		email: string, settings: ActionCodeSettings, options: FinishingAnywhere): Promise<PendingAction>
	/** Mails a link that verifies the current account's address. */
	sendEmailVerification(settings?: ActionCodeSettings | null): Promise<void>
	sendEmailVerification(
		settings: ActionCodeSettings | null | undefined, options: FinishingAnywhere): Promise<PendingAction>
	/** Mails a link to a new address, which becomes the account's when the link is used. */
	verifyBeforeUpdateEmail(newEmail: string, settings?: ActionCodeSettings | null): Promise<void>
	verifyBeforeUpdateEmail(
		newEmail: string, settings: ActionCodeSettings | null | undefined, options: FinishingAnywhere): Promise<PendingAction>
	/**
	 * The requests of this browser that may still be finished, the newest first, also after a reload. They are kept where the
	 * session is kept: five at most, until they have expired.
	 */
	pendingActions(): PendingAction[]
	/**
	 * What the current account's person began with a mailed link and did not finish, so that an app that was just installed
	 * goes on there. Answers it once; `null` when there is nothing.
	 */
	pendingAction(): Promise<{ readonly operation: ActionCodeOperation; readonly continueUrl: string | null } | null>
	/** The server's page behind a mailed link, by default this page's URL, where the number of the asking device is typed. */
	elsewhereURL(link?: string): string

	// A code alone is of the tenant that is set. What `parseActionCodeURL` has read out of a link is of the link's.

	/** Says what a code would do, and leaves it alive. */
	checkActionCode(code: string | ActionCodeURL): Promise<ActionCodeInfo>
	/** The address whose password a code would reset. Leaves it alive. */
	verifyPasswordResetCode(code: string | ActionCodeURL): Promise<string>
	/** Sets a new password with the code of a mailed link. */
	confirmPasswordReset(code: string | ActionCodeURL, newPassword: string): Promise<void>
	/** Verifies, changes or recovers an address with the code of a mailed link. `reload()` then tells of it. */
	applyActionCode(code: string | ActionCodeURL): Promise<void>
}

/** A project's sign-in for this page, with or without `new`. Make it once. */
export const Homing: { new (options: HomingOptions): Homing; (options: HomingOptions): Homing }
