// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.android

import android.content.Context
import homing.Device

/** The device that this app runs on. */
class AndroidDevice(private val context: Context) : Device {
    override val packageName: String = context.packageName

    override val versionCode: Long
        // The number with its major part is there from API level 28 on; this library is compiled against 23.
        get() = try {
            val info = context.packageManager.getPackageInfo(packageName, 0)
            val long = info.javaClass.methods.firstOrNull { it.name == "getLongVersionCode" }
            @Suppress("DEPRECATION")
            long?.invoke(info) as? Long ?: info.versionCode.toLong()
        } catch (unknown: ReflectiveOperationException) {
            Long.MAX_VALUE
        }

    override fun installReferrer(): String? = PlayInstallReferrer(context).read()

    override fun takeInstallReferrerTurn(): Boolean {
        val kept = context.getSharedPreferences("homing", Context.MODE_PRIVATE)
        if (kept.getBoolean(ASKED, false)) return false
        kept.edit().putBoolean(ASKED, true).apply()
        return true
    }

    private companion object {
        const val ASKED = "install-referrer-asked"
    }
}
