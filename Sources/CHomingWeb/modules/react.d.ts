// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import type { ActionCodeSettings, Homing, PendingAction, User } from "./homing.js"

/** Who is signed in. `undefined` until that is known: while a server renders the page, and while a storage answers. */
export function useUser(homing: Homing): User | null | undefined

/**
 * The claims of the token, those of your back end, too, renewed with the token. `null` when nobody is signed in, `undefined`
 * until they are known.
 */
export function useClaims(homing: Homing): { readonly [name: string]: any } | null | undefined

/** What a form for signing in shows. */
export interface SignInState {
	/**
	 * - `form`: an address and a password.
	 * - `mailed`: a mail is on its way. Show `pending.matchNumber` large and a field for the mail's code; where `pending` is
	 *   `null`, the link alone leads on.
	 * - `newPassword`: the code of a reset was typed; ask for the new password.
	 * - `address`: a link came back, and nobody knows for which address it was mailed.
	 * - `user`: somebody is signed in.
	 */
	readonly step: "form" | "mailed" | "newPassword" | "address" | "user"
	readonly pending: PendingAction | null
	/** Where the mail went. */
	readonly email: string | null
	/** Whether an answer is awaited. */
	readonly isBusy: boolean
	/** What went wrong last; its `message` is a sentence for people. */
	readonly error: Error | null
}

/** What a form for signing in does. None of these rejects: what goes wrong is `error`. */
export interface SignInActions {
	signIn(email: string, password: string): Promise<void>
	/** Makes an account, and mails a link that verifies its address. */
	signUp(email: string, password: string): Promise<void>
	mailLink(email: string): Promise<void>
	mailReset(email: string): Promise<void>
	mailVerification(): Promise<void>
	mailAgain(): Promise<void>
	canMailAgain(): boolean
	/** With the eight digits of the mail. */
	typeCode(typed: string): Promise<void>
	setPassword(password: string): Promise<void>
	/** A URL came, as the page's or as a deep link of the app. Answers whether it is a sign-in link; then it signs in. */
	arrive(link: string): boolean
	giveAddress(email: string): Promise<void>
	signOut(): Promise<void>
	/** Back to the form; the request that waits is forgotten. */
	back(): void
}

/**
 * `url` is where mailed links lead back to; in a browser the page itself. `settings` are the others of a mail, such as the ids
 * of the app that its link opens. `leave` opens the server's page of a link that was asked for elsewhere: in React Native
 * `url => { Linking.openURL(url) }`.
 */
export function useSignIn(homing: Homing, options?: {
	url?: string
	settings?: Omit<ActionCodeSettings, "url">
	leave?: (url: string) => void
}): SignInState & SignInActions
