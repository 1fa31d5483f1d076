# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Strangers who were there first and thieves who were there once: the owner's proof ends it, and the owner hears."""

import concurrent.futures

import pytest
import requests
from world.operator import rows
from world.project import PASSWORD, new_address
from world.racing import race
from world.waiting import until

THIEF = "the thief's 123"
OWNER = "the owner's 456"


def moved(project, sink, account, address):
    """Changes the account's address by its mailed code; the recovery mail that its former address gets."""
    project.send_change(account["idToken"], address)
    project.ask("update", {"oobCode": sink.wait_for(address, "verifyAndChangeEmail").code("verifyAndChangeEmail")})
    return project.sign_in(address, PASSWORD).json()


def proven(project):
    """A person with a proven address, signed in."""
    reader = project.sign_up(new_address("owner"))
    project.ask("update", {"oobCode": project.link("VERIFY_EMAIL", reader["email"])[1]})
    return project.sign_in(reader["email"], PASSWORD).json()


def ways_back(project, sink, address):
    """The codes of the recovery mails that `address` has got, once no mail is under way."""
    until(lambda: "queued" not in {row["state"] for row in rows(project.homing.told("mail", "list"))}, "all is mailed")
    return [mail.code("recoverEmail") for mail in sink.to(address) if mail.has_link("recoverEmail")]


def reset_by_the_owner(project, address, password=OWNER):
    project.ask("resetPassword", {"oobCode": project.link("PASSWORD_RESET", address)[1], "newPassword": password})


def test_a_strangers_way_back_ends_with_the_victims_first_proof(project, sink):
    first, second, victim = new_address("stranger"), new_address("stranger"), new_address("victim")
    stranger = project.sign_up(first)
    stranger = moved(project, sink, stranger, second)
    # However the stranger gets the victim's address onto the account that they prepared, if at all:
    token = stranger["idToken"]
    for step in ({"deleteAttribute": ["EMAIL", "PASSWORD"]}, {"email": victim, "password": THIEF}):
        answer = project.post("update", {"idToken": token, "returnSecureToken": True} | step)
        token = answer.json().get("idToken", token)
    if not project.can_sign_in(victim, THIEF):
        project.sign_up(victim, THIEF)
    recovery = ways_back(project, sink, first) + ways_back(project, sink, second)
    assert recovery, "the stranger has prepared something"

    reset_by_the_owner(project, victim)
    owner = project.sign_in(victim, OWNER).json()
    for code in recovery:
        project.post("update", {"oobCode": code})
    assert not project.can_sign_in(victim, THIEF)
    assert project.can_sign_in(victim, OWNER), "nobody who was there before takes it back"

    further = new_address("victim")
    project.send_change(owner["idToken"], further)
    project.ask("update", {"oobCode": sink.wait_for(further, "verifyAndChangeEmail").code("verifyAndChangeEmail")})
    assert len(ways_back(project, sink, victim)) == 1, "the way back is the owner's"
    assert ways_back(project, sink, first) + ways_back(project, sink, second) == recovery, "and nobody else's"


def test_a_change_that_a_thief_asked_for_dies_with_the_owners_reset(project, sink):
    owner, target = proven(project), new_address("thief")
    project.send_change(owner["idToken"], target)
    code = sink.wait_for(target, "verifyAndChangeEmail").code("verifyAndChangeEmail")
    reset_by_the_owner(project, owner["email"])
    assert project.refused("update", {"oobCode": code}) == "INVALID_OOB_CODE"
    assert project.can_sign_in(owner["email"], OWNER)


REMEDIES = {
    "a new password": {"password": "set by the back end 1"}, "no password": {"deleteAttribute": ["PASSWORD"]},
    "revoked tokens": {"validSince": "1700000000"}, "a closed account": {"disableUser": True},
}


@pytest.mark.parametrize("remedy", REMEDIES)
def test_a_change_that_a_thief_asked_for_dies_with_what_the_operator_does(project, sink, remedy):
    owner, target = proven(project), new_address("thief")
    project.send_change(owner["idToken"], target)
    code = sink.wait_for(target, "verifyAndChangeEmail").code("verifyAndChangeEmail")
    project.admin_ask(":update", {"localId": owner["localId"]} | REMEDIES[remedy])
    project.admin_ask(":update", {"localId": owner["localId"], "disableUser": False})
    assert project.refused("update", {"oobCode": code}) == "INVALID_OOB_CODE"
    assert project.admin_ask(":lookup", {"localId": [owner["localId"]]})["users"][0]["email"] == owner["email"]


def test_a_back_ends_new_address_leaves_a_change_alive_that_somebody_has_asked_for(project, sink):
    # As in production: such a code belongs to the account, not to the address.
    owner, target = proven(project), new_address("target")
    project.send_change(owner["idToken"], target)
    code = sink.wait_for(target, "verifyAndChangeEmail").code("verifyAndChangeEmail")
    project.admin_ask(":update", {"localId": owner["localId"], "email": new_address("between")})
    assert project.ask("update", {"oobCode": code})["email"] == target


