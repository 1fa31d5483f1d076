// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

// Not run by the project's tests, which have no Gradle: they compile the sources with Android/build.
pluginManagement {
    repositories {
        google()
        mavenCentral()
    }
}
dependencyResolutionManagement {
    repositories {
        google()
        mavenCentral()
    }
}
rootProject.name = "Lighthouse"
include(":app", ":homing-android")
project(":homing-android").projectDir = file("../../Android/homing-android")
