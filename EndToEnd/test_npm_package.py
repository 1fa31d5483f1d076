# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The npm package as an app gets it: installed from its file, run by Node, bundled by esbuild, typed by TypeScript."""

import json
import subprocess

import pytest
from world.places import ESBUILD, NODE_PACKAGES, ROOT, TYPESCRIPT


def run(*command, folder, **more):
    done = subprocess.run(
        [str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=300, **more
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """The folder of an app that has installed the package, without a network."""
    folder = tmp_path_factory.mktemp("app")
    run(ROOT / "scripts/npm-package", folder / "homing-auth.tgz", folder=folder)
    (folder / "package.json").write_text('{"type": "module"}')
    run("npm", "install", "--offline", "--no-audit", "--no-fund", "--silent", "./homing-auth.tgz", folder=folder)
    for name in ("react", "react-dom", "scheduler"):
        assert (NODE_PACKAGES / name).exists(), f"{NODE_PACKAGES / name} is not there: scripts/install test"
        (folder / "node_modules" / name).symlink_to(NODE_PACKAGES / name)
    return folder


def test_the_same_modules_make_the_same_package(app):
    run(ROOT / "scripts/npm-package", app / "again.tgz", folder=app)
    assert (app / "again.tgz").read_bytes() == (app / "homing-auth.tgz").read_bytes()


# Both spellings share one session, in a storage whose answers are promises.
PROGRAM = """
import { Homing, HomingError } from "homing-auth"
import { getAuth, initializeAuth, getReactNativePersistence, signInAnonymously } from "homing-auth/firebase-auth"
import { HomingSignIn } from "homing-auth/sign-in"
import { useUser } from "homing-auth/react"

const kept = new Map()
const storage = {
    getItem: async key => kept.get(key) ?? null,
    setItem: async (key, text) => void kept.set(key, text),
    removeItem: async key => void kept.delete(key),
}
const options = { apiKey: "any", url: globalThis.SERVER }
const auth = initializeAuth({ ...options }, { persistence: getReactNativePersistence(storage) })
const { user } = await signInAnonymously(auth)
const homing = Homing({ ...options, storage })
const early = homing.currentUser
await homing.authStateReady()
let refused
try { Homing({ apiKey: "any" }) } catch (error) { refused = error instanceof HomingError && error.message }
console.log(JSON.stringify({
    early, isSame: homing.currentUser.uid === user.uid, refused, others: [typeof HomingSignIn, typeof useUser],
}))
"""
TOLD = {
    "early": None,
    "isSame": True,
    "refused": "Name the server: Homing({ apiKey, url }).",
    "others": ["function", "function"],
}


def test_node_runs_an_app_with_it(app, emulator):
    (app / "app.js").write_text(PROGRAM)
    (app / "server.mjs").write_text(f"globalThis.SERVER = '{emulator.url}'")
    assert json.loads(run("node", "--import", "./server.mjs", "app.js", folder=app)) == TOLD


def test_a_bundled_app_runs_as_one_file_that_does_not_ask_where_it_came_from(app, emulator):
    (app / "app.js").write_text(PROGRAM)
    (app / "server.mjs").write_text(f"globalThis.SERVER = '{emulator.url}'")
    run(ESBUILD, "app.js", "--bundle", "--format=esm", "--target=es2022", "--outfile=bundle.mjs", folder=app)
    assert "import.meta" not in (app / "bundle.mjs").read_text()
    assert json.loads(run("node", "--import", "./server.mjs", "bundle.mjs", folder=app)) == TOLD


# A program by the types: it compiles, and each line after `@ts-expect-error` is refused.
TYPED = """
import {
    Homing, HomingError, parseActionCodeURL, type ActionCodeSettings, type PendingAction, type PendingState, type User,
} from "homing-auth"

const homing: Homing = Homing({ apiKey: "k" })
const own = new Homing({ apiKey: "k", url: "https://a.example", storage: "session", timeout: 1, languageCode: null })
own.languageCode = navigator.language
const stop: () => void = homing.onAuthStateChanged((user: User | null) => console.log(user?.uid))
const settings: ActionCodeSettings = { url: location.href, android: { packageName: "a", minimumVersion: "12" } }
await homing.sendPasswordResetEmail("a", settings)
await homing.sendEmailVerification(null)
const { user, isNewUser } = await homing.signInWithEmailLink("a")
const texts: (string | null)[] = [user.email, await homing.getIdToken(), parseActionCodeURL("a")?.continueUrl ?? null]
await homing.updateProfile({ displayName: null })
const { claims, expirationTime } = await homing.getIdTokenResult(true)
const { isValid } = await homing.validatePassword("a")
await homing.setPersistence({ getItem: async () => null, setItem: async () => {}, removeItem: async () => {} })
await homing.reauthenticateWithEmailAndPassword("a", claims.role ?? `${isValid} ${expirationTime}`)
const link = parseActionCodeURL("a")
if (link) await homing.applyActionCode(link)
homing.tenantId = user.tenantId
const pending: PendingAction = await homing.sendSignInLinkToEmail("a", settings, { finishing: "anywhere" })
for await (const state of pending.states) if (state === "declined") pending.cancel()
const reset = await homing.sendPasswordResetEmail("a", null, { finishing: "anywhere" })
const { code } = await reset.finish(pending.matchNumber)
if (code) await homing.confirmPasswordReset(code, "b")
const tell = (state: PendingState) => console.log(state, pending.expiresAt.getTime())
const end: () => void = homing.pendingActions()[0].onState(tell)
const begun: string | null | undefined = (await homing.pendingAction())?.continueUrl
if (await pending.result().then(({ isNewUser }) => isNewUser)) location.href = begun ?? homing.elsewhereURL()
const { operation, data } = await homing.checkActionCode("a")
if (operation === "VERIFY_EMAIL" && isNewUser) console.log(data.previousEmail, texts, stop)
homing.reload().catch((error: unknown) => error instanceof HomingError && error.code.startsWith("auth/"))

// @ts-expect-error
Homing({})
// @ts-expect-error
Homing({ apiKey: "k", storage: "cookie" })
// @ts-expect-error
homing.setPersistence({ getItem: () => 7 })
// @ts-expect-error
homing.currentUser = null
// @ts-expect-error
user.emailVerified = true
// @ts-expect-error
homing.sendPasswordResetEmail("a", { android: { installApp: true } })
// @ts-expect-error
homing.signInWithEmailAndPassword("a")
// @ts-expect-error
homing.sendPasswordResetEmail("a").then(pending => pending.matchNumber)
// @ts-expect-error
homing.sendEmailVerification(null, { finishing: "somewhere" })
// @ts-expect-error
parseActionCodeURL("a").code
"""

TYPED_BESIDE = """
import { Homing, type PendingAction } from "homing-auth"
import { getAuth, initializeApp, onAuthStateChanged, sendPasswordResetEmail, type User } from "homing-auth/firebase-auth"
import { useSignIn, useUser } from "homing-auth/react"
import "homing-auth/sign-in"

const homing = Homing({ apiKey: "k", url: "https://auth.example.com" })
const auth = getAuth(initializeApp({ apiKey: "k", authDomain: "auth.example.com", projectId: "p" }))
const stop: () => void = onAuthStateChanged(auth, (user: User | null) => console.log(user?.providerData[0]?.uid))
const pending: PendingAction = await sendPasswordResetEmail(auth, "a", null, { finishing: "anywhere" })
const email: string | null | undefined = useUser(homing)?.email
const { step, mailLink } = useSignIn(homing)
if (step === "form") await mailLink(email ?? pending.matchNumber).then(stop)
const form = document.querySelector("homing-sign-in")
if (form) form.homing = homing
// @ts-expect-error
sendPasswordResetEmail("a")
// @ts-expect-error
if (step === "nowhere") stop()
"""


def test_typescript_takes_what_is_right_and_refuses_what_is_wrong(app):
    (app / "app.ts").write_text(TYPED)
    (app / "beside.ts").write_text(TYPED_BESIDE)
    options = "--noEmit --strict --target es2022 --module node16 --moduleResolution node16 --lib es2022,dom".split()
    run("node", TYPESCRIPT, *options, "app.ts", "beside.ts", folder=app)
