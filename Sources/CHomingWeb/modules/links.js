// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import { HomingError } from "./errors.js"

export const OPERATIONS = {
	__proto__: null,
	recoverEmail: "RECOVER_EMAIL",
	resetPassword: "PASSWORD_RESET",
	revertSecondFactorAddition: "REVERT_SECOND_FACTOR_ADDITION",
	signIn: "EMAIL_SIGNIN",
	verifyAndChangeEmail: "VERIFY_AND_CHANGE_EMAIL",
	verifyEmail: "VERIFY_EMAIL",
}

// As in Firebase's SDK: the last of a name counts, `+` is no space.
function query(url) {
	const [text] = url.replace(/^[^?]*\?/, "").split("#")
	return Object.fromEntries(text.split("&").map(pair => [...pair.split("="), ""].slice(0, 2).map(decodeURIComponent)))
}

// Mail scanners put a link of their own around each one.
const SCANNERS = [
	[/^[^/]+\.safelinks\.protection\.(outlook\.com|office365\.us)\/.*?[?&]url=([^&]*)/i],
	[/^(www\.)?google\.com\/url\?(?:.*?&)?(?:q|url)=([^&]*)/i],
	[/^(linkprotect\.cudasvc\.com)\/url\?(?:.*?&)?a=([^&]*)/i],
	[/^(urldefense\.proofpoint\.com)\/v1\/url\?(?:.*?&)?u=([^&]*)/i],
	[/^(secure-web\.cisco\.com)\/[^/]+\/([^/?]*)$/i],
	[/^(urldefense\.proofpoint\.com)\/v2\/url\?(?:.*?&)?u=([^&%]*)/i, text => text.replace(/-/g, "%").replace(/_/g, "/")],
	[/^(urldefense(?:\.proofpoint)?\.(?:com|us))\/v3\/__(.*?__;[^!]*)!/i, filled, text => text],
]
// Proofpoint's third way: what it does not like is a `*`, a run of it `**` and a length, and follows in base64url.
function filled(text) {
	const [link, kept] = text.split("__;")
	const letters = atob(kept.replace(/-/g, "+").replace(/_/g, "/"))
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	let used = 0
	return link.replace(/\*(?:\*(.))?/g, (_, length) => {
		return letters.slice(used, used += length ? digits.indexOf(length) + 2 : 1)
	})
}
function unscanned(url, layers = 6) {
	const [, rest] = /^https?:\/\/(.*)/is.exec(url) ?? []
	for (const [pattern, change = text => text, decode = decodeURIComponent] of rest && layers ? SCANNERS : []) {
		const found = pattern.exec(rest)
		if (found) return unscanned(decode(change(found[2])), layers - 1)
	}
	return url
}

export function parseActionCodeURL(text) {
	try {
		const url = unscanned(text)
		const { link = "", deep_link_id: deep = "" } = query(url)
		const inner = query(deep).link || deep || query(link).deep_link_id || link || url
		const { mode, oobCode: code, apiKey, continueUrl = null, lang = null, tenantId = null } = query(inner)
		const operation = OPERATIONS[mode]
		return operation && code && apiKey ? { operation, code, apiKey, continueUrl, languageCode: lang, tenantId } : null
	} catch {
		return null // A stray percent sign.
	}
}

// A link is of the tenant that it names, or of none.
export function redeem(action) {
	if (!action) throw new HomingError("argument-error")
	return action.code ? { oobCode: action.code, tenantId: action.tenantId } : { oobCode: action }
}

/** A page's URL without what a mailed link has put there: it belongs neither into the history nor into a bookmark. */
export function withoutActionCode(link) {
	const page = new URL(link)
	const pairs = page.search.slice(1).split("&")
	page.search = pairs.filter(pair => !/^(mode|oobCode|apiKey|lang|tenantId)(=|$)/.test(pair)).join("&")
	return page.href
}
