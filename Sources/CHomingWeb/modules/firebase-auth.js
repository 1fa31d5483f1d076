// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
// The functions of firebase/auth, and those of firebase/app that come before them, for apps that change the import. See
// firebase-auth.d.ts.

import { Homing, HomingError, parseActionCodeURL } from "./homing.js"

export { HomingError as FirebaseError, parseActionCodeURL }

// --- apps and their Auth ---------------------------------------------------------------------------------------------

const apps = new Map()
const auths = new WeakMap()
// The Auth of a user, and what is known of a credential besides.
const homes = new WeakMap()
const news = new WeakMap()

export function initializeApp(options, settings = {}) {
	const { name = "[DEFAULT]" } = typeof settings === "string" ? { name: settings } : settings
	const known = apps.get(name)
	if (known && JSON.stringify(known.options) === JSON.stringify(options)) return known
	if (known) throw new HomingError("duplicate-app", `There is an app of the name ${name} already.`)
	const app = { name, options: { ...options }, automaticDataCollectionEnabled: false }
	apps.set(name, app)
	return app
}
export function getApp(name = "[DEFAULT]") {
	if (!apps.has(name)) throw new HomingError("no-app", "No app is there: call initializeApp first.")
	return apps.get(name)
}
export const getApps = () => [...apps.values()]
export const deleteApp = async app => void apps.delete(app.name)

/** Of an app, of the default one, or of `{ url, apiKey }` without any. */
export function getAuth(given = getApp()) {
	const app = appOf(given)
	return auths.get(app) ?? initializeAuth(app)
}
// The same options are the same app, so that all parts of a page hear of a sign-in.
const appOf = given => given.options ? given : initializeApp(given, JSON.stringify(given))
export function initializeAuth(given, { persistence } = {}) {
	const app = appOf(given)
	const { apiKey, authDomain, url = authDomain && `https://${authDomain}`, ...more } = app.options
	const storage = storageOf([persistence ?? browserLocalPersistence].flat()[0])
	const { languageCode, tenantId, timeout } = more
	const auth = new Auth(app, JSON.parse(JSON.stringify({ apiKey, url, languageCode, tenantId, timeout })), storage)
	auths.set(app, auth)
	return auth
}
export function connectAuthEmulator(auth, url) {
	const { protocol, hostname: host, port } = new URL(url)
	auth.emulatorConfig = { protocol: protocol.slice(0, -1), host, port: port ? +port : null, options: {} }
	auth.open({ url })
}

class Auth {
	person = null
	emulatorConfig = null
	settings = { appVerificationDisabledForTesting: false }
	constructor(app, options, storage) {
		const { name = "[DEFAULT]" } = app
		Object.assign(this, { app, name, config: options })
		// Not for `JSON.stringify`, nor for whoever lists the members.
		const open = more => {
			const { languageCode, tenantId } = this.homing ?? options
			const homing = Homing({ ...options, languageCode, tenantId, storage, ...more })
			Object.defineProperty(this, "homing", { value: homing, configurable: true })
		}
		Object.defineProperty(this, "open", { value: open })
		open()
	}
	get currentUser() { return personOf(this) }
	get languageCode() { return this.homing.languageCode ?? null }
	set languageCode(code) { this.homing.languageCode = code }
	get tenantId() { return this.homing.tenantId }
	set tenantId(id) { this.homing.tenantId = id }
	authStateReady() { return this.homing.authStateReady() }
	onAuthStateChanged(...listeners) { return onAuthStateChanged(this, ...listeners) }
	onIdTokenChanged(...listeners) { return onIdTokenChanged(this, ...listeners) }
	setPersistence(persistence) { return setPersistence(this, persistence) }
	signOut() { return this.homing.signOut() }
	useDeviceLanguage() { this.languageCode = navigator.language }
	toJSON() { return { apiKey: this.config.apiKey, appName: this.name, currentUser: this.currentUser?.toJSON() ?? null } }
}

