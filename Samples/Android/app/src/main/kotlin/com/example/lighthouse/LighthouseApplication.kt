// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package com.example.lighthouse

import android.app.Application
import homing.HomingApp
import homing.auth.FirebaseAuth

/** Says once which server and project the app talks to. */
class LighthouseApplication : Application() {
    override fun onCreate() {
        super.onCreate()
        HomingApp.configure(this, "https://auth.example.com", "hk_YOUR_KEY", "https://links.example.com")
        FirebaseAuth.getInstance().useAppLanguage()
    }
}
