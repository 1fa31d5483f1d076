// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
//
// The player of homing.js: node homing.mjs URL-OF-homing.js

import { kept, linkOf, pendingCalls, play, settingsOf } from "./player.mjs"

const { Homing, parseActionCodeURL } = await import(process.argv[2])
let homing

function userOf(user) {
	if (!user) return null
	const { uid, email, emailVerified, isAnonymous, displayName, photoURL, providers, tenantId } = user
	return { uid, email, emailVerified, isAnonymous, displayName, photoURL, providers, tenantId }
}
const me = () => userOf(homing.currentUser)
const signedIn = async made => userOf((await made).user)

await play({
	configure({ server, emulator, apiKey, tenantId, keepStore, timeout }) {
		if (!keepStore) kept.clear()
		const url = emulator ? `http://${emulator}` : server
		homing = Homing({ apiKey, url, tenantId, timeout: timeout && timeout * 1000 })
	},
	createUser: ({ email, password }) => signedIn(homing.createUserWithEmailAndPassword(email, password)),
	signIn: ({ email, password }) => signedIn(homing.signInWithEmailAndPassword(email, password)),
	signInAnonymously: () => signedIn(homing.signInAnonymously()),
	isSignInLink: ({ link }) => homing.isSignInWithEmailLink(link),
	signInWithEmailLink: ({ email, link }) => signedIn(homing.signInWithEmailLink(email, link)),
	linkWithPassword: ({ email, password }) => signedIn(homing.linkWithEmailAndPassword(email, password)),
	reauthenticate: async ({ email, password }) => void await homing.reauthenticateWithEmailAndPassword(email, password),
	sendSignInLink: ({ email, settings }) => homing.sendSignInLinkToEmail(email, settingsOf(settings)),
	sendPasswordReset: ({ email, settings }) => homing.sendPasswordResetEmail(email, settingsOf(settings)),
	sendEmailVerification: ({ settings }) => homing.sendEmailVerification(settingsOf(settings)),
	verifyBeforeUpdateEmail: ({ newEmail, settings }) => homing.verifyBeforeUpdateEmail(newEmail, settingsOf(settings)),
	async checkActionCode({ code }) {
		const { operation, data } = await homing.checkActionCode(code)
		return { operation, ...data }
	},
	verifyPasswordResetCode: async ({ code }) => ({ email: await homing.verifyPasswordResetCode(code) }),
	confirmPasswordReset: ({ code, newPassword }) => homing.confirmPasswordReset(code, newPassword),
	applyActionCode: ({ code }) => homing.applyActionCode(code),
	parseActionLink: ({ link }) => linkOf(parseActionCodeURL(link)),
	currentUser: me,
	reload: async () => (await homing.reload(), me()),
	signOut: () => homing.signOut(),
	deleteUser: () => homing.deleteUser(),
	updatePassword: ({ newPassword }) => homing.updatePassword(newPassword),
	updateProfile: async ({ displayName, photoURL }) => (await homing.updateProfile({ displayName, photoURL }), me()),
	validatePassword: async ({ password }) => ({ isValid: (await homing.validatePassword(password)).isValid }),
	async idToken({ forceRefresh }) {
		const { token, claims } = await homing.getIdTokenResult(forceRefresh)
		return { token, claims }
	},
	async idTokens({ count, forceRefresh }) {
		const tokens = await Promise.all(Array.from({ length: count }, () => homing.getIdToken(forceRefresh)))
		return { distinct: new Set(tokens).size }
	},
	setLanguage({ code }) { homing.languageCode = code },
	...pendingCalls({
		reset: (...given) => homing.sendPasswordResetEmail(...given),
		signIn: (...given) => homing.sendSignInLinkToEmail(...given),
		verification: (...given) => homing.sendEmailVerification(...given),
		known: () => homing.pendingActions(),
		userOf,
	}),
})