export const browserLocalPersistence = { type: "LOCAL" }
export const indexedDBLocalPersistence = browserLocalPersistence
export const browserSessionPersistence = { type: "SESSION" }
export const inMemoryPersistence = { type: "NONE" }
export const getReactNativePersistence = storage => ({ type: "LOCAL", storage })
const storageOf = ({ type, storage }) => storage ?? { LOCAL: "local", SESSION: "session" }[type] ?? "memory"

export const setPersistence = (auth, persistence) => auth.homing.setPersistence(storageOf(persistence))
export const useDeviceLanguage = auth => auth.useDeviceLanguage()
export const signOut = auth => auth.signOut()

const functionOf = listener => listener?.next?.bind(listener) ?? listener
// As Firebase's: not for a change of the profile.
export function onAuthStateChanged(auth, listener) {
	const next = functionOf(listener)
	let last
	return auth.homing.onAuthStateChanged(user => {
		const uid = user?.uid ?? null
		if (uid !== last) next(personOf(auth), last = uid)
	})
}
export function onIdTokenChanged(auth, listener) {
	const next = functionOf(listener)
	return auth.homing.onIdTokenChanged(() => next(personOf(auth)))
}

// --- users -----------------------------------------------------------------------------------------------------------

// One object for a person, as long as it is the same.
function personOf(auth) {
	const user = auth.homing.currentUser
	if (!user) return auth.person = null
	if (auth.person?.uid !== user.uid) homes.set(auth.person = new User(), auth)
	const { providers, ...members } = user
	const { email, displayName, photoURL } = user
	const providerData = providers.map(providerId =>
		({ providerId, uid: email, email, displayName, photoURL, phoneNumber: null }))
	return Object.assign(auth.person, members, { providerData })
}
// A user who is not signed in any more can do nothing.
function homeOf(user) {
	const auth = homes.get(user)
	if (!auth || personOf(auth) !== user) throw new HomingError("user-signed-out")
	return auth
}
const changed = async (user, change) => {
	const auth = homeOf(user)
	const answer = await change(auth.homing)
	personOf(auth)
	return answer
}

class User {
	providerId = "firebase"
	phoneNumber = null
	metadata = {}
	getIdToken(forceRefresh) { return changed(this, homing => homing.getIdToken(forceRefresh)) }
	getIdTokenResult(forceRefresh) { return changed(this, homing => homing.getIdTokenResult(forceRefresh)) }
	reload() { return changed(this, homing => homing.reload()) }
	delete() { return changed(this, homing => homing.deleteUser()) }
	toJSON() { return { ...this } }
}

export const getIdToken = (user, forceRefresh) => user.getIdToken(forceRefresh)
export const getIdTokenResult = (user, forceRefresh) => user.getIdTokenResult(forceRefresh)
export const reload = user => user.reload()
export const deleteUser = user => user.delete()
export const updateProfile = (user, profile) => changed(user, homing => homing.updateProfile(profile))
export const updatePassword = (user, password) => changed(user, homing => homing.updatePassword(password))
export async function updateEmail() {
	throw new HomingError("operation-not-allowed", "Use verifyBeforeUpdateEmail: an address is changed by a mail to it.")
}

// --- signing in ------------------------------------------------------------------------------------------------------

async function credential(auth, operationType, call) {
	const { isNewUser = false } = await call(auth.homing)
	const made = { user: personOf(auth), providerId: null, operationType }
	news.set(made, { isNewUser, providerId: null, profile: {} })
	return made
}
const signedIn = (auth, call) => credential(auth, "signIn", call)
export const getAdditionalUserInfo = made => news.get(made) ?? null

export const createUserWithEmailAndPassword = (auth, email, password) =>
	signedIn(auth, homing => homing.createUserWithEmailAndPassword(email, password))
export const signInWithEmailAndPassword = (auth, email, password) =>
	signedIn(auth, homing => homing.signInWithEmailAndPassword(email, password))
