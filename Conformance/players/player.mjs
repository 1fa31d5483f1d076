// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import { createInterface } from "node:readline"

/** A browser's storage, for as long as this process runs. */
export const kept = new Map()
globalThis.localStorage = {
	getItem: key => kept.get(key) ?? null,
	setItem: (key, text) => void kept.set(key, text),
	removeItem: key => void kept.delete(key),
}

/** The settings of a mailed link as JavaScript's clients take them. */
export function settingsOf(settings) {
	if (!settings) return undefined
	const { url, handleCodeInApp, linkDomain } = settings
	const { iOSBundleId, androidPackageName, androidInstallApp, androidMinimumVersion } = settings
	const iOS = iOSBundleId && { bundleId: iOSBundleId }
	const installs = { installApp: androidInstallApp, minimumVersion: androidMinimumVersion }
	const android = androidPackageName && { packageName: androidPackageName, ...installs }
	return JSON.parse(JSON.stringify({ url, handleCodeInApp, linkDomain, iOS, android }))
}

const OPERATIONS = ["PASSWORD_RESET", "VERIFY_EMAIL", "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL", "RECOVER_EMAIL"]

/** What was read in a link, in this protocol's words. */
export function linkOf(action) {
	const { operation, code, continueUrl: continueURL, languageCode, tenantId } = action ?? {}
	return OPERATIONS.includes(operation) ? { operation, code, continueURL, languageCode, tenantId } : null
}

/** The requests that are finished anywhere; `userOf` makes a user of what the client has. */
export function pendingCalls({ reset, signIn, verification, known, userOf }) {
	let pending
	const begun = async asked => {
		pending = await asked
		return { matchNumber: pending.matchNumber, expiresIn: Math.round((pending.expiresAt - Date.now()) / 1000) }
	}
	const ANYWHERE = { finishing: "anywhere" }
	return {
		beginReset: ({ email, settings }) => begun(reset(email, settingsOf(settings), ANYWHERE)),
		beginSignIn: ({ email, settings }) => begun(signIn(email, settingsOf(settings), ANYWHERE)),
		beginVerification: ({ settings }) => begun(verification(settingsOf(settings), ANYWHERE)),
		async typeCode({ code }) {
			const { user, code: action } = await pending.finish(code)
			return { user: userOf(user), code: action?.code }
		},
		async waitForPending({ seconds }) {
			let state
			const end = pending.result().catch(() => {})
			const stop = pending.onState(next => state = next)
			await Promise.race([end, new Promise(resolve => setTimeout(resolve, seconds * 1000))])
			await new Promise(resolve => setTimeout(resolve))
			stop()
			return { state }
		},
		async resumePending() {
			[pending] = await known()
			const { matchNumber, email, operation, continueUrl } = pending ?? {}
			return pending ? { matchNumber, email, operation, continueURL: continueUrl } : null
		},
	}
}

/** Answers a line for each line, until the input ends. */
export async function play(calls) {
	for await (const line of createInterface({ input: process.stdin })) {
		const { call, ...given } = JSON.parse(line)
		let answer
		try {
			answer = calls[call] ? { result: await calls[call](given) ?? null } : { error: "player/unsupported" }
		} catch (error) {
			if (!/^(auth|player)\//.test(error.code)) throw error
			answer = { error: error.code, message: error.message }
		}
		process.stdout.write(JSON.stringify(answer) + "\n")
	}
	process.exit(0)
}
