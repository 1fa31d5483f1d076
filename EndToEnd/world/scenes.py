# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""For each operation that is answered, a request that must succeed, and the members that its answer has at least."""

from .dynamic_links import PAYLOAD
from .project import PASSWORD, new_address

TOKENS = "idToken refreshToken expiresIn"
CONTINUE = {"continueUrl": "https://good.example/cart?step=2"}
ANOTHER = "another horse 2"

# By method: (what prepares the request in a world, the members).
OF_APPS, OF_BACK_ENDS = {}, {}
# The name in version 3 of an operation of version 1: its document says which `kind` both answer.
IN_VERSION_3 = {}


class Ask:
    """A request: its body, its query, and the ids in its path."""

    def __init__(self, body=None, query=None, **ids):
        self.body, self.query, self.ids = body, query, ids


def scene(names, members, scenes=OF_APPS):
    def add(prepare):
        for name in names.split():
            scenes[f"identitytoolkit.{name}"] = (prepare, members.split())
            IN_VERSION_3[f"identitytoolkit.{name}"] = f"identitytoolkit.{names.split()[-1]}"
        return prepare

    return add


def back_end_scene(name, members, in_version_3=None):
    """A scene of a back end: of the project, of a tenant, and in version 3, where the body names the project."""

    def add(prepare):
        def in_tenant(world):
            made = prepare(world)
            return Ask(made.body, made.query, tenantsId=world.tenant, **made.ids)

        def of_version_3(world):
            made = prepare(world)
            return Ask((made.body or made.query) | {"targetProjectId": world.project})

        OF_BACK_ENDS[f"identitytoolkit.projects.{name}"] = (prepare, members.split())
        OF_BACK_ENDS[f"identitytoolkit.projects.tenants.{name}"] = (in_tenant, members.split())
        if in_version_3:
            for whose in ("projects", "projects.tenants"):
                IN_VERSION_3[f"identitytoolkit.{whose}.{name}"] = f"identitytoolkit.relyingparty.{in_version_3}"
            OF_BACK_ENDS[f"identitytoolkit.relyingparty.{in_version_3}"] = (of_version_3, members.split())
        return prepare

    return add


# --- apps ------------------------------------------------------------------------------------------------------------


@scene("accounts.signUp relyingparty.signupNewUser", f"kind localId email {TOKENS}")
def sign_up(world):
    return Ask({"email": new_address(), "password": PASSWORD, "displayName": "Ann"})


@scene("accounts.signInWithPassword relyingparty.verifyPassword", f"kind localId email registered {TOKENS}")
def sign_in(world):
    return Ask({"email": world.person()["email"], "password": PASSWORD, "returnSecureToken": True})


@scene("accounts.signInWithEmailLink relyingparty.emailLinkSignin", f"kind localId email isNewUser {TOKENS}")
def sign_in_by_link(world):
    address = new_address()
    return Ask({"email": address, "oobCode": world.code("EMAIL_SIGNIN", address, canHandleCodeInApp=True, **CONTINUE)})


@scene("accounts.signInWithCustomToken relyingparty.verifyCustomToken", f"kind isNewUser {TOKENS}")
def sign_in_by_custom_token(world):
    return Ask({"token": world.custom_token("ada", role="keeper"), "returnSecureToken": True})


@scene("accounts.createAuthUri relyingparty.createAuthUri", "kind sessionId")
def create_auth_uri(world):
    return Ask({"identifier": world.person()["email"], "continueUri": "http://localhost"})


@scene("accounts.sendOobCode relyingparty.getOobConfirmationCode", "kind email")
def send_code(world):
    return Ask({"requestType": "PASSWORD_RESET", "email": world.person()["email"]} | CONTINUE)


@scene("accounts.resetPassword relyingparty.resetPassword", "kind email requestType")
def reset_password(world):
    return Ask({"oobCode": world.code("PASSWORD_RESET", world.person()["email"]), "newPassword": ANOTHER})


@scene("accounts.lookup relyingparty.getAccountInfo", "kind users")
def look_up(world):
    return Ask({"idToken": world.person()["idToken"]})


@scene(
    "accounts.update relyingparty.setAccountInfo",
    "kind localId email emailVerified displayName photoUrl passwordHash providerUserInfo",
)
def update(world):
    return Ask({"idToken": world.person()["idToken"], "displayName": "Ann", "photoUrl": "https://good.example/ann.png"})


@scene("accounts.delete relyingparty.deleteAccount", "kind")
def delete(world):
    return Ask({"idToken": world.person()["idToken"]})


@scene("getProjects relyingparty.getProjectConfig", "projectId authorizedDomains")
@scene("getPublicKeys relyingparty.getPublicKeys", "")
@scene("getSessionCookiePublicKeys", "keys")
@scene("getPasswordPolicy", "customStrengthOptions schemaVersion enforcementState")
@scene("getRecaptchaParams relyingparty.getRecaptchaParam", "kind recaptchaSiteKey recaptchaStoken")
def read(world):
    return Ask()


@scene("getRecaptchaConfig", "recaptchaEnforcementState")
def recaptcha_config(world):
    return Ask(query={"clientType": "CLIENT_TYPE_WEB", "version": "RECAPTCHA_ENTERPRISE"})


def token(world):
    return Ask({"grantType": "refresh_token", "refreshToken": world.person()["refreshToken"]})


TOKEN_MEMBERS = "access_token expires_in id_token project_id refresh_token token_type user_id"
OF_APPS["securetoken.token"] = (token, TOKEN_MEMBERS.split())

