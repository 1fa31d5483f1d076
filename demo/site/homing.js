// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

// The site's side of Homing: plain fetch, no library.
export const settings = await (await fetch("/settings.json")).json();

export class Refused extends Error {}

const sentences = {
    INVALID_LOGIN_CREDENTIALS: "That address and password do not belong together.",
    INVALID_EMAIL: "That is not an email address we can write to.",
    EMAIL_EXISTS: "There is an account with that address already.",
    MISSING_PASSWORD: "Please type a password.",
    WEAK_PASSWORD: "Please choose a password of at least 6 characters.",
    TOO_MANY_ATTEMPTS_TRY_LATER: "That was a lot of tries. Please wait a little.",
    INVALID_OOB_CODE: "That link was used already. Ask for a new one.",
    EXPIRED_OOB_CODE: "That link is too old. Ask for a new one.",
    TOKEN_EXPIRED: "Please sign in again.",
};

export async function call(operation, body) {
    const answer = await fetch(
        `${settings.homing}/identitytoolkit.googleapis.com/v1/accounts:${operation}?key=${encodeURIComponent(settings.apiKey)}`,
        {
            method: "POST",
            headers: {"Content-Type": "application/json", "X-Firebase-Locale": navigator.language},
            body: JSON.stringify(body),
        });
    const document = await answer.json();
    if (!answer.ok) {
        const code = document.error.message.split(" : ")[0];
        throw new Refused(sentences[code] ?? document.error.message);
    }
    return document;
}

export const session = {
    get token() { return localStorage.getItem("token"); },
    get email() { return localStorage.getItem("email"); },
    begin(answer) {
        localStorage.setItem("token", answer.idToken);
        localStorage.setItem("email", answer.email);
    },
    end() {
        localStorage.removeItem("token");
        localStorage.removeItem("email");
    },
};

export async function whoIsHere() {
    if (!session.token) return null;
    try {
        return (await call("lookup", {idToken: session.token})).users[0];
    } catch {
        session.end();
        return null;
    }
}

export const element = (id) => document.getElementById(id);

export function say(id, text, isBad = false) {
    const note = element(id);
    note.textContent = text;
    note.classList.toggle("bad", isBad);
    note.hidden = false;
}

export function dressPage() {
    element("mailbox").href = settings.mailbox;
    element("report").href = `${settings.linkDomain}/keeper?d=1`;
    element("who").textContent = session.email ?? "";
    element("leave").hidden = !session.token;
    element("leave").onclick = () => { session.end(); location.reload(); };
}

/** The sign-in card. `here` is where every email that it asks for leads back to, state included. */
export function offerSignIn(here, then) {
    element("wall").hidden = false;
    element("email").value = localStorage.getItem("asked") ?? "";
    element("signin").onsubmit = async (event) => {
        event.preventDefault();
        const email = element("email").value.trim();
        const password = element("password").value;
        localStorage.setItem("asked", email);
        try {
            switch (event.submitter?.value ?? "signin") {
            case "reset":
                await call("sendOobCode", {requestType: "PASSWORD_RESET", email, continueUrl: here()});
                return say("said", `If ${email} is a reader, an email is on its way. Its Continue button leads back to this page.`);
            case "link": {
                const finish = `${location.origin}/finish?next=${encodeURIComponent(here())}`;
                await call("sendOobCode", {requestType: "EMAIL_SIGNIN", email, continueUrl: finish, canHandleCodeInApp: true});
                return say("said", `A link for ${email} is on its way. It signs you in and opens this page.`);
            }
            case "signup":
                session.begin(await call("signUp", {email, password, returnSecureToken: true}));
                break;
            default:
                session.begin(await call("signInWithPassword", {email, password, returnSecureToken: true}));
            }
            element("wall").hidden = true;
            dressPage();
            await then();
        } catch (error) {
            say("said", error.message, true);
        }
    };
}
