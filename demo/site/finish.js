// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
import {call, dressPage, element, say, session} from "/assets/homing.js";

const query = new URLSearchParams(location.search);
const code = query.get("oobCode");
const next = query.get("next");
// The code leaves the address bar before anything else happens.
history.replaceState(null, "", location.pathname);

/** Only back to this site: `next` came through an email and an address bar. */
function back() {
    try {
        const place = new URL(next, location.origin);
        return place.origin === location.origin ? place.href : "/";
    } catch {
        return "/";
    }
}

async function finish(email) {
    try {
        session.begin(await call("signInWithEmailLink", {email, oobCode: code}));
        location.replace(back());
    } catch (error) {
        say("said", error.message, true);
        element("ask").hidden = false;
    }
}

dressPage();
const asked = localStorage.getItem("asked");
element("ask").onsubmit = (event) => { event.preventDefault(); finish(element("email").value.trim()); };
if (query.get("mode") !== "signIn" || !code) {
    say("said", "This is where sign-in links lead. Ask for one at a letter.", true);
} else if (asked) {
    say("said", `As ${asked}…`);
    await finish(asked);
} else {
    say("said", "One question first.");
    element("ask").hidden = false;
}
