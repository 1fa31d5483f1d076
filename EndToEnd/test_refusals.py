# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Every operation's refusals, in the order in which it checks, with the codes that Firebase's clients know."""

import pytest
import requests
from world.envelope import envelope
from world.project import PASSWORD

UNKNOWN_CODE = "A" * 54
SETTINGS = {"continueUrl": "https://good.example/"}


REFUSALS = [
    ("sendOobCode", {}, "MISSING_REQ_TYPE"),
    ("sendOobCode", {"requestType": "OOB_REQ_TYPE_UNSPECIFIED"}, "INVALID_REQ_TYPE"),
    ("sendOobCode", {"requestType": 0}, "INVALID_REQ_TYPE"),
    (
        "sendOobCode",
        {"requestType": "PASSWORD_RESET", "returnOobLink": True, "email": "a@b.example"},
        "INSUFFICIENT_PERMISSION",
    ),
    (
        "sendOobCode",
        {"requestType": "PASSWORD_RESET", "email": "a@b.example", "continueUrl": ""},
        "INVALID_CONTINUE_URI : Missing domain in continue url",
    ),
    (
        "sendOobCode",
        {"requestType": "PASSWORD_RESET", "email": "a@b.example", "continueUrl": "nowhere"},
        "INVALID_CONTINUE_URI",
    ),
    (
        "sendOobCode",
        {"requestType": "PASSWORD_RESET", "email": "a@b.example", "continueUrl": "https://evil.example/"},
        "UNAUTHORIZED_DOMAIN : Domain not allowlisted by project",
    ),
    (
        "sendOobCode",
        {"requestType": "PASSWORD_RESET", "email": "a@b.example", "canHandleCodeInApp": True},
        "MISSING_CONTINUE_URI",
    ),
    (
        "sendOobCode",
        {"requestType": "PASSWORD_RESET", "email": "a@b.example", **SETTINGS, "androidInstallApp": True},
        "MISSING_ANDROID_PACKAGE_NAME",
    ),
    (
        "sendOobCode",
        {"requestType": "PASSWORD_RESET", "email": "a@b.example", **SETTINGS, "androidMinimumVersion": "12"},
        "MISSING_ANDROID_PACKAGE_NAME",
    ),
    (
        "sendOobCode",
        {"requestType": "PASSWORD_RESET", "email": "a@b.example", **SETTINGS, "androidMinimumVersionCode": "12"},
        "MISSING_ANDROID_PACKAGE_NAME",
    ),
    (
        "sendOobCode",
        {"requestType": "PASSWORD_RESET", "email": "a@b.example", **SETTINGS, "iOSAppStoreId": "12345"},
        "MISSING_IOS_BUNDLE_ID",
    ),
    ("sendOobCode", {"requestType": "PASSWORD_RESET"}, "MISSING_EMAIL"),
    ("sendOobCode", {"requestType": "PASSWORD_RESET", "email": ""}, "MISSING_EMAIL"),
    ("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "no address"}, "INVALID_EMAIL"),
    ("sendOobCode", {"requestType": "EMAIL_SIGNIN"}, "MISSING_EMAIL"),
    ("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": "no address"}, "INVALID_EMAIL"),
    ("sendOobCode", {"requestType": "VERIFY_EMAIL", "idToken": ""}, "INVALID_ID_TOKEN"),
    ("sendOobCode", {"requestType": "VERIFY_EMAIL", "idToken": "x.y.z"}, "INVALID_ID_TOKEN"),
    ("sendOobCode", {"requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": "x.y.z"}, "MISSING_NEW_EMAIL"),
    (
        "sendOobCode",
        {"requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "no address", "idToken": "x"},
        "INVALID_NEW_EMAIL",
    ),
    ("sendOobCode", {"requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "n@people.example"}, "MISSING_ID_TOKEN"),
    (
        "sendOobCode",
        {"requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "n@people.example", "idToken": "x.y.z"},
        "INVALID_ID_TOKEN",
    ),
    ("resetPassword", {}, "MISSING_OOB_CODE"),
    ("resetPassword", {"oobCode": ""}, "MISSING_OOB_CODE"),
    ("resetPassword", {"oobCode": UNKNOWN_CODE}, "INVALID_OOB_CODE"),
    ("resetPassword", {"oobCode": "../../etc/passwd"}, "INVALID_OOB_CODE"),
    ("resetPassword", {"oobCode": UNKNOWN_CODE, "newPassword": "long enough"}, "INVALID_OOB_CODE"),
    ("update", {}, "INVALID_REQ_TYPE : Unsupported request parameters."),
    ("update", {"displayName": "Nobody"}, "INVALID_REQ_TYPE : Unsupported request parameters."),
    ("update", {"localId": "somebody", "email": "a@b.example"}, "INVALID_REQ_TYPE"),
    ("update", {"oobCode": UNKNOWN_CODE}, "INVALID_OOB_CODE"),
    ("update", {"idToken": "x.y.z", "displayName": "N"}, "INVALID_ID_TOKEN"),
    ("update", {"idToken": "x.y.z", "oobCode": UNKNOWN_CODE}, "INVALID_ID_TOKEN"),
    ("signUp", {"localId": "chosen", "email": "a@b.example", "password": PASSWORD}, "UNEXPECTED_PARAMETER : User ID"),
    ("signUp", {"password": PASSWORD}, "MISSING_EMAIL"),
    ("signUp", {"email": "a@b.example"}, "MISSING_PASSWORD"),
    ("signUp", {"email": "", "password": PASSWORD}, "MISSING_EMAIL"),
    ("signUp", {"email": "a@b.example", "password": ""}, "MISSING_PASSWORD"),
    ("signUp", {"email": "", "password": ""}, "INVALID_EMAIL"),
    ("signUp", {"email": "no address"}, "MISSING_PASSWORD"),
    ("signUp", {"email": "no address", "password": PASSWORD}, "INVALID_EMAIL"),
    (
        "signUp",
        {"email": "short@people.example", "password": "12345"},
        "WEAK_PASSWORD : Password should be at least 6 characters",
    ),
    ("signInWithPassword", {}, "MISSING_EMAIL"),
    ("signInWithPassword", {"email": "no address", "password": "x"}, "INVALID_EMAIL"),
    ("signInWithPassword", {"email": "a@b.example"}, "MISSING_PASSWORD"),
    ("signInWithPassword", {"email": "", "password": "x"}, "MISSING_EMAIL"),
    ("signInWithPassword", {"email": "a@b.example", "password": ""}, "MISSING_PASSWORD"),
    ("signInWithPassword", {"email": "nobody@people.example", "password": "whatever"}, "INVALID_LOGIN_CREDENTIALS"),
    ("signInWithEmailLink", {}, "MISSING_EMAIL"),
    ("signInWithEmailLink", {"email": "a@b.example"}, "MISSING_OOB_CODE"),
    ("signInWithEmailLink", {"email": "a@b.example", "oobCode": UNKNOWN_CODE}, "INVALID_OOB_CODE"),
    ("signInWithEmailLink", {"email": "a@b.example", "oobCode": UNKNOWN_CODE, "idToken": "x.y.z"}, "INVALID_ID_TOKEN"),
    ("lookup", {}, "MISSING_ID_TOKEN"),
    ("lookup", {"idToken": "x.y.z"}, "INVALID_ID_TOKEN"),
    ("lookup", {"idToken": "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0."}, "INVALID_ID_TOKEN"),
    ("delete", {}, "MISSING_ID_TOKEN"),
    ("delete", {"idToken": "x.y.z"}, "INVALID_ID_TOKEN"),
    ("createAuthUri", {}, "MISSING_IDENTIFIER"),
    ("createAuthUri", {"identifier": "a@b.example"}, "MISSING_CONTINUE_URI"),
    ("createAuthUri", {"identifier": "no address", "continueUri": "http://localhost"}, "INVALID_IDENTIFIER"),
]


@pytest.mark.parametrize(
    "operation, body, expected", REFUSALS, ids=[f"{o}-{n}-{e.split()[0]}" for n, (o, _, e) in enumerate(REFUSALS)]
)
def test_a_refusal_has_the_name_that_clients_know(project, operation, body, expected):
    message = envelope(project.post(operation, body))
    assert message == expected or message.startswith(expected + " : "), message


OPERATIONS = {
    "sendOobCode": {"requestType": "PASSWORD_RESET", "email": "a@b.example"},
    "resetPassword": {"oobCode": UNKNOWN_CODE},
    "update": {"idToken": "x.y.z"},
    "signUp": {"email": "a@b.example", "password": PASSWORD},
    "signInWithPassword": {"email": "a@b.example", "password": PASSWORD},
    "signInWithEmailLink": {"email": "a@b.example", "oobCode": UNKNOWN_CODE},
    "lookup": {"idToken": "x.y.z"},
    "delete": {"idToken": "x.y.z"},
    "createAuthUri": {"identifier": "a@b.example", "continueUri": "http://localhost"},
}


@pytest.mark.parametrize("operation, body", OPERATIONS.items())
def test_a_tenant_that_is_not_there_is_refused_and_not_ignored(project, operation, body):
    assert project.refused(operation, body | {"tenantId": "tenant-1"}) == "INVALID_TENANT_ID"
    assert "TENANT_ID" not in project.post(operation, body | {"tenantId": "", "password": "?"}).text, "none is named"


def test_the_operator_names_no_such_tenant_either(project, homing):
    answer = project.admin_post(":lookup", {"email": ["a@b.example"], "tenantId": "tenant-1"})
    assert envelope(answer).startswith("INVALID_TENANT_ID : ")
    policy = f"{homing.public}/v2/passwordPolicy?key={project.api_key}"
    assert envelope(requests.get(f"{policy}&tenantId=tenant-1", timeout=30)).startswith("INVALID_TENANT_ID : ")
    assert requests.get(f"{policy}&tenantId=", timeout=30).status_code == 200


@pytest.mark.parametrize("operation, body", OPERATIONS.items())
def test_a_client_names_no_project_but_by_its_key(project, operation, body):
    for name in ("targetProjectId", "target_project_id"):
        message = envelope(project.post(operation, body | {name: project.identifier}))
        assert (
            message
            == "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id."
        )


@pytest.mark.parametrize("value", ["yes", 1, [], {}])
def test_a_switch_that_is_none_is_refused(project, value):
    for operation, body in OPERATIONS.items():
        answer = project.post(operation, body | {"returnSecureToken": value})
        assert "returnSecureToken must be boolean" in envelope(answer), operation


def test_an_attribute_that_there_is_not_cannot_be_deleted(project):
    reader = project.sign_up()
    for unknown in ("NICKNAME", "email", "7", 0, -1):
        answer = project.post("update", {"idToken": reader["idToken"], "deleteAttribute": [unknown]})
        message = envelope(answer)
        assert "delete_attribute[0]" in message and "UserAttributeName" in message
        [detail] = answer.json()["error"]["details"]
        assert detail["@type"] == "type.googleapis.com/google.rpc.BadRequest"
        assert detail["fieldViolations"] == [{"field": "delete_attribute[0]", "description": message}]


def test_the_numbers_of_attributes_are_googles(project):
    reader = project.sign_up()
    profile = {"displayName": "Ann", "photoUrl": "https://good.example/ann.png"}
    project.ask("update", {"idToken": reader["idToken"]} | profile)
    changed = project.ask("update", {"idToken": reader["idToken"], "deleteAttribute": [4]})
    assert "photoUrl" not in changed and changed["displayName"] == "Ann"
    changed = project.ask("update", {"idToken": reader["idToken"], "deleteAttribute": [2, "PROVIDER", 6]})
    assert "displayName" not in changed
    assert project.can_sign_in(reader["email"], PASSWORD)


def test_what_people_write_counts_in_characters(project):
    reader = project.sign_up()
    for name in ("é" * 256, "名" * 256, "😀" * 256):
        assert project.ask("update", {"idToken": reader["idToken"], "displayName": name})["displayName"] == name
        answer = project.post("update", {"idToken": reader["idToken"], "displayName": name + "é"})
        assert envelope(answer) == "INVALID_PROFILE_ATTRIBUTE : displayName has at most 256 characters"
    # A picture's URL counts in bytes: it is in each ID token, which has to stay one that this server reads.
    for url in ("https://a.example/" + "a" * 2048, "https://a.example/" + "😀" * 510):
        answer = project.post("update", {"idToken": reader["idToken"], "photoUrl": url})
        assert envelope(answer) == "INVALID_PROFILE_ATTRIBUTE : photoUrl has at most 2048 bytes"


def test_the_operator_hears_what_cannot_be_set(project):
    reader = project.sign_up()
    members = {"mfa": {"enrollments": [{"phoneInfo": "+15550100"}]}}
    message = envelope(project.admin_post(":update", {"localId": reader["localId"]} | members))
    assert message.startswith("OPERATION_NOT_ALLOWED : ") and "Second factors" in message
    assert project.admin_ask(":update", {"localId": reader["localId"], "mfa": {}})["localId"] == reader["localId"]


def test_an_account_is_not_made_with_second_factors(project):
    factors = [{"phoneInfo": "+15550100", "displayName": "phone"}]
    message = envelope(project.admin_post("", {"email": "factors@people.example", "mfaInfo": factors}))
    assert message.startswith("OPERATION_NOT_ALLOWED : ")
    assert "users" not in project.admin_ask(":lookup", {"email": ["factors@people.example"]})
    for body, code in (({"email": ""}, "MISSING_EMAIL"), ({"email": "a@b.example", "password": ""}, "MISSING_PASSWORD")):
        assert envelope(project.admin_post("", body)) == code


def test_requests_for_kinds_that_only_the_service_makes_are_refused(project):
    for kind in ("RECOVER_EMAIL", "REVERT_SECOND_FACTOR_ADDITION", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT", 5, 8):
        answer = project.post("sendOobCode", {"requestType": kind, "email": "a@b.example"})
        assert answer.status_code in (400, 501) and answer.json()["error"]["message"]


def test_an_unknown_name_of_a_kind_is_an_invalid_argument(project):
    answer = project.post("sendOobCode", {"requestType": "PASSWORD_RESTE", "email": "a@b.example"})
    assert "req_type" in envelope(answer)
    error = answer.json()["error"]
    assert error["status"] == "INVALID_ARGUMENT"
    assert error["details"][0]["fieldViolations"] == [{"field": "req_type", "description": error["message"]}]


def test_no_kind_at_all_is_a_refusal_without_a_status(project):
    for kind in ("OOB_REQ_TYPE_UNSPECIFIED", 0):
        answer = project.post("sendOobCode", {"requestType": kind, "email": "a@b.example"})
        assert envelope(answer) == "INVALID_REQ_TYPE"
        assert "status" not in answer.json()["error"]


@pytest.mark.parametrize(
    "settings, code, member",
    [
        ({"canHandleCodeInApp": True}, "MISSING_CONTINUE_URI", "continueUrl"),
        ({"androidInstallApp": True}, "MISSING_ANDROID_PACKAGE_NAME", "androidPackageName"),
        ({"iOSAppStoreId": "123"}, "MISSING_IOS_BUNDLE_ID", "iOSBundleId"),
    ],
)
def test_a_setting_that_is_missing_is_named(project, settings, code, member):
    message = envelope(project.post("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "a@b.example"} | settings))
    assert message.startswith(f"{code} : {member} is needed")


def test_an_empty_link_domain_is_none(project):
    for name in ("linkDomain", "dynamicLinkDomain"):
        project.send_reset(project.sign_up()["email"], **SETTINGS, **{name: ""})


def test_a_link_for_the_operator_reads_as_it_is(project):
    reader = project.sign_up()
    body = {"requestType": "VERIFY_EMAIL", "email": reader["email"], "returnOobLink": True} | SETTINGS
    text = project.admin_post(":sendOobCode", body).text
    assert "\\u0026" not in text and "&oobCode=" in text


def test_the_operators_link_is_for_the_account_of_the_token(project):
    reader, other = project.sign_up(), project.sign_up()
    body = {"requestType": "VERIFY_EMAIL", "returnOobLink": True, "idToken": reader["idToken"]}
    for named in ({}, {"email": other["email"]}):
        made = project.admin_ask(":sendOobCode", body | named)
        assert made["email"] == reader["email"]
        assert project.inspect(made["oobCode"])["email"] == reader["email"]
    assert envelope(project.admin_post(":sendOobCode", body | {"idToken": "x.y.z"})) == "INVALID_ID_TOKEN"
