# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Every operation's refusals, in the order in which it checks, with the codes that Firebase's clients know."""

import pytest
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
    ("signUp", {"email": "no address", "password": PASSWORD}, "INVALID_EMAIL"),
    (
        "signUp",
        {"email": "short@people.example", "password": "12345"},
        "WEAK_PASSWORD : Password should be at least 6 characters",
    ),
    ("signInWithPassword", {}, "MISSING_EMAIL"),
    ("signInWithPassword", {"email": "no address", "password": "x"}, "INVALID_EMAIL"),
    ("signInWithPassword", {"email": "a@b.example"}, "MISSING_PASSWORD"),
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


def test_requests_for_kinds_that_only_the_service_makes_are_refused(project):
    for kind in ("RECOVER_EMAIL", "REVERT_SECOND_FACTOR_ADDITION", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT", 5, 8):
        answer = project.post("sendOobCode", {"requestType": kind, "email": "a@b.example"})
        assert answer.status_code in (400, 501) and answer.json()["error"]["message"]


def test_an_unknown_name_of_a_kind_is_an_invalid_argument(project):
    answer = project.post("sendOobCode", {"requestType": "PASSWORD_RESTE", "email": "a@b.example"})
    assert "req_type" in envelope(answer)
    assert answer.json()["error"]["status"] == "INVALID_ARGUMENT"
