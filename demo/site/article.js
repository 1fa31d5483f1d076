// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
import {dressPage, element, offerSignIn, say, session} from "/assets/homing.js";

const name = location.pathname.split("/").pop();
const cameBack = new URLSearchParams(location.search).has("at");

/** This very place: the query that was there, how far the reader had scrolled, and the letter in the fragment. */
function here() {
    const place = new URL(location.href);
    place.searchParams.set("at", Math.round(scrollY));
    return place.href;
}

async function open() {
    const headers = session.token ? {Authorization: `Bearer ${session.token}`} : {};
    const answer = await fetch(`/api/letters/${name}`, {headers});
    const letter = await answer.json();
    element("title").textContent = letter.title;
    document.title = `${letter.title} · Lighthouse Letters`;
    if (answer.status === 401) {
        session.end();
        dressPage();
        element("teaser").textContent = letter.teaser;
        element("teaser").hidden = false;
        offerSignIn(here, open);
        if (cameBack) say("said", "Welcome back. Sign in, and the letter opens where you left it.");
        return;
    }
    element("teaser").hidden = true;
    element("issue").textContent = letter.issue;
    element("letters").replaceChildren(...letter.letters.flatMap((part, index) => {
        const heading = document.createElement("h2");
        heading.id = `letter-${index + 1}`;
        heading.textContent = part.heading;
        heading.classList.toggle("here", location.hash === `#${heading.id}`);
        return [heading, ...part.text.map((text) => {
            const paragraph = document.createElement("p");
            paragraph.textContent = text;
            return paragraph;
        })];
    }));
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (target) target.scrollIntoView();
    else if (cameBack) scrollTo(0, Number(new URLSearchParams(location.search).get("at")));
}

dressPage();
await open();
