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
 * A refusal, or an answer that did not come (`auth/network-request-failed`). Every method that returns a promise rejects
 * with it.
 */
export class HomingError extends Error {
	/** Firebase's code for web apps, such as `auth/invalid-credential`. */
	readonly code: string
	/** A sentence for people, in English. */
	readonly message: string
	constructor(code: string, message?: string, options?: { cause?: unknown })
}

/**
 * Reads a mailed link by the rules of Firebase's JavaScript SDK, inside a wrapped link, too. `null` for any other text; it
 * never throws. Nothing is asked of the server.
 */
export function parseActionCodeURL(link: string): ActionCodeURL | null

export interface HomingOptions {
	/** The project's API key, `hk_…`. */
	apiKey: string
	/** The server's public URL. By default the origin that the module came from. */
	url?: string
	/**
	 * Where the session is kept: `local` for all tabs and later visits (the default), `session` for this tab, `memory` for
	 * this page. Where the browser keeps nothing, it is `memory`.
	 */
	storage?: "local" | "session" | "memory"
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

	/** Makes an account and signs in. */
	createUserWithEmailAndPassword(email: string, password: string): Promise<SignIn>
	signInWithEmailAndPassword(email: string, password: string): Promise<SignIn>
	/** Signs in with a token that your back end has made. */
	signInWithCustomToken(token: string): Promise<SignIn>
	/** Signs in without an address. Whoever is anonymous already stays the same. */
	signInAnonymously(): Promise<SignIn>
	/** Whether a text is a sign-in link. */
	isSignInWithEmailLink(link: string): boolean
	/** Signs in with a mailed link, by default this page's URL, and the address that it was mailed to. */
	signInWithEmailLink(email: string, link?: string): Promise<SignIn>
	/** Gives the current account the address of a mailed link. */
	linkWithEmailLink(email: string, link?: string): Promise<UserCredential>
	/** Gives the current account an address and a password. */
	linkWithEmailAndPassword(email: string, password: string): Promise<UserCredential>
	/** Forgets the session here and in the other tabs. Asks nothing of the server. */
	signOut(): Promise<void>

	/**
	 * A token for your back end, good for at least 30 seconds; renewed when need be, once for all who wait.
	 *
	 * Rejects with `auth/no-current-user` when nobody is signed in. When the session is over (`auth/user-token-expired`,
	 * `auth/user-disabled`, `auth/invalid-refresh-token`) the person is signed out; when the network fails they are not.
	 */
	getIdToken(forceRefresh?: boolean): Promise<string>
	/** Gets `currentUser` anew, after a verification for example. */
	reload(): Promise<void>
	/** Changes what is given; `null` removes it. */
	updateProfile(profile: { displayName?: string | null; photoURL?: string | null }): Promise<void>
	/**
	 * Wants a sign-in of the last five minutes (`auth/requires-recent-login`). Ends the other sessions and the tokens of
	 * before: wait for it before the next call.
	 */
	updatePassword(password: string): Promise<void>
	/** Deletes the account. Wants a sign-in of the last five minutes, unless the account is anonymous. */
	deleteUser(): Promise<void>

	/** Mails a link for a new password. The answer is the same for an address that nobody has. */
	sendPasswordResetEmail(email: string, settings?: ActionCodeSettings | null): Promise<void>
	/** Mails a link that signs in. `settings.url` is needed, `handleCodeInApp` is taken as `true`. */
	sendSignInLinkToEmail(email: string, settings: ActionCodeSettings): Promise<void>
	/** Mails a link that verifies the current account's address. */
	sendEmailVerification(settings?: ActionCodeSettings | null): Promise<void>
	/** Mails a link to a new address, which becomes the account's when the link is used. */
	verifyBeforeUpdateEmail(newEmail: string, settings?: ActionCodeSettings | null): Promise<void>

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
