// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import { HomingError } from "./errors.js"

// Not verified, for the token came from its signer.
export function claimsOf(token) {
	const bytes = atob(token.split(".")[1].replace(/-/g, "+").replace(/_/g, "/"))
	const escaped = [...bytes].map(byte => `%${byte.charCodeAt().toString(16).padStart(2, 0)}`)
	return JSON.parse(decodeURIComponent(escaped.join("")))
}

// In either spelling.
export function sessionOf({ id_token, refresh_token, expires_in, ...answer }) {
	const { idToken = id_token, refreshToken = refresh_token, expiresIn = expires_in } = answer
	const claims = claimsOf(idToken)
	const user = {
		uid: claims.sub,
		email: claims.email ?? null,
		emailVerified: claims.email_verified ?? false,
		displayName: claims.name ?? null,
		photoURL: claims.picture ?? null,
		isAnonymous: claims.firebase.sign_in_provider === "anonymous",
		providers: claims.firebase.identities?.email ? ["password"] : [],
		tenantId: claims.firebase.tenant ?? null,
	}
	return { idToken, refreshToken, expiresAt: Date.now() + expiresIn * 1000, user }
}

// A storage of the browser, or an app's own, whose answers may be promises (React Native's AsyncStorage). What cannot be
// kept there, and all that an asynchronous one has, is in memory, too.
export function Store(storage, keys) {
	const memory = {}
	let place, isAsync, saved
	try {
		place = storage?.getItem ? storage : globalThis[`${storage}Storage`]
	} catch {} // No storage here.
	function attempt(call, key, text) {
		try {
			return place?.[call](key, text)
		} catch {
			return undefined
		}
	}
	function set(key, text) {
		memory[key] = text
		if (isAsync) return saved = saved.then(() => place.setItem(key, text)).catch(() => {})
		try {
			place.setItem(key, text)
			delete memory[key]
		} catch {
			attempt("removeItem", key) // Full: nobody of before may come back.
		}
	}
	const found = keys.map(key => attempt("getItem", key))
	isAsync = found.some(text => text?.then)
	if (isAsync) {
		saved = Promise.all(found.map(async (text, index) => memory[keys[index]] ??= await text)).catch(() => {})
	}
	return {
		ready: saved,
		saved: () => saved,
		get: key => memory[key] ?? (isAsync ? null : attempt("getItem", key) ?? null),
		set,
		remove(key) {
			delete memory[key]
			isAsync ? saved = saved.then(() => place.removeItem(key)).catch(() => {}) : attempt("removeItem", key)
		},
	}
}

export const areTexts = (...texts) => texts.every(text => text && typeof text === "string")
export const areSame = (one, other) => one?.toLowerCase() === other?.toLowerCase()
export const overtaken = () => new HomingError("user-signed-out")
