// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
//
// The player of firebase/auth's functions: node firebase-auth.mjs URL-OF-firebase-auth.js [URL-OF-firebase/app]
//
// With one module it is Homing's. With two they are Firebase's own, told where to ask by the lines of docs/wire.md.

import { kept, linkOf, pendingCalls, play, settingsOf } from "./player.mjs"

const [authModule, appModule] = process.argv.slice(2)
const firebase = await import(authModule)
const { initializeApp, deleteApp } = appModule ? await import(appModule) : firebase
const { EmailAuthProvider } = firebase
let app, auth

async function open({ server, emulator, apiKey, projectId, tenantId, keepStore, timeout }) {
	if (!keepStore) {
		kept.clear()
		await auth?.signOut()
	}
	if (app) await deleteApp(app)
	if (appModule) {
		app = initializeApp({ apiKey, projectId })
		auth = firebase.initializeAuth(app, { persistence: firebase.inMemoryPersistence })
		if (server) {
			const { host, protocol } = new URL(server)
			auth.config.apiHost = host
			auth.config.tokenApiHost = host
			auth.config.apiScheme = protocol.slice(0, -1)
		}
	} else {
		app = initializeApp({ apiKey, projectId, url: server, timeout: timeout && timeout * 1000 })
		// As React Native's storage: its answers are promises.
		const storage = {
			getItem: async key => localStorage.getItem(key),
			setItem: async (key, text) => localStorage.setItem(key, text),
			removeItem: async key => localStorage.removeItem(key),
		}
		auth = firebase.initializeAuth(app, { persistence: firebase.getReactNativePersistence(storage) })
	}
	if (emulator) firebase.connectAuthEmulator(auth, `http://${emulator}`, { disableWarnings: true })
	auth.tenantId = tenantId ?? null
	await auth.authStateReady()
}

function userOf(user) {
	if (!user) return null
	const { uid, email, emailVerified, isAnonymous, displayName, photoURL, providerData, tenantId } = user
	const providers = providerData.map(({ providerId }) => providerId)
	return { uid, email, emailVerified, isAnonymous, displayName, photoURL, providers, tenantId }
}
function me() {
	// These functions want a user, and there is none.
	if (!auth.currentUser) throw Object.assign(new Error("Nobody is signed in."), { code: "auth/no-current-user" })
	return auth.currentUser
}
const now = async change => (await change, userOf(auth.currentUser))
const signedIn = async made => userOf((await made).user)

await play({
	configure: open,
	createUser: ({ email, password }) => signedIn(firebase.createUserWithEmailAndPassword(auth, email, password)),
	signIn: ({ email, password }) => signedIn(firebase.signInWithEmailAndPassword(auth, email, password)),
	signInAnonymously: () => signedIn(firebase.signInAnonymously(auth)),
	isSignInLink: ({ link }) => firebase.isSignInWithEmailLink(auth, link),
	signInWithEmailLink: ({ email, link }) => signedIn(firebase.signInWithEmailLink(auth, email, link)),
	linkWithPassword: ({ email, password }) =>
		signedIn(firebase.linkWithCredential(me(), EmailAuthProvider.credential(email, password))),
	reauthenticate: async ({ email, password }) =>
		void await firebase.reauthenticateWithCredential(me(), EmailAuthProvider.credential(email, password)),
	sendSignInLink: ({ email, settings }) => firebase.sendSignInLinkToEmail(auth, email, settingsOf(settings)),
	sendPasswordReset: ({ email, settings }) => firebase.sendPasswordResetEmail(auth, email, settingsOf(settings)),
	sendEmailVerification: ({ settings }) => firebase.sendEmailVerification(me(), settingsOf(settings)),
	verifyBeforeUpdateEmail: ({ newEmail, settings }) =>
		firebase.verifyBeforeUpdateEmail(me(), newEmail, settingsOf(settings)),
	async checkActionCode({ code }) {
		const { operation, data } = await firebase.checkActionCode(auth, code)
		return { operation, ...data }
	},
	verifyPasswordResetCode: async ({ code }) => ({ email: await firebase.verifyPasswordResetCode(auth, code) }),
	confirmPasswordReset: ({ code, newPassword }) => firebase.confirmPasswordReset(auth, code, newPassword),
	applyActionCode: ({ code }) => firebase.applyActionCode(auth, code),
	parseActionLink: ({ link }) => linkOf(firebase.parseActionCodeURL(link)),
	currentUser: () => userOf(auth.currentUser),
	reload: async () => now(firebase.reload(me())),
	signOut: () => firebase.signOut(auth),
	deleteUser: () => firebase.deleteUser(me()),
	updatePassword: ({ newPassword }) => firebase.updatePassword(me(), newPassword),
	updateProfile: async ({ displayName, photoURL }) => now(firebase.updateProfile(me(), { displayName, photoURL })),
	validatePassword: async ({ password }) => ({ isValid: (await firebase.validatePassword(auth, password)).isValid }),
	async idToken({ forceRefresh }) {
		const { token, claims } = await firebase.getIdTokenResult(me(), forceRefresh)
		return { token, claims }
	},
	async idTokens({ count, forceRefresh }) {
		const tokens = await Promise.all(Array.from({ length: count }, () => firebase.getIdToken(me(), forceRefresh)))
		return { distinct: new Set(tokens).size }
	},
	setLanguage({ code }) { auth.languageCode = code },
	...appModule ? {} : pendingCalls({
		reset: (...given) => firebase.sendPasswordResetEmail(auth, ...given),
		signIn: (...given) => firebase.sendSignInLinkToEmail(auth, ...given),
		verification: (...given) => firebase.sendEmailVerification(me(), ...given),
		known: () => firebase.pendingActions(auth),
		userOf,
	}),
})
