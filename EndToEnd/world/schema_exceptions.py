# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What does not fit Google's schemas and is right all the same, each with its reason; anything else fails a test."""

from .schemas import UNKNOWN

HOMING, EMULATOR, REQUEST = "homing", "homing-emulator", "request"

OURS = "a setting of Homing's own, in docs/wire.md"
FAKE_HASH = "the text that Firebase's emulator keeps in place of a hash, so that seeds work in both"
OF_EMULATOR = "Firebase's emulator answers it"
NEWER = "Identity Toolkit v1 has it; the document of version 3 is of 2018"
NAMES_PROJECT = "Firebase's command line names the project so in version 3"
EVERY_CLIENT = "every client library of Firebase's sends it"
PICTURE = "the name that version 1 has for it; version 3 says photoUrl"

# (who sent it, schema, member, what is wrong): the reason.
REASONS = {
    (HOMING, "GoogleCloudIdentitytoolkitAdminV2Config", "actionCodes", UNKNOWN): OURS,
    (HOMING, "GoogleCloudIdentitytoolkitAdminV2Config", "idToken", UNKNOWN): OURS,
    (HOMING, "GoogleCloudIdentitytoolkitAdminV2Config", "links", UNKNOWN): OURS,
    (HOMING, "GoogleCloudIdentitytoolkitAdminV2Config", "mail", UNKNOWN): OURS,
    (HOMING, "GoogleCloudIdentitytoolkitAdminV2PasswordPolicyConfig", "refuseGuessablePasswords", UNKNOWN): OURS,
    (HOMING, "UserInfo", "initialEmail", UNKNOWN): NEWER,
    (HOMING, "VerifyPasswordResponse", "profilePicture", UNKNOWN): PICTURE,
    (EMULATOR, "GoogleCloudIdentitytoolkitAdminV2Tenant", "tenantId", UNKNOWN): OF_EMULATOR,
    (EMULATOR, "GoogleCloudIdentitytoolkitV1UserInfo", "passwordHash", "no byte"): FAKE_HASH,
    (EMULATOR, "SetAccountInfoResponse", "passwordHash", "no byte"): FAKE_HASH,
    (EMULATOR, "UserInfo", "passwordHash", "no byte"): FAKE_HASH,
    (REQUEST, "GoogleCloudIdentitytoolkitV1SignUpRequest", "returnSecureToken", UNKNOWN): EVERY_CLIENT,
    (REQUEST, "IdentitytoolkitRelyingpartySignupNewUserRequest", "returnSecureToken", UNKNOWN): EVERY_CLIENT,
    (REQUEST, "Relyingparty", "returnOobLink", UNKNOWN): NEWER,
}
for program in (HOMING, EMULATOR):
    REASONS |= {
        (program, "GetOobConfirmationCodeResponse", "oobLink", UNKNOWN): NEWER,
        (program, "SetAccountInfoResponse.providerUserInfo", "email", UNKNOWN): NEWER,
        (program, "SetAccountInfoResponse.providerUserInfo", "rawId", UNKNOWN): NEWER,
        (program, "UserInfo", "emailLinkSignin", UNKNOWN): NEWER,
        (program, "UserInfo", "lastRefreshAt", UNKNOWN): NEWER,
    }
for schema in (
    "Relyingparty",
    "IdentitytoolkitRelyingpartyDeleteAccountRequest",
    "IdentitytoolkitRelyingpartyGetAccountInfoRequest",
    "IdentitytoolkitRelyingpartySetAccountInfoRequest",
    "IdentitytoolkitRelyingpartySignupNewUserRequest",
):
    REASONS[REQUEST, schema, "targetProjectId", UNKNOWN] = NAMES_PROJECT
