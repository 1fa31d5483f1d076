// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import type { Homing } from "./homing.js"

/**
 * `<homing-sign-in api-key="hk_…" url="https://auth.example.com">`: signs in and up, mails links, resets and verifications, and
 * shows the number and takes the code of a mail.
 *
 * - `return-url`: where mailed links lead back to; by default the page itself.
 * - `--homing-accent`, `--homing-on-accent`: the colours of the main button; `::part(input)`, `::part(button)`, `::part(main)`,
 *   `::part(output)` (the number) and `::part(error)` are for all else. Fonts are the page's.
 * - The event `userchange` has the user, or null, as its `detail`.
 */
export class HomingSignIn extends HTMLElement {
	/** A `Homing` of the page's own, to be set before the element is in the page; else one is made of the attributes. */
	homing: Homing
	/** Texts in the place of the English ones, by their names in sign-in.js; others are shown at once. */
	texts: { [name: string]: string }
}

declare global {
	interface HTMLElementTagNameMap {
		"homing-sign-in": HomingSignIn
	}
}
