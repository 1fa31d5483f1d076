// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
import {dressPage, element, say, session, settings} from "/assets/homing.js";

// The server's own module, which keeps the request's secret and waits: docs/web.md.
const {Homing} = await import(`${settings.homing}/__/homing/1/homing.js`);
const homing = Homing({apiKey: settings.apiKey, url: settings.homing, languageCode: navigator.language});
let pending;

function show(part) {
    for (const id of ["wall", "waiting", "done"]) element(id).hidden = id !== part;
}

/** The site keeps the session itself, as on its other pages. */
async function welcome({email}) {
    session.begin({idToken: await homing.getIdToken(), email});
    await homing.signOut();
    element("said").hidden = true;
    dressPage();
    show("done");
}

/** However the email is finished, this comes to an end. */
async function wait(request) {
    pending = request;
    element("address").textContent = request.email;
    element("number").textContent = request.matchNumber;
    element("code").value = "";
    show("waiting");
    try {
        const {user} = await request.result();
        // Where another tab of this browser was quicker, it has the session.
        if (user) await welcome(user);
        else location.reload();
    } catch (error) {
        if (error.code !== "auth/wait-cancelled") say("said", error.message, true);
        show("wall");
    }
}

element("ask").onsubmit = async (event) => {
    event.preventDefault();
    const email = element("email").value.trim();
    localStorage.setItem("asked", email);
    try {
        const place = `${location.origin}/anywhere`;
        const request = await homing.sendSignInLinkToEmail(email, {url: place}, {finishing: "anywhere"});
        element("said").hidden = true;
        await wait(request);
    } catch (error) {
        say("said", error.message, true);
    }
};
element("typed").onsubmit = async (event) => {
    event.preventDefault();
    try {
        await pending.finish(element("code").value);
    } catch (error) {
        // What ended the request is said already.
        if (!element("waiting").hidden) say("said", error.message, true);
    }
};
element("again").onclick = () => pending.cancel();

/** The link was opened in a browser and led here: where it was asked for, no question is asked. */
async function finish(link) {
    try {
        const {user} = await homing.signInWithEmailLink(null, link);
        await welcome(user);
    } catch (error) {
        if (error.code === "auth/missing-code-verifier") location.replace(homing.elsewhereURL(link));
        else say("said", error.message, true);
    }
}

dressPage();
document.querySelector("a.mailbox").href = settings.mailbox;
element("email").value = localStorage.getItem("asked") ?? "";
const link = location.href;
// The code leaves the address bar before anything else happens.
history.replaceState(null, "", location.pathname);
const [known] = homing.pendingActions();
if (homing.isSignInWithEmailLink(link)) await finish(link);
else if (session.token) show("done");
else if (known) await wait(known);
