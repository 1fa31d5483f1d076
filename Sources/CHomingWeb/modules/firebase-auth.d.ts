// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import {
	ActionCodeInfo, ActionCodeSettings, ActionCodeURL as ActionCode, AppStorage, FinishingAnywhere, HomingError, IdTokenResult,
	PasswordStatus, PendingAction,
} from "./homing.js"

export { HomingError as FirebaseError, parseActionCodeURL } from "./homing.js"
export type { ActionCodeInfo, ActionCodeSettings, FinishingAnywhere, PendingAction } from "./homing.js"
export type PasswordValidationStatus = PasswordStatus
export type Unsubscribe = () => void

/** What `initializeApp` takes: the key, and the server as `url` or as the host `authDomain`. Other members do not matter. */
export interface FirebaseOptions {
	apiKey: string
	url?: string
	authDomain?: string
	/** How long an answer may take, in milliseconds. */
	timeout?: number
	[name: string]: unknown
}
export interface FirebaseApp {
	readonly name: string
	readonly options: FirebaseOptions
	automaticDataCollectionEnabled: boolean
}
export function initializeApp(options: FirebaseOptions, settings?: string | { name?: string }): FirebaseApp
export function getApp(name?: string): FirebaseApp
export function getApps(): FirebaseApp[]
export function deleteApp(app: FirebaseApp): Promise<void>

export interface Persistence {
	readonly type: "LOCAL" | "SESSION" | "NONE"
}
export const browserLocalPersistence: Persistence
export const indexedDBLocalPersistence: Persistence
export const browserSessionPersistence: Persistence
export const inMemoryPersistence: Persistence
/** For `initializeAuth` with React Native's AsyncStorage. */
export function getReactNativePersistence(storage: AppStorage): Persistence

export type NextOrObserver<T> = ((value: T) => void) | { next?(value: T): void }
export interface Auth {
	readonly app: FirebaseApp
	readonly name: string
	readonly config: { readonly apiKey: string }
	readonly currentUser: User | null
	readonly emulatorConfig: { protocol: string; host: string; port: number | null; options: object } | null
	languageCode: string | null
	tenantId: string | null
	authStateReady(): Promise<void>
	onAuthStateChanged(next: NextOrObserver<User | null>): Unsubscribe
	onIdTokenChanged(next: NextOrObserver<User | null>): Unsubscribe
	setPersistence(persistence: Persistence): Promise<void>
	signOut(): Promise<void>
	useDeviceLanguage(): void
	toJSON(): object
}
/** Of an app, of the default one, or of `{ url, apiKey }` without any: the same for the same options. */
export function getAuth(app?: FirebaseApp | FirebaseOptions): Auth
/** Of a list of persistences the first one counts. */
export function initializeAuth(
	app: FirebaseApp | FirebaseOptions, settings?: { persistence?: Persistence | Persistence[] }): Auth
/** Call it before anything else with this `auth`. */
export function connectAuthEmulator(auth: Auth, url: string, options?: { disableWarnings?: boolean }): void
export function setPersistence(auth: Auth, persistence: Persistence): Promise<void>
export function useDeviceLanguage(auth: Auth): void
export function signOut(auth: Auth): Promise<void>
/** Called when somebody signs in or out, in any tab, and not for a change of the profile. */
export function onAuthStateChanged(auth: Auth, next: NextOrObserver<User | null>): Unsubscribe
export function onIdTokenChanged(auth: Auth, next: NextOrObserver<User | null>): Unsubscribe

export interface UserInfo {
	readonly providerId: string
	readonly uid: string
	readonly email: string | null
	readonly displayName: string | null
	readonly photoURL: string | null
	readonly phoneNumber: string | null
}
/** One object for a person, whose members change with the account. */
export interface User extends UserInfo {
	readonly emailVerified: boolean
	readonly isAnonymous: boolean
	readonly tenantId: string | null
	readonly providerData: UserInfo[]
	/** Empty: a token has no times of the account. */
	readonly metadata: { readonly creationTime?: string; readonly lastSignInTime?: string }
	getIdToken(forceRefresh?: boolean): Promise<string>
	getIdTokenResult(forceRefresh?: boolean): Promise<IdTokenResult>
	reload(): Promise<void>
	delete(): Promise<void>
	toJSON(): object
}
export interface UserCredential {
	readonly user: User
	readonly providerId: string | null
	readonly operationType: "signIn" | "link" | "reauthenticate"
}
export function getAdditionalUserInfo(
	credential: UserCredential): { isNewUser: boolean; providerId: string | null; profile: object } | null

