// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.tasks

import android.os.Handler
import android.os.Looper
import java.util.concurrent.Executor
import java.util.concurrent.Executors

/** Where listeners are called that name no executor: on Android's main thread, elsewhere on a thread of their own. */
object MainThread {
    /** Replaced by the tests of an app that has no main thread, if at all. */
    @JvmStatic
    @Volatile
    var executor: Executor = standard()

    private fun standard(): Executor {
        val looper = try {
            Looper.getMainLooper()
        } catch (missing: LinkageError) {
            null
        } catch (stub: RuntimeException) {
            // The android.jar against which apps are compiled throws at every call.
            null
        } ?: return Executors.newSingleThreadExecutor { work ->
            Thread(work, "homing-listeners").apply { isDaemon = true }
        }
        val handler = Handler(looper)
        return Executor { handler.post(it) }
    }
}