export const signInWithCustomToken = (auth, token) => signedIn(auth, homing => homing.signInWithCustomToken(token))
export const signInAnonymously = auth => signedIn(auth, homing => homing.signInAnonymously())
export const signInWithEmailLink = (auth, email, link) =>
	signedIn(auth, homing => homing.signInWithEmailLink(email, link))
export const isSignInWithEmailLink = (auth, link) => auth.homing.isSignInWithEmailLink(link)
/** Nobody is told who has an account, as with Firebase's protection of addresses. */
export const fetchSignInMethodsForEmail = async () => []

export class EmailAuthProvider {
	static PROVIDER_ID = "password"
	static EMAIL_PASSWORD_SIGN_IN_METHOD = "password"
	static EMAIL_LINK_SIGN_IN_METHOD = "emailLink"
	static credential = (email, password) => ({ providerId: "password", signInMethod: "password", email, proof: password })
	static credentialWithLink = (email, link) => {
		if (!parseActionCodeURL(link)) throw new HomingError("argument-error")
		return { providerId: "password", signInMethod: "emailLink", email, proof: link }
	}
	providerId = "password"
}
// `signIn`, `link` or `reauthenticate`, by whichever proof.
const byProof = (verb, { signInMethod, email, proof }) => homing =>
	homing[`${verb}With${signInMethod === "emailLink" ? "EmailLink" : "EmailAndPassword"}`](email, proof)

export const signInWithCredential = (auth, proof) => signedIn(auth, byProof("signIn", proof))
export const linkWithCredential = async (user, proof) => credential(homeOf(user), "link", byProof("link", proof))
export const reauthenticateWithCredential = async (user, proof) =>
	credential(homeOf(user), "reauthenticate", byProof("reauthenticate", proof))

// --- mails and codes -------------------------------------------------------------------------------------------------

// With `{ finishing: "anywhere" }` a request that is pending; its person is one of these functions.
async function sent(auth, call) {
	const pending = await call(auth.homing)
	if (!pending) return undefined
	const told = async answer => ({ ...await answer, user: personOf(auth) })
	return { ...pending, result: () => told(pending.result()), finish: typed => told(pending.finish(typed)) }
}
export const sendPasswordResetEmail = (auth, email, settings, options) =>
	sent(auth, homing => homing.sendPasswordResetEmail(email, settings, options))
export const sendSignInLinkToEmail = (auth, email, settings, options) =>
	sent(auth, homing => homing.sendSignInLinkToEmail(email, settings, options))
export const sendEmailVerification = async (user, settings, options) =>
	sent(homeOf(user), homing => homing.sendEmailVerification(settings, options))
export const verifyBeforeUpdateEmail = async (user, newEmail, settings, options) =>
	sent(homeOf(user), homing => homing.verifyBeforeUpdateEmail(newEmail, settings, options))
export const pendingActions = auth => Promise.all(auth.homing.pendingActions().map(one => sent(auth, () => one)))
export const elsewhereURL = (auth, link) => auth.homing.elsewhereURL(link)

export const checkActionCode = (auth, code) => auth.homing.checkActionCode(code)
export const verifyPasswordResetCode = (auth, code) => auth.homing.verifyPasswordResetCode(code)
export const confirmPasswordReset = (auth, code, password) => auth.homing.confirmPasswordReset(code, password)
export const applyActionCode = (auth, code) => auth.homing.applyActionCode(code)
export const validatePassword = (auth, password) => auth.homing.validatePassword(password)

export const ActionCodeURL = { parseLink: parseActionCodeURL }
export const ActionCodeOperation = Object.fromEntries([
	"EMAIL_SIGNIN", "PASSWORD_RESET", "RECOVER_EMAIL", "REVERT_SECOND_FACTOR_ADDITION", "VERIFY_AND_CHANGE_EMAIL",
	"VERIFY_EMAIL",
].map(name => [name, name]))
export const OperationType = { LINK: "link", REAUTHENTICATE: "reauthenticate", SIGN_IN: "signIn" }
export const ProviderId = { PASSWORD: "password" }
export const SignInMethod = { EMAIL_LINK: "emailLink", EMAIL_PASSWORD: "password" }
