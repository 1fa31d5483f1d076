// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing

/** What Firebase's Kotlin hangs its parts on: `Firebase.auth`, `Firebase.dynamicLinks`. */
object Firebase
