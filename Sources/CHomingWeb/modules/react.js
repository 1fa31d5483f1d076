// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
// Hooks for React and React Native. See react.d.ts.

import { useEffect, useMemo, useState, useSyncExternalStore } from "react"
import { SignInFlow } from "./flow.js"

export function useUser(homing) {
	const [store] = useState(() => ({}))
	if (store.homing !== homing) {
		// `undefined` until it is known who is signed in: a storage may answer late.
		let user
		store.homing = homing
		store.now = () => user
		store.subscribe = changed => homing.onAuthStateChanged(next => {
			user = next
			changed()
		})
	}
	return useSyncExternalStore(store.subscribe, store.now, () => undefined)
}

export function useClaims(homing) {
	const [claims, setClaims] = useState()
	useEffect(() => {
		let isOver = false
		const tell = next => isOver || setClaims(next)
		const end = homing.onIdTokenChanged(user => {
			// Without a network the claims of before stay.
			user ? homing.getIdTokenResult().then(({ claims }) => tell(claims), () => {}) : tell(null)
		})
		return () => {
			isOver = true
			end()
		}
	}, [homing])
	return claims
}

export function useSignIn(homing, { url, settings, leave } = {}) {
	const flow = useMemo(
		() => SignInFlow(homing, { ...url && { url: () => url }, settings, ...leave && { leave } }),
		// Settings that are written in place are new at each render.
		[homing, url, JSON.stringify(settings)])
	const state = useSyncExternalStore(flow.subscribe, () => flow.state, () => flow.state)
	useEffect(() => flow.start(), [flow])
	return { ...flow, ...state }
}
