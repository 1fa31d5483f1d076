// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

// Not run by the project's tests, which have no Gradle.
plugins {
    id("com.android.application")
    kotlin("android")
}

android {
    namespace = "com.example.lighthouse"
    compileSdk = 34
    defaultConfig {
        applicationId = "com.example.lighthouse"
        minSdk = 23
        targetSdk = 34
        versionCode = 1
        versionName = "1.0"
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
    implementation(project(":homing-android"))
}
