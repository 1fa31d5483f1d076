// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

// The versions, once for the app and for the library. Not run by the project's tests, which have no Gradle.
plugins {
    id("com.android.application") version "8.5.0" apply false
    id("com.android.library") version "8.5.0" apply false
    kotlin("android") version "1.9.24" apply false
}