export function getIdToken(user: User, forceRefresh?: boolean): Promise<string>
export function getIdTokenResult(user: User, forceRefresh?: boolean): Promise<IdTokenResult>
export function reload(user: User): Promise<void>
export function deleteUser(user: User): Promise<void>
export function updateProfile(
	user: User, profile: { displayName?: string | null; photoURL?: string | null }): Promise<void>
export function updatePassword(user: User, password: string): Promise<void>
/** @deprecated Rejects with `auth/operation-not-allowed`: use `verifyBeforeUpdateEmail`. */
export function updateEmail(user: User, email: string): Promise<void>

export function createUserWithEmailAndPassword(auth: Auth, email: string, password: string): Promise<UserCredential>
export function signInWithEmailAndPassword(auth: Auth, email: string, password: string): Promise<UserCredential>
export function signInWithCustomToken(auth: Auth, token: string): Promise<UserCredential>
export function signInAnonymously(auth: Auth): Promise<UserCredential>
export function isSignInWithEmailLink(auth: Auth, link: string): boolean
/** Without an address it takes that of a request that is known here; without a link the page's own. */
export function signInWithEmailLink(auth: Auth, email?: string | null, link?: string): Promise<UserCredential>
/** @deprecated Answers an empty list for everybody. */
export function fetchSignInMethodsForEmail(auth: Auth, email: string): Promise<string[]>

export interface AuthCredential {
	readonly providerId: string
	readonly signInMethod: string
}
export class EmailAuthProvider {
	static readonly PROVIDER_ID: "password"
	static readonly EMAIL_PASSWORD_SIGN_IN_METHOD: "password"
	static readonly EMAIL_LINK_SIGN_IN_METHOD: "emailLink"
	static credential(email: string, password: string): AuthCredential
	static credentialWithLink(email: string, link: string): AuthCredential
	readonly providerId: "password"
}
export function signInWithCredential(auth: Auth, credential: AuthCredential): Promise<UserCredential>
export function linkWithCredential(user: User, credential: AuthCredential): Promise<UserCredential>
export function reauthenticateWithCredential(user: User, credential: AuthCredential): Promise<UserCredential>

// With `{ finishing: "anywhere" }` they answer a request that is finished anywhere; without it nothing, as in Firebase.

type Settings = ActionCodeSettings | null | undefined
export function sendPasswordResetEmail(auth: Auth, email: string, settings?: Settings): Promise<void>
export function sendPasswordResetEmail(
	auth: Auth, email: string, settings: Settings, options: FinishingAnywhere): Promise<PendingAction>
export function sendSignInLinkToEmail(auth: Auth, email: string, settings: ActionCodeSettings): Promise<void>
export function sendSignInLinkToEmail(
	auth: Auth, email: string, settings: ActionCodeSettings, options: FinishingAnywhere): Promise<PendingAction>
export function sendEmailVerification(user: User, settings?: Settings): Promise<void>
export function sendEmailVerification(
	user: User, settings: Settings, options: FinishingAnywhere): Promise<PendingAction>
export function verifyBeforeUpdateEmail(user: User, newEmail: string, settings?: Settings): Promise<void>
export function verifyBeforeUpdateEmail(
	user: User, newEmail: string, settings: Settings, options: FinishingAnywhere): Promise<PendingAction>
/** The requests of this browser that may still be finished, the newest first. */
export function pendingActions(auth: Auth): Promise<PendingAction[]>
/** The server's page behind a mailed link, where the number of the asking device is typed. */
export function elsewhereURL(auth: Auth, link?: string): string

export function checkActionCode(auth: Auth, code: string | ActionCode): Promise<ActionCodeInfo>
export function verifyPasswordResetCode(auth: Auth, code: string | ActionCode): Promise<string>
export function confirmPasswordReset(auth: Auth, code: string | ActionCode, password: string): Promise<void>
export function applyActionCode(auth: Auth, code: string | ActionCode): Promise<void>
export function validatePassword(auth: Auth, password: string): Promise<PasswordValidationStatus>

export type ActionCodeURL = ActionCode
export const ActionCodeURL: { parseLink(link: string): ActionCode | null }
export const ActionCodeOperation: { readonly [Name in ActionCode["operation"]]: Name }
export const OperationType: { readonly LINK: "link"; readonly REAUTHENTICATE: "reauthenticate"; readonly SIGN_IN: "signIn" }
export const ProviderId: { readonly PASSWORD: "password" }
export const SignInMethod: { readonly EMAIL_LINK: "emailLink"; readonly EMAIL_PASSWORD: "password" }
