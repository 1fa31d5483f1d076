// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing

import android.content.Context
import homing.android.AndroidDevice
import homing.android.KeystoreSessionStore
import org.json.JSONObject

/**
 * A project of a Homing server, as an app talks to it: the twin of `FirebaseApp`.
 *
 * `HomingApp.configure(context, "https://auth.example.com", "hk_…")` in `Application.onCreate`, once.
 */
class HomingApp internal constructor(internal val options: HomingOptions) {
    /** The name under which it was configured. */
    val name: String get() = options.name

    internal val endpoint = Endpoint(options.server, options.apiKey, options.transport)

    private val parts = mutableMapOf<Class<*>, Any>()

    /** A library's part of this app, made when it is first asked for. */
    internal fun <P : Any> part(type: Class<P>, make: (HomingApp) -> P): P = synchronized(parts) {
        @Suppress("UNCHECKED_CAST")
        parts.getOrPut(type) { make(this) } as P
    }

    companion object {
        /** The name of the app that is configured without one. */
        const val DEFAULT_NAME = "[DEFAULT]"

        private val apps = mutableMapOf<String, HomingApp>()

        /**
         * Says which server and which project this app talks to.
         *
         * @param server the public URL of the server, such as `https://auth.example.com`.
         * @param apiKey a key of the project; `homing project show` prints it.
         * @param linkDomains the app's link domains as full prefixes, `https://links.example.com`.
         */
        @JvmStatic
        fun configure(context: Context, server: String, apiKey: String, vararg linkDomains: String): HomingApp {
            val device = AndroidDevice(context.applicationContext)
            return configure(
                HomingOptions.Builder(server, apiKey)
                    .setSessionStore(KeystoreSessionStore(context.applicationContext))
                    .setDevice(device)
                    .setLinkDomains(*linkDomains)
                    .build()
            )
        }

        /**
         * The same by `homing-services.json` in the assets of the app, as `homing app config` prints it: an object with
         * `server`, `apiKey` and, where the project has any, `linkDomains`.
         */
        @JvmStatic
        fun configure(context: Context): HomingApp {
            val file = JSONObject(context.assets.open("homing-services.json").use { String(it.readBytes()) })
            val domains = file.optJSONArray("linkDomains")
            return configure(
                context, file.getString("server"), file.getString("apiKey"),
                *Array(domains?.length() ?: 0) { domains!!.getString(it) }
            )
        }

        /** The same with everything that can be chosen. Configured again, a name means the new project from then on. */
        @JvmStatic
        fun configure(options: HomingOptions): HomingApp = HomingApp(options).also { app ->
            synchronized(apps) { apps[app.name] = app }
        }

        /** The app that was configured under a name; throws [IllegalStateException] when there is none. */
        @JvmStatic
        @JvmOverloads
        fun getInstance(name: String = DEFAULT_NAME): HomingApp = synchronized(apps) { apps[name] }
            ?: throw IllegalStateException(
                "No app is configured under $name. Call HomingApp.configure(context, server, apiKey) in onCreate of the Application."
            )
    }
}

/** Everything that can be chosen of a [HomingApp]. */
class HomingOptions private constructor(builder: Builder) {
    val name = builder.name
    val server = builder.server
    val apiKey = builder.apiKey
    internal val transport = builder.transport
    internal val store = builder.store
    internal val device = builder.device
    internal val linkDomains = builder.linkDomains
    internal val schemes = builder.schemes
    internal val clock = builder.clock

    class Builder(internal val server: String, internal val apiKey: String) {
        internal var name = HomingApp.DEFAULT_NAME
        internal var transport: Transport = URLConnectionTransport()
        internal var store: SessionStore = MemorySessionStore()
        internal var device: Device = NoDevice
        internal var linkDomains = emptyList<String>()
        internal var schemes = emptyList<String>()
        internal var clock: () -> Long = System::currentTimeMillis

        /** The name of one of several projects. */
        fun setName(name: String) = apply { this.name = name }

        /** How requests leave. */
        fun setTransport(transport: Transport) = apply { this.transport = transport }

        /** Where the signed-in user is kept; without one the user is forgotten with the process. */
        fun setSessionStore(store: SessionStore) = apply { this.store = store }

        /** The device and its store; [AndroidDevice], or the stand-in of an app's tests. */
        fun setDevice(device: Device) = apply { this.device = device }

        /** The app's link domains as full prefixes; slashes at the end do not count. */
        fun setLinkDomains(vararg domains: String) = apply { linkDomains = domains.map { it.trimEnd('/') } }

        /** The app's URL schemes, for links through `{scheme}://google/link`; its package name counts in any case. */
        fun setSchemes(vararg schemes: String) = apply { this.schemes = schemes.toList() }

        internal fun setClock(clock: () -> Long) = apply { this.clock = clock }

        fun build() = HomingOptions(this)
    }
}

/** What a device knows of the app and of the store that it came from. */
interface Device {
    /** The app's package name; null where there is none. */
    val packageName: String?

    /** The version code of the installed app; null where there is none. */
    val versionCode: Long?

    /** The text that the store keeps of the link that led to it, at the first start; null when it keeps none. */
    fun installReferrer(): String?

    /** Whether [installReferrer] has been asked before; asked once, it counts as asked. */
    fun takeInstallReferrerTurn(): Boolean
}

/** Stands in where there is no device. */
internal object NoDevice : Device {
    override val packageName: String? = null
    override val versionCode: Long? = null
    override fun installReferrer(): String? = null
    override fun takeInstallReferrerTurn() = false
}
