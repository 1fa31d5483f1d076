// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
import {call, dressPage, element, offerSignIn, say, session, whoIsHere} from "/assets/homing.js";

const plan = () => document.querySelector("input[name=plan]:checked").value;

/** The chosen plan lives in the address, so that every way back carries it. */
function here() {
    const place = new URL(location.href);
    place.searchParams.set("plan", plan());
    return place.href;
}

async function show() {
    const reader = await whoIsHere();
    dressPage();
    element("verify").hidden = !reader || reader.emailVerified === true;
    element("confirm").hidden = !reader || reader.emailVerified !== true;
    if (!reader) return offerSignIn(here, show);
    element("address").textContent = reader.email;
    element("chosen").textContent = plan();
}

const asked = new URLSearchParams(location.search).get("plan");
const boxes = [...document.querySelectorAll("input[name=plan]")];
(boxes.find((box) => box.value === asked) ?? boxes[0]).checked = true;
element("plans").onchange = () => {
    history.replaceState(null, "", here());
    element("chosen").textContent = plan();
};
element("sendverify").onclick = async () => {
    try {
        await call("sendOobCode", {requestType: "VERIFY_EMAIL", idToken: session.token, continueUrl: here()});
        say("verifysaid", "The email is on its way.");
    } catch (error) {
        say("verifysaid", error.message, true);
    }
};
element("subscribe").onclick = async () => {
    const answer = await fetch("/api/subscriptions", {
        method: "POST", headers: {Authorization: `Bearer ${session.token}`}, body: JSON.stringify({plan: plan()}),
    });
    const document = await answer.json();
    element("confirm").hidden = answer.ok;
    element("done").hidden = false;
    element("thanks").textContent = answer.ok ? `The ${document.plan} plan is yours, ${document.email}.` : document.error;
};
await show();
