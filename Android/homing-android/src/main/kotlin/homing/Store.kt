// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

@file:JvmName("Store")

package homing

/** The page of an app in the Play Store, which every Android device opens in its own store. */
internal fun storeURL(packageName: String?): String? =
    packageName?.let { "https://play.google.com/store/apps/details?id=$it" }