@pytest.mark.parametrize("operation", [":delete", ":batchDelete"])
def test_whom_the_operator_deletes_no_link_brings_back(project, operation):
    reader = project.sign_up()
    app = {"continueUrl": "https://good.example/", "canHandleCodeInApp": True}
    _, code = project.link("EMAIL_SIGNIN", reader["email"], **app)
    body = {"localId": reader["localId"]} if operation == ":delete" else {"localIds": [reader["localId"]], "force": True}
    project.admin_ask(operation, body)
    assert project.refused("signInWithEmailLink", {"email": reader["email"], "oobCode": code}) == "INVALID_OOB_CODE"


def test_an_address_that_is_dropped_or_replaced_by_a_link_has_a_way_back(project, sink):
    dropped = proven(project)
    answer = project.post("update", {"idToken": dropped["idToken"], "deleteAttribute": ["EMAIL", "PASSWORD"]})
    if answer.status_code == 200:
        sink.wait_for(dropped["email"], "recoverEmail")
    replaced, target = proven(project), new_address("thief")
    _, code = project.link("EMAIL_SIGNIN", target, continueUrl="https://good.example/", canHandleCodeInApp=True)
    body = {"email": target, "oobCode": code, "idToken": replaced["idToken"]}
    if project.post("signInWithEmailLink", body).status_code == 200:
        recovery = sink.wait_for(replaced["email"], "recoverEmail").code("recoverEmail")
        assert project.ask("update", {"oobCode": recovery})["email"] == replaced["email"]


def test_a_change_under_way_never_wins_over_the_owners_reset(project):
    for _ in range(4):
        owner = proven(project)
        code = project.link("PASSWORD_RESET", owner["email"])[1]
        attacks = [{"idToken": owner["idToken"], "password": f"{THIEF}{number}"} for number in range(12)]
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            racing = pool.submit(race, project.url("update"), attacks)
            answer = project.post("resetPassword", {"oobCode": code, "newPassword": OWNER})
            racing.result()
        # A change that came first and was durable may have ended the code; then the owner was told so.
        if answer.status_code == 200:
            assert project.can_sign_in(owner["email"], OWNER), "the owner was told that this is the password now"


def test_a_thiefs_session_does_not_outlive_the_reset(project):
    owner = proven(project)
    reset_by_the_owner(project, owner["email"])
    for body in ({"password": THIEF}, {"displayName": "thief"}, {"deleteProvider": ["password"]}):
        assert project.refused("update", {"idToken": owner["idToken"]} | body) == "TOKEN_EXPIRED"
    assert project.refused("delete", {"idToken": owner["idToken"]}) == "TOKEN_EXPIRED"
    change = {"requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": owner["idToken"], "newEmail": new_address()}
    assert project.refused("sendOobCode", change) == "TOKEN_EXPIRED"


def common(text, *addresses):
    """What a notice says but for the addresses in it and the minute."""
    for address in addresses:
        text = text.replace(address, "")
    return [line for line in text.splitlines() if not line.startswith("When:")]


def test_the_askers_own_mailbox_does_not_tell_whether_an_address_is_taken(project, sink):
    taken = project.sign_up()["email"]
    heard = []
    for target in (taken, new_address("free")):
        asker = proven(project)
        project.send_change(asker["idToken"], target)
        assert ways_back(project, sink, asker["email"]) == []
        mails = sink.to(asker["email"])
        heard.append([(mail.subject.partition(" (")[0], common(mail.text, asker["email"], target)) for mail in mails])
    assert heard[0] == heard[1] and len(heard[0]) == 1


def test_addresses_cannot_be_tried_out_through_an_anonymous_account(fresh):
    homing = fresh(HOMING_LIMIT_SIGNUP_PER_IP_HOUR="4").start()
    project = homing.project()
    anonymous = project.ask("signUp", {"returnSecureToken": True})["idToken"]
    taken = project.admin_ask("", {"email": new_address(), "password": PASSWORD})["email"]
    body = {"idToken": anonymous, "email": taken, "password": PASSWORD}
    said = [project.refused("signUp", body) for _ in range(6)]
    assert project.refused("update", body) in ("OPERATION_NOT_ALLOWED", "TOO_MANY_ATTEMPTS_TRY_LATER")
    assert set(said) == {"EMAIL_EXISTS", "TOO_MANY_ATTEMPTS_TRY_LATER"} and said[-1] != "EMAIL_EXISTS"


def test_an_address_that_nobody_has_proven_cannot_be_bombed_with_notices(fresh, sink):
    homing = fresh(smtp_url=sink.url, HOMING_LIMIT_MAIL_PER_ADDRESS_HOUR="5").start()
    project = homing.project()
    victim = new_address("bombed")
    token = project.sign_up(victim)["idToken"]
    for number in range(12):
        answer = project.post("update", {"idToken": token, "password": f"one after another {number}"})
        token = answer.json().get("idToken", token)
    for _ in range(12):
        project.post(
            "sendOobCode", {"requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": token, "newEmail": new_address()}
        )
    assert ways_back(project, sink, victim) == []
    assert len(sink.to(victim)) <= 5, f"{len(sink.to(victim))} mails to somebody who never asked for one"


