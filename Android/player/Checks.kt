// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import homing.Device
import homing.FileSessionStore
import homing.HomingApp
import homing.HomingOptions
import homing.TransportAnswer
import homing.android.AESCipher
import homing.android.SessionKeys
import homing.auth.FirebaseAuth
import homing.dynamiclinks.FirebaseDynamicLinks
import homing.tasks.Task
import homing.tasks.Tasks
import homing.tasks.await
import java.io.File
import javax.crypto.KeyGenerator
import javax.crypto.SecretKey
import kotlinx.coroutines.runBlocking
import org.json.JSONObject

/** What no server is needed for: each check is a sentence, and a line of JSON says which do not hold. */
object Checks {
    private class Keys : SessionKeys {
        private var key: SecretKey = made()

        override fun key() = key

        override fun renew() {
            key = made()
        }

        private fun made() = KeyGenerator.getInstance("AES").apply { init(256) }.generateKey()
    }

    private val folder = File(System.getProperty("java.io.tmpdir"), "homing-checks-${System.nanoTime()}")

    private val checks: Map<String, () -> Boolean> = mapOf(
        "a session outlives the process, and its file has neither address nor token" to {
            val keys = Keys()
            val store = FileSessionStore(folder, AESCipher(keys))
            store.write("ann", "ann@example.com token".toByteArray())
            val files = folder.listFiles().orEmpty()
            FileSessionStore(folder, AESCipher(keys)).read("ann")?.let { String(it) } == "ann@example.com token" &&
                files.size == 1 && files.none { "ann" in it.name || "token" in it.readText() }
        },
        "a session that somebody has changed is none" to {
            val store = FileSessionStore(folder, AESCipher(Keys()))
            store.write("bob", "bob".toByteArray())
            val changed = folder.listFiles().orEmpty().all { file ->
                file.writeBytes(file.readBytes().also { it[it.size - 1] = (it.last() + 1).toByte() })
                true
            }
            changed && store.read("bob") == null && store.read("nobody") == null
        },
        "a key that is lost ends the session, and the next one is kept" to {
            val keys = Keys()
            val store = FileSessionStore(folder, AESCipher(keys))
            store.write("cy", "before".toByteArray())
            keys.renew()
            val before = store.read("cy")
            store.write("cy", "after".toByteArray())
            val after = store.read("cy")?.let { String(it) }
            store.remove("cy")
            before == null && after == "after" && store.read("cy") == null
        },
        "listeners hear what was over before they came" to {
            var heard: String? = null
            Tasks.forResult("done").addOnSuccessListener { heard = it }
            heard == "done"
        },
        "a failure passes through what follows on success" to {
            val failed: Task<String> = Tasks.forException(IllegalStateException("why"))
            val next = failed.onSuccessTask { Tasks.forResult(it.length) }
            runBlocking {
                try {
                    next.await()
                    false
                } catch (reason: IllegalStateException) {
                    reason.message == "why"
                }
            }
        },
        "the link of an install is told once" to {
            var isFirst = true
            val device = object : Device {
                override val packageName = "com.example.android"
                override val versionCode = 1L
                override fun installReferrer() = "utm_source=letter&link=https%3A%2F%2Fwww.example.com%2Fcart"
                override fun takeInstallReferrerTurn() = isFirst.also { isFirst = false }
            }
            val links = FirebaseDynamicLinks.getInstance(app { setDevice(device) })
            val first = Tasks.await(links.getDynamicLink(null as android.content.Intent?))
            val second = Tasks.await(links.getDynamicLink(null as android.content.Intent?))
            first?.link.toString() == "https://www.example.com/cart" && second == null &&
                first?.campaignParameters == mapOf("utm_source" to "letter")
        },
        "nobody sends a password over plain http to a far server" to {
            val auth = FirebaseAuth.getInstance(app("http://auth.example.com") { this })
            val task = auth.signInWithEmailAndPassword("ann@example.com", "correct horse 1")
            runCatching { Tasks.await(task) }.isFailure && task.exception is homing.FirebaseApiNotAvailableException
        },
        "a listener hears who is signed in at once, and no more when it has been removed" to {
            val auth = FirebaseAuth.getInstance(app { this })
            var heard = 0
            val listener = FirebaseAuth.AuthStateListener { heard++ }
            auth.addAuthStateListener(listener)
            auth.signOut()
            auth.removeAuthStateListener(listener)
            auth.signOut()
            heard == 1
        }
    )

    private fun app(
        server: String = "https://auth.example.com", more: HomingOptions.Builder.() -> HomingOptions.Builder
    ): HomingApp {
        val builder = HomingOptions.Builder(server, "hk_key").setName("checks ${System.nanoTime()}")
            .setTransport { TransportAnswer(503, ByteArray(0)) }
        return HomingApp.configure(builder.more().build())
    }

    /** The checks that do not hold. */
    fun failing(): List<String> {
        val failing = checks.filterNot { (_, holds) ->
            try {
                holds()
            } catch (reason: Exception) {
                reason.printStackTrace()
                false
            }
        }
        folder.deleteRecursively()
        return failing.keys.toList()
    }

    fun answer(): JSONObject = JSONObject().put("checked", checks.size).put("failing", org.json.JSONArray(failing()))
}
