// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A method of Google's Identity Toolkit, its token service or Dynamic Links, by its name in Google's discovery
/// documents: where clients ask for it. What a program of ours does then is that program's.
package struct GoogleMethod: Sendable {
    package enum Verb: String, Sendable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// Without the service's first word `identitytoolkit`, as `accounts.signUp`.
    package let name: String
    package let verb: Verb
    /// Behind Google's host, without a slash at the beginning; nil for what version 3 alone has. Ids stand in braces.
    package let path: String?
    /// The name in version 3, by which Apple's, C++ and older clients ask.
    package let inVersion3: String?

    private init(_ name: String, _ verb: Verb, _ path: String?, inVersion3: String? = nil) {
        self.name = name
        self.verb = verb
        self.path = path
        self.inVersion3 = inVersion3
    }

    /// The method as version 3 names it. Keys are the one that its path does not end with.
    package var nameInVersion3: String? {
        inVersion3.map { "relyingparty." + ($0 == "publicKeys" ? "getPublicKeys" : $0) }
    }

    private static let project = "v1/projects/{project}"
    private static let tenant = "/tenants/{tenant}"

    /// The same method, asked of a tenant of the project.
    package var ofTenant: GoogleMethod {
        let head = path?.prefix(Self.project.count) ?? ""
        let rest = path?.dropFirst(Self.project.count) ?? ""
        return GoogleMethod(
            "projects.tenants." + name.dropFirst("projects.".count), verb, "\(head)\(Self.tenant)\(rest)")
    }

    /// The method without its name in version 3, and by that name alone.
    package var withoutVersion3: GoogleMethod { GoogleMethod(name, verb, path) }
    package var inVersion3Alone: GoogleMethod { GoogleMethod(name, verb, nil, inVersion3: inVersion3) }

    // MARK: For apps

    package static let signUp = ofAccounts("signUp", "signupNewUser")
    package static let signInWithPassword = ofAccounts("signInWithPassword", "verifyPassword")
    package static let signInWithEmailLink = ofAccounts("signInWithEmailLink", "emailLinkSignin")
    package static let signInWithCustomToken = ofAccounts("signInWithCustomToken", "verifyCustomToken")
    package static let createAuthURI = ofAccounts("createAuthUri", "createAuthUri")
    package static let sendOobCode = ofAccounts("sendOobCode", "getOobConfirmationCode")
    package static let resetPassword = ofAccounts("resetPassword", "resetPassword")
    package static let lookup = ofAccounts("lookup", "getAccountInfo")
    package static let update = ofAccounts("update", "setAccountInfo")
    package static let delete = ofAccounts("delete", "deleteAccount")
    package static let getProjects = GoogleMethod("getProjects", .get, "v1/projects", inVersion3: "getProjectConfig")
    package static let getPasswordPolicy = GoogleMethod("getPasswordPolicy", .get, "v2/passwordPolicy")
    package static let getRecaptchaConfig = GoogleMethod("getRecaptchaConfig", .get, "v2/recaptchaConfig")
    package static let getPublicKeys = GoogleMethod(
        "getPublicKeys", .get, "v1/publicKeys", inVersion3: "publicKeys")
    package static let getSessionCookiePublicKeys = GoogleMethod(
        "getSessionCookiePublicKeys", .get, "v1/sessionCookiePublicKeys")
    package static let token = GoogleMethod("securetoken.token", .post, "v1/token")

    private static func ofAccounts(_ name: String, _ inVersion3: String? = nil, version: Int = 1) -> GoogleMethod {
        GoogleMethod("accounts.\(name)", .post, "v\(version)/accounts:\(name)", inVersion3: inVersion3)
    }

    // MARK: For back ends

    package static let createAccount = GoogleMethod(
        "projects.accounts", .post, "\(project)/accounts", inVersion3: "signupNewUser")
    package static let projectSendOobCode = ofProject("sendOobCode", "getOobConfirmationCode")
    package static let projectLookup = ofProject("lookup", "getAccountInfo")
    package static let projectUpdate = ofProject("update", "setAccountInfo")
    package static let projectDelete = ofProject("delete", "deleteAccount")
    package static let batchCreate = ofProject("batchCreate", "uploadAccount")
    package static let batchDelete = ofProject("batchDelete")
    package static let batchGet = GoogleMethod("projects.accounts.batchGet", .get, "\(project)/accounts:batchGet")
    package static let downloadAccount = GoogleMethod(
        "relyingparty.downloadAccount", .post, nil, inVersion3: "downloadAccount")
    package static let query = ofProject("query")
    package static let queryAccounts = GoogleMethod("projects.queryAccounts", .post, "\(project):queryAccounts")
    package static let createSessionCookie = GoogleMethod(
        "projects.createSessionCookie", .post, "\(project):createSessionCookie")
    package static let setProjectConfig = GoogleMethod(
        "relyingparty.setProjectConfig", .post, nil, inVersion3: "setProjectConfig")

    private static func ofProject(_ name: String, _ inVersion3: String? = nil) -> GoogleMethod {
        GoogleMethod("projects.accounts.\(name)", .post, "\(project)/accounts:\(name)", inVersion3: inVersion3)
    }

    private static let settings = "v2/projects/{project}"
    package static let getConfig = GoogleMethod("projects.getConfig", .get, "\(settings)/config")
    package static let updateConfig = GoogleMethod("projects.updateConfig", .patch, "\(settings)/config")
    package static let createTenant = GoogleMethod("projects.tenants.create", .post, "\(settings)/tenants")
    package static let listTenants = GoogleMethod("projects.tenants.list", .get, "\(settings)/tenants")
    package static let getTenant = GoogleMethod("projects.tenants.get", .get, "\(settings)\(tenant)")
    package static let updateTenant = GoogleMethod("projects.tenants.patch", .patch, "\(settings)\(tenant)")
    package static let deleteTenant = GoogleMethod("projects.tenants.delete", .delete, "\(settings)\(tenant)")

    // MARK: Other ways to sign in

    package static let signInWithIdp = ofAccounts("signInWithIdp", "verifyAssertion")
    package static let signInWithGameCenter = ofAccounts("signInWithGameCenter", "signInWithGameCenter")
    package static let issueSamlResponse = ofAccounts("issueSamlResponse")
    package static let revokeToken = ofAccounts("revokeToken", version: 2)
    package static let listDefaultSupportedIdps = GoogleMethod(
        "defaultSupportedIdps.list", .get, "v2/defaultSupportedIdps")

    package static let sendVerificationCode = ofAccounts("sendVerificationCode", "sendVerificationCode")
    package static let signInWithPhoneNumber = ofAccounts("signInWithPhoneNumber", "verifyPhoneNumber")
    package static let verifyIosClient = ofAccounts("verifyIosClient", "verifyClient")
    package static let getRecaptchaParams = GoogleMethod(
        "getRecaptchaParams", .get, "v1/recaptchaParams", inVersion3: "getRecaptchaParam")

    package static let secondFactors =
        ofAccounts("mfaEnrollment", steps: ["start", "finalize", "withdraw"])
        + ofAccounts("mfaSignIn", steps: ["start", "finalize"])
    package static let passkeys: [GoogleMethod] = ["passkeyEnrollment", "passkeySignIn"].flatMap {
        ofAccounts($0, steps: ["start", "finalize"])
    }

    private static func ofAccounts(_ name: String, steps: [String]) -> [GoogleMethod] {
        steps.map { GoogleMethod("accounts.\(name).\($0)", .post, "v2/accounts/\(name):\($0)") }
    }

    package static let signOutUser = GoogleMethod("relyingparty.signOutUser", .post, nil, inVersion3: "signOutUser")

    // MARK: Settings of other ways to sign in

    package static let initializeAuth = GoogleMethod(
        "projects.identityPlatform.initializeAuth", .post, "\(settings)/identityPlatform:initializeAuth")

    /// What identity providers a project has, or a tenant of it.
    package static let providerSettings: [GoogleMethod] = [
        (settings, "projects"), ("\(settings)\(tenant)", "projects.tenants"),
    ]
    .flatMap { place, owner in
        ["oauthIdpConfigs", "inboundSamlConfigs", "defaultSupportedIdpConfigs"].flatMap { collection in
            let (all, one) = ("\(place)/\(collection)", "\(place)/\(collection)/{config}")
            let name = "\(owner).\(collection)"
            return [
                GoogleMethod("\(name).create", .post, all), GoogleMethod("\(name).list", .get, all),
                GoogleMethod("\(name).get", .get, one), GoogleMethod("\(name).patch", .patch, one),
                GoogleMethod("\(name).delete", .delete, one),
            ]
        }
    }

    /// Who may do what with a tenant at Google.
    package static let permissions: [GoogleMethod] = ["getIamPolicy", "setIamPolicy", "testIamPermissions"].map {
        GoogleMethod("projects.tenants.\($0)", .post, "\(settings)\(tenant):\($0)")
    }

    // MARK: Dynamic Links

    package static let createShortLink = GoogleMethod(
        "firebasedynamiclinks.shortLinks.create", .post, "v1/shortLinks")
    package static let reopenAttribution = GoogleMethod(
        "firebasedynamiclinks.reopenAttribution", .post, "v1/reopenAttribution")
    package static let installAttribution = GoogleMethod(
        "firebasedynamiclinks.installAttribution", .post, "v1/installAttribution")
    package static let createManagedShortLink = GoogleMethod(
        "firebasedynamiclinks.managedShortLinks.create", .post, "v1/managedShortLinks:create")
    package static let getLinkStats = GoogleMethod(
        "firebasedynamiclinks.getLinkStats", .get, "v1/{link}/linkStats")
}