def test_claims_with_keys_that_look_alike_do_not_kill_the_server(project, homing):
    reader = project.sign_up()
    claims = '{"a":{"\\u00e9":1,"e\\u0301":2}}'
    project.admin_post(":update", {"localId": reader["localId"], "customAttributes": claims})
    assert project.can_sign_in(reader["email"], PASSWORD)
    assert requests.get(f"{homing.public}/healthz", timeout=30).status_code == 200


# --- what somebody else's act must not take away ----------------------------------------------------------------------


@pytest.mark.parametrize("asking", ["the session that signed up", "another one"])
def test_a_verification_takes_nobodys_password_and_ends_no_session(project, sink, asking):
    first = project.sign_up(new_address("verified"))
    second = project.sign_in(first["email"], PASSWORD).json()
    project.send_verification((first if asking.startswith("the") else second)["idToken"])
    code = sink.wait_for(first["email"], "verifyEmail").code("verifyEmail")
    assert project.ask("update", {"oobCode": code})["emailVerified"] is True
    assert project.can_sign_in(first["email"], PASSWORD)
    for session in (first, second):
        assert project.lookup(session["idToken"])["emailVerified"] is True
        assert project.refresh(session["refreshToken"]).status_code == 200


def stolen(project, sink):
    """An account whose address a thief has changed: the owner's address and way back, the thief's address and session."""
    owner, target = proven(project), new_address("thief")
    thief = moved(project, sink, owner, target)
    return owner, sink.wait_for(owner["email"], "recoverEmail").code("recoverEmail"), target, thief


@pytest.mark.parametrize("leaves", [True, False], ids=["and leaves", "and stays"])
def test_a_squatter_on_the_freed_address_does_not_stand_in_the_way_back(project, sink, leaves):
    owner, recovery, _, _ = stolen(project, sink)
    squatter = project.sign_up(owner["email"], THIEF)
    if leaves:
        project.ask("delete", {"idToken": squatter["idToken"]})
    assert project.ask("update", {"oobCode": recovery})["email"] == owner["email"]
    assert not project.can_sign_in(owner["email"], THIEF)
    reset_by_the_owner(project, owner["email"])
    home = project.sign_in(owner["email"], OWNER).json()
    assert home["localId"] == owner["localId"], "it is the account that was stolen, and no other"


def test_whoever_has_proven_the_freed_address_keeps_it(project, sink):
    owner, recovery, _, _ = stolen(project, sink)
    second = project.sign_up(owner["email"], OWNER)
    project.ask("update", {"oobCode": project.link("VERIFY_EMAIL", owner["email"])[1]})
    assert project.refused("update", {"oobCode": recovery}) == "EMAIL_EXISTS"
    assert project.sign_in(owner["email"], OWNER).json()["localId"] == second["localId"]


@pytest.mark.parametrize("proof", ["PASSWORD_RESET", "EMAIL_SIGNIN", "VERIFY_EMAIL"])
def test_no_proof_of_the_thiefs_address_ends_the_way_back(homing, sink, proof):
    project = homing.project(
        f"open-{proof.lower().replace('_', '-')}",
        settings={"emailPrivacyConfig.enableImprovedEmailPrivacy": "false"},
    )
    owner, target = proven(project), new_address("thief")
    project.ask("update", {"idToken": owner["idToken"], "email": target})
    recovery = sink.wait_for(owner["email"], "recoverEmail").code("recoverEmail")
    app = {"continueUrl": "https://good.example/", "canHandleCodeInApp": True} if proof == "EMAIL_SIGNIN" else {}
    _, code = project.link(proof, target, **app)
    if proof == "PASSWORD_RESET":
        project.ask("resetPassword", {"oobCode": code, "newPassword": THIEF})
    elif proof == "EMAIL_SIGNIN":
        project.ask("signInWithEmailLink", {"oobCode": code, "email": target})
    else:
        project.ask("update", {"oobCode": code})
    assert project.ask("update", {"oobCode": recovery})["email"] == owner["email"]
    assert not project.can_sign_in(target, THIEF) and not project.can_sign_in(owner["email"], THIEF)


def test_whoever_deletes_an_account_ends_its_own_codes_only(project, sink):
    address = new_address("nobody")
    app = {"continueUrl": "https://good.example/", "canHandleCodeInApp": True}
    project.send_sign_in_link(address)
    code = sink.wait_for(address, "signIn").code("signIn")
    stranger = project.sign_up(address, THIEF)
    project.ask("delete", {"idToken": stranger["idToken"]})
    assert project.ask("signInWithEmailLink", {"email": address, "oobCode": code})["isNewUser"] is True

    leaving = proven(project)
    codes = [project.link(kind, leaving["email"])[1] for kind in ("PASSWORD_RESET", "VERIFY_EMAIL")]
    codes.append(project.link("EMAIL_SIGNIN", leaving["email"], **app)[1])
    project.ask("delete", {"idToken": leaving["idToken"]})
    for code in codes:
        assert project.inspect(code) is None, "its own codes are over"
