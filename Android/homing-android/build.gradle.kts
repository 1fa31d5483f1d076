// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

// For apps that build with Gradle. Not run by the project's tests, which have no Gradle: they use Android/build.
plugins {
    id("com.android.library") version "8.5.0"
    kotlin("android") version "1.9.24"
}

android {
    namespace = "homing"
    compileSdk = 34
    defaultConfig {
        minSdk = 23
    }
    kotlinOptions {
        jvmTarget = "1.8"
    }
    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_1_8
        targetCompatibility = JavaVersion.VERSION_1_8
    }
}

dependencies {
    api("org.jetbrains.kotlinx:kotlinx-coroutines-core:1.8.1")
}
