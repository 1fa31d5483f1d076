# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Ways that apps and back ends go, in either program; each request and each answer is held against Google's schemas."""

import base64
import hashlib

from .project import PASSWORD, new_address

SETTINGS = {
    "continueUrl": "https://good.example/cart?step=2",
    "iOSBundleId": "com.example.lighthouse",
    "androidPackageName": "com.example.android",
    "androidInstallApp": True,
    "androidMinimumVersion": "12",
}
IN_APP = SETTINGS | {"canHandleCodeInApp": True}
NEW = "another horse 2"


def app(world, name, body=None, **query):
    return world.app.call(f"identitytoolkit.{name}", body, query)


def back(world, name, body=None, **query):
    return world.back.call(f"identitytoolkit.projects.{name}", body, query)


def tokens_of(answer):
    assert answer["expiresIn"] == "3600" and answer["refreshToken"]
    return answer["idToken"]


def an_app_goes_from_sign_up_to_deletion(world):
    address = new_address()
    made = app(world, "accounts.signUp", {"email": address, "password": PASSWORD, "returnSecureToken": True})
    token = tokens_of(made)
    profile = {"displayName": "Ann", "photoUrl": "https://good.example/ann.png"}
    changed = app(world, "accounts.update", {"idToken": token, "returnSecureToken": True} | profile)
    assert profile.items() <= changed.items()
    [user] = app(world, "accounts.lookup", {"idToken": token})["users"]
    assert user["email"] == address and user["providerUserInfo"][0]["providerId"] == "password"
    changed = app(world, "accounts.update", {"idToken": token, "deleteAttribute": ["PHOTO_URL"], "password": NEW})
    assert "photoUrl" not in changed
    signed_in = app(world, "accounts.signInWithPassword", {"email": address, "password": NEW, "returnSecureToken": True})
    assert signed_in["registered"] is True and signed_in["localId"] == made["localId"]
    renewed = world.app.call("securetoken.token", {"grantType": "refresh_token", "refreshToken": signed_in["refreshToken"]})
    assert renewed["user_id"] == made["localId"] and renewed["id_token"] == renewed["access_token"]
    app(world, "accounts.delete", {"idToken": renewed["id_token"]})


