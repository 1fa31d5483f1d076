// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.android

import android.content.ComponentName
import android.content.Context
import android.content.Intent
import android.content.ServiceConnection
import android.os.Bundle
import android.os.IBinder
import android.os.Parcel
import android.os.RemoteException
import java.util.concurrent.ArrayBlockingQueue
import java.util.concurrent.TimeUnit

/**
 * Asks the Play Store's own service, which `com.android.installreferrer` asks too, for the text that the store keeps of the
 * link that led to it.
 *
 * The app needs nothing but a line in its manifest, from Android 11 on: `<queries><package
 * android:name="com.android.vending"/></queries>`.
 */
internal class PlayInstallReferrer(private val context: Context) {
    /** Blocks a thread that is not the main one, for ten seconds at most; null where there is no store or no text. */
    fun read(): String? {
        val arrived = ArrayBlockingQueue<IBinder>(1)
        val connection = object : ServiceConnection {
            override fun onServiceConnected(name: ComponentName, service: IBinder) {
                arrived.offer(service)
            }

            override fun onServiceDisconnected(name: ComponentName) = Unit
        }
        val intent = Intent("com.google.android.finsky.BIND_GET_INSTALL_REFERRER_SERVICE").setComponent(
            ComponentName(STORE, "com.google.android.finsky.externalreferrer.GetInstallReferrerService")
        )
        val isBound = try {
            context.bindService(intent, connection, Context.BIND_AUTO_CREATE)
        } catch (refused: SecurityException) {
            false
        }
        try {
            return if (isBound) arrived.poll(10, TimeUnit.SECONDS)?.let(::ask) else null
        } finally {
            if (isBound) context.unbindService(connection)
        }
    }

    /** The first method of the service: it takes a bundle with the package's name and gives one back. */
    private fun ask(service: IBinder): String? {
        val request = Parcel.obtain()
        val reply = Parcel.obtain()
        return try {
            request.writeInterfaceToken(INTERFACE)
            request.writeInt(1)
            Bundle().apply { putString("package_name", context.packageName) }.writeToParcel(request, 0)
            service.transact(IBinder.FIRST_CALL_TRANSACTION, request, reply, 0)
            reply.readException()
            if (reply.readInt() == 0) null else Bundle.CREATOR.createFromParcel(reply).getString("install_referrer")
        } catch (gone: RemoteException) {
            null
        } finally {
            request.recycle()
            reply.recycle()
        }
    }

    private companion object {
        const val STORE = "com.android.vending"
        const val INTERFACE = "com.google.android.finsky.externalreferrer.IGetInstallReferrerService"
    }
}