# --- back ends: accounts ---------------------------------------------------------------------------------------------


@back_end_scene("accounts", "kind localId email", "signupNewUser")
def create(world):
    return Ask({"email": new_address(), "password": PASSWORD, "emailVerified": True, "displayName": "Bob"})


@back_end_scene("accounts.lookup", "kind users", "getAccountInfo")
def find(world):
    return Ask({"localId": [world.account(displayName="Bob", photoUrl="https://good.example/bob.png")]})


@back_end_scene(
    "accounts.update", "kind localId email emailVerified displayName passwordHash providerUserInfo", "setAccountInfo"
)
def change(world):
    claims = '{"role":"keeper"}'
    return Ask({"localId": world.account(), "displayName": "Bob", "emailVerified": True, "customAttributes": claims})


@back_end_scene("accounts.delete", "kind", "deleteAccount")
def remove(world):
    return Ask({"localId": world.account()})


@back_end_scene("accounts.sendOobCode", "kind email oobCode oobLink", "getOobConfirmationCode")
def make_link(world):
    address = world.person()["email"]
    return Ask({"requestType": "VERIFY_EMAIL", "email": address, "returnOobLink": True} | CONTINUE)


@back_end_scene("accounts.batchCreate", "kind", "uploadAccount")
def bring(world):
    one = {"localId": f"brought-{new_address().split('@')[0]}", "email": new_address(), "createdAt": "1500000000000"}
    return Ask({"users": [one]})


@back_end_scene("accounts.batchGet", "kind users nextPageToken", "downloadAccount")
def list_accounts(world):
    world.account()
    return Ask(query={"maxResults": 1})


@back_end_scene("accounts.batchDelete", "")
def remove_many(world):
    return Ask({"localIds": [world.account(), world.account()], "force": True})


@back_end_scene("accounts.query", "recordsCount userInfo")
@scene("projects.queryAccounts", "recordsCount userInfo", OF_BACK_ENDS)
def query(world):
    world.account(), world.person()
    return Ask({"sortBy": "USER_ID", "order": "DESC", "returnUserInfo": True})


@back_end_scene("createSessionCookie", "sessionCookie")
def session_cookie(world):
    return Ask({"idToken": world.person()["idToken"], "validDuration": "300"})


# --- back ends: settings and tenants ---------------------------------------------------------------------------------


@scene("relyingparty.getProjectConfig", "projectId authorizedDomains", OF_BACK_ENDS)
def numbered(world):
    return Ask(query={"projectNumber": world.app.call("identitytoolkit.getProjects")["projectId"]})


@scene("relyingparty.getPublicKeys", "", OF_BACK_ENDS)
@scene("projects.getConfig", "emailPrivacyConfig signIn", OF_BACK_ENDS)
def config(world):
    return Ask()


@scene("projects.updateConfig", "emailPrivacyConfig signIn", OF_BACK_ENDS)
def change_config(world):
    on = {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": True}}
    return Ask(on, query={"updateMask": "emailPrivacyConfig.enableImprovedEmailPrivacy"})


@scene("projects.tenants.create", "name displayName allowPasswordSignup enableEmailLinkSignin", OF_BACK_ENDS)
def create_tenant(world):
    return Ask({"displayName": "Harbour", "allowPasswordSignup": True, "enableEmailLinkSignin": True})


@scene("projects.tenants.get", "name allowPasswordSignup", OF_BACK_ENDS)
@scene("projects.tenants.delete", "", OF_BACK_ENDS)
def one_tenant(world):
    return Ask(tenantsId=new_tenant(world))


@scene("projects.tenants.patch", "name displayName", OF_BACK_ENDS)
def change_tenant(world):
    return Ask({"displayName": "Pier"}, query={"updateMask": "displayName"}, tenantsId=new_tenant(world))


@scene("projects.tenants.list", "tenants", OF_BACK_ENDS)
def list_tenants(world):
    new_tenant(world)
    return Ask(query={"pageSize": 10})


def new_tenant(world):
    """The id of a tenant in which people sign up and sign in."""
    made = world.back.call("identitytoolkit.projects.tenants.create", create_tenant(world).body)
    return made["name"].split("/")[-1]


# --- dynamic links ---------------------------------------------------------------------------------------------------


def short_link(world):
    return Ask({"longDynamicLink": world.links.long(PAYLOAD), "suffix": {"option": "SHORT"}})


def managed_link(world):
    info = {"link": PAYLOAD, "domainUriPrefix": world.links.base}
    return Ask({"name": "Autumn", "dynamicLinkInfo": info, "suffix": {"option": "UNGUESSABLE"}})


def reopened(world):
    return Ask({"requestedLink": world.links.short(), "sdkVersion": "12.6.0"})


def installed(world):
    return Ask({"uniqueMatchLinkToCheck": world.links.short(), "bundleId": "com.example.lighthouse"})


def statistics(world):
    link = world.links.short()
    world.links.click(link)
    return Ask(query={"durationDays": "7"}, dynamicLink=link)


OF_APPS |= {
    "firebasedynamiclinks.shortLinks.create": (short_link, ["shortLink", "previewLink"]),
    "firebasedynamiclinks.reopenAttribution": (reopened, ["deepLink", "resolvedLink"]),
    "firebasedynamiclinks.installAttribution": (installed, ["deepLink", "attributionConfidence"]),
}
OF_BACK_ENDS |= {
    "firebasedynamiclinks.managedShortLinks.create": (managed_link, ["managedShortLink", "previewLink"]),
    "firebasedynamiclinks.getLinkStats": (statistics, ["linkEventStats"]),
}