def somebody_without_a_name_gets_one(world):
    nobody = app(world, "accounts.signUp", {"returnSecureToken": True})
    address = new_address()
    body = {"idToken": tokens_of(nobody), "email": address, "password": PASSWORD, "returnSecureToken": True}
    upgraded = app(world, "accounts.signUp", body)
    assert upgraded["localId"] == nobody["localId"] and upgraded["email"] == address
    asked = {"identifier": address, "continueUri": "http://localhost"}
    assert app(world, "accounts.createAuthUri", asked)["sessionId"]
    back(world, "updateConfig", {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": False}},
         updateMask="emailPrivacyConfig.enableImprovedEmailPrivacy")  # fmt: skip
    told = app(world, "accounts.createAuthUri", asked)
    assert told["registered"] is True and told["signinMethods"] == ["password"]
    on = {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": True}}
    assert back(world, "updateConfig", on)["emailPrivacyConfig"] == on["emailPrivacyConfig"]


def an_app_asks_for_every_kind_of_mail(world):
    person = world.person()
    token, address = person["idToken"], person["email"]
    for kind, more in {
        "PASSWORD_RESET": {"email": address} | SETTINGS,
        "EMAIL_SIGNIN": {"email": address} | IN_APP,
        "VERIFY_EMAIL": {"idToken": token} | SETTINGS,
        "VERIFY_AND_CHANGE_EMAIL": {"idToken": token, "newEmail": new_address()} | SETTINGS,
    }.items():
        asked = {"requestType": kind, "clientType": "CLIENT_TYPE_WEB"} | more
        assert app(world, "accounts.sendOobCode", asked)["email"] == address


def every_kind_of_code_is_looked_at_and_used(world):
    person = world.person()
    address = person["email"]
    codes = {kind: world.code(kind, address, **IN_APP) for kind in ("PASSWORD_RESET", "EMAIL_SIGNIN", "VERIFY_EMAIL")}
    for kind, code in codes.items():
        assert app(world, "accounts.resetPassword", {"oobCode": code})["requestType"] == kind
    assert app(world, "accounts.update", {"oobCode": codes["VERIFY_EMAIL"]})["emailVerified"] is True
    reset = app(world, "accounts.resetPassword", {"oobCode": codes["PASSWORD_RESET"], "newPassword": NEW})
    assert reset["email"] == address
    answer = app(world, "accounts.signInWithEmailLink", {"email": address, "oobCode": codes["EMAIL_SIGNIN"]})
    assert answer["isNewUser"] is False and answer["localId"] == person["localId"]
    target = new_address()
    asked = {"requestType": "VERIFY_AND_CHANGE_EMAIL", "email": address, "newEmail": target, "returnOobLink": True}
    code = back(world, "accounts.sendOobCode", asked | SETTINGS)["oobCode"]
    assert app(world, "accounts.resetPassword", {"oobCode": code})["newEmail"] == target
    changed = app(world, "accounts.update", {"oobCode": code})
    assert changed["email"] == changed["newEmail"] == target


def a_back_end_signs_somebody_in(world):
    name = new_address().split("@")[0]
    token = world.custom_token(name, role="keeper")
    answer = app(world, "accounts.signInWithCustomToken", {"token": token, "returnSecureToken": True})
    assert answer["isNewUser"] is True
    [user] = app(world, "accounts.lookup", {"idToken": tokens_of(answer)})["users"]
    assert user["localId"] == name and user["customAuth"] is True
    assert back(world, "createSessionCookie", {"idToken": answer["idToken"]})["sessionCookie"].count(".") == 2


def a_back_end_keeps_people_with_all_they_have(world):
    address, number = new_address(), "+4930" + new_address().split("@")[0].removeprefix("reader").zfill(6)
    made = back(world, "accounts", {"email": address, "phoneNumber": number, "photoUrl": "https://good.example/b.png",
                                    "disabled": True, "emailVerified": True, "displayName": "Bob"})  # fmt: skip
    identity = {"providerId": "google.com", "rawId": f"g-{address}", "email": address, "displayName": "Bob"}
    body = {"localId": made["localId"], "linkProviderUserInfo": identity, "customAttributes": '{"role":"keeper"}',
            "disableUser": False, "validSince": "1500000000"}  # fmt: skip
    changed = back(world, "accounts.update", body)
    assert {entry["providerId"] for entry in changed["providerUserInfo"]} >= {"google.com", "phone"}
    for how in ({"localId": [made["localId"]]}, {"email": [address]}, {"phoneNumber": [number]},
                {"federatedUserId": [{"providerId": "google.com", "rawId": f"g-{address}"}]}):  # fmt: skip
        [user] = back(world, "accounts.lookup", how)["users"]
        assert user["customAttributes"] == '{"role":"keeper"}' and user["phoneNumber"] == number
    unlinked = back(world, "accounts.update", {"localId": made["localId"], "deleteProvider": ["google.com", "phone"]})
    assert "google.com" not in str(unlinked.get("providerUserInfo"))
    assert "users" not in back(world, "accounts.lookup", {"localId": ["nobody"]})


def a_back_end_moves_many(world):
    names = [new_address().split("@")[0] for _ in range(3)]
    digest = base64.b64encode(hashlib.sha256(b"salt" + PASSWORD.encode()).digest()).decode()
    hashed = {"passwordHash": digest, "salt": base64.b64encode(b"salt").decode()}
    users = [{"localId": name, "email": f"{name}@people.example", "displayName": name} | hashed for name in names]
    users.append({"localId": f"{names[0]}-more", "email": "no address"})
    how = {"hashAlgorithm": "SHA256", "rounds": 1, "passwordHashOrder": "SALT_AND_PASSWORD"}
    answer = back(world, "accounts.batchCreate", {"users": users} | how)
    assert [error["index"] for error in answer["error"]] == [3]
    page, listed = None, []
    while page is not None or not listed:
        answer = back(world, "accounts.batchGet", maxResults=2, **({"nextPageToken": page} if page else {}))
        listed += [user["localId"] for user in answer.get("users", [])]
        page = answer.get("nextPageToken")
        if page is None:
            break
    assert set(names) <= set(listed)
    assert int(back(world, "accounts.query", {"returnUserInfo": False})["recordsCount"]) == len(listed)
    found = back(world, "accounts.query", {"sortBy": "USER_ID", "order": "ASC"})
    assert [user["localId"] for user in found["userInfo"]] == listed
    refused = back(world, "accounts.batchDelete", {"localIds": names, "force": False})
    assert [error["localId"] for error in refused["errors"]] == names
    assert back(world, "accounts.batchDelete", {"localIds": names, "force": True}) == {}


def apples_client_speaks_version_3(world):
    def ask(name, body):
        return app(world, f"relyingparty.{name}", body)

    address = new_address()
    made = ask("signupNewUser", {"email": address, "password": PASSWORD, "returnSecureToken": True})
    picture = "https://good.example/ann.png"
    ask("setAccountInfo", {"idToken": tokens_of(made), "photoUrl": picture, "returnSecureToken": True})
    signed_in = ask("verifyPassword", {"email": address, "password": PASSWORD, "returnSecureToken": True})
    [user] = ask("getAccountInfo", {"idToken": tokens_of(signed_in)})["users"]
    assert user["photoUrl"] == picture
    ask("getOobConfirmationCode", {"requestType": "VERIFY_EMAIL", "idToken": signed_in["idToken"]} | IN_APP)
    code = world.code("VERIFY_EMAIL", address)
    assert ask("resetPassword", {"oobCode": code})["requestType"] == "VERIFY_EMAIL"
    assert ask("setAccountInfo", {"oobCode": code})["emailVerified"] is True
    code = world.code("PASSWORD_RESET", address)
    assert ask("resetPassword", {"oobCode": code, "newPassword": NEW})["email"] == address
    assert ask("verifyPassword", {"email": address, "password": NEW, "returnSecureToken": True})["registered"] is True


def the_command_line_takes_everybody_away(world):
    """Among them somebody who has signed in by a link, and somebody whose address has changed."""
    every_kind_of_code_is_looked_at_and_used(world)
    world.person()
    everybody = world.back.call(
        "identitytoolkit.relyingparty.downloadAccount", {"targetProjectId": world.project, "maxResults": 1000}
    )
    assert any(user.get("emailLinkSignin") for user in everybody["users"]) and "nextPageToken" not in everybody


def tenants_are_looked_after(world):
    open_doors = {"displayName": "Harbour", "allowPasswordSignup": True, "enableEmailLinkSignin": True}
    made = back(world, "tenants.create", open_doors)
    inside = world.within(made["name"].split("/")[-1])
    person = inside.person()
    assert inside.operation(".lookup", {"localId": [person["localId"]]})["users"][0]["tenantId"] == inside.tenant
    assert "users" not in back(world, "accounts.lookup", {"localId": [person["localId"]]})
    code = inside.code("PASSWORD_RESET", person["email"])
    app(world, "accounts.resetPassword", {"oobCode": code, "newPassword": NEW, "tenantId": inside.tenant})


OF_BOTH = [
    an_app_goes_from_sign_up_to_deletion, somebody_without_a_name_gets_one, an_app_asks_for_every_kind_of_mail,
    every_kind_of_code_is_looked_at_and_used, a_back_end_signs_somebody_in, a_back_end_keeps_people_with_all_they_have,
    a_back_end_moves_many, apples_client_speaks_version_3, the_command_line_takes_everybody_away,
    tenants_are_looked_after,
]  # fmt: skip


def an_operator_sets_a_project_up(world):
    """Of `homing` alone: the emulator has three settings."""
    template = {"subject": "A new password", "body": "Hello,\n\n%LINK%\n", "bodyFormat": "PLAIN_TEXT",
                "senderLocalPart": "keys"}  # fmt: skip
    options = {"minPasswordLength": 8, "containsNumericCharacter": True}
    policy = {"passwordPolicyEnforcementState": "ENFORCE", "passwordPolicyVersions": [{"customStrengthOptions": options}]}
    body = {
        "signIn": {"email": {"enabled": True, "passwordRequired": False}, "anonymous": {"enabled": True}},
        "notification": {"sendEmail": {"callbackUri": "https://good.example/act", "resetPasswordTemplate": template}},
        "passwordPolicyConfig": policy,
        "authorizedDomains": ["localhost", "good.example"],
    }
    told = back(world, "updateConfig", body)
    assert template.items() <= told["notification"]["sendEmail"]["resetPasswordTemplate"].items()
    assert back(world, "getConfig") == told
    client = app(world, "getPasswordPolicy")
    assert options.items() <= client["customStrengthOptions"].items() and client["enforcementState"] == "ENFORCE"
    back(world, "updateConfig", {}, updateMask="notification.sendEmail,passwordPolicyConfig.passwordPolicyVersions")
