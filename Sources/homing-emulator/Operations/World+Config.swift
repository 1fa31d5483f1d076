// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

extension World {
    /// `GET /v1/projects` of an app.
    func projectConfig(_ call: Call) throws(Fault) -> JSON {
        guard call.place.tenant == nil else { throw Fault("UNSUPPORTED_TENANT_OPERATION") }
        return ["projectId": .string(Self.projectNumber), "authorizedDomains": ["localhost"]]
    }

    func recaptchaParams() -> JSON {
        [
            "kind": Rules.kind("GetRecaptchaParamResponse"), "recaptchaStoken": "no-token-of-the-emulator",
            "recaptchaSiteKey": "no-key-of-the-emulator",
        ]
    }

    // MARK: The admin config document

    /// `GET /v2/projects/{project}/config`: the three members that the emulator has.
    func config(of project: String) -> JSON {
        let config = self[config: project]
        return [
            "signIn": ["allowDuplicateEmails": .bool(config.allowsDuplicateEmails)],
            "blockingFunctions": config.blockingFunctions,
            "emailPrivacyConfig": ["enableImprovedEmailPrivacy": .bool(config.hidesAddresses)],
        ]
    }

    /// `PATCH` of the same. Without a mask all is replaced; with one, what it names and the body has.
    mutating func changeConfig(of project: String, by body: Body, mask: String) throws(Fault) -> JSON {
        let paths = mask.split(separator: ",").map { String($0) }
        let duplicates = try body.body("signIn")?.bool("allowDuplicateEmails")
        let privacy = try body.body("emailPrivacyConfig")?.bool("enableImprovedEmailPrivacy")
        let functions = try body.value("blockingFunctions")
        try checkBlockingFunctions(body.body("blockingFunctions"))
        func isNamed(_ path: String) -> Bool { paths.contains { path == $0 || path.hasPrefix("\($0).") } }
        var config = self[config: project]
        if paths.isEmpty { config = ProjectConfig() }
        if let duplicates, paths.isEmpty || isNamed("signIn.allowDuplicateEmails") {
            config.allowsDuplicateEmails = duplicates
        }
        if let privacy, paths.isEmpty || isNamed("emailPrivacyConfig.enableImprovedEmailPrivacy") {
            config.hidesAddresses = privacy
        }
        if let functions, paths.isEmpty || paths.contains(where: { $0.hasPrefix("blockingFunctions") }) {
            config.blockingFunctions = functions
        }
        self[config: project] = config
        return self.config(of: project)
    }

    private func checkBlockingFunctions(_ functions: Body?) throws(Fault) {
        guard let triggers = try functions?.value("triggers")?.objectValue else { return }
        for member in triggers.members {
            guard ["beforeCreate", "beforeSignIn"].contains(member.key) else {
                throw Fault("INVALID_BLOCKING_FUNCTION : ((Event type is invalid.))")
            }
            guard Rules.isAbsoluteURL(member.value.objectValue?["functionUri"]?.stringValue ?? "") else {
                throw Fault(
                    "INVALID_BLOCKING_FUNCTION : ((Expected an absolute URI with valid scheme and host.))")
            }
        }
    }

    // MARK: The emulator's own

    /// `GET /emulator/v1/projects/{project}/config`.
    func emulatorConfig(of project: String) -> JSON {
        let config = self[config: project]
        return [
            "signIn": ["allowDuplicateEmails": .bool(config.allowsDuplicateEmails)],
            "emailPrivacyConfig": ["enableImprovedEmailPrivacy": .bool(config.hidesAddresses)],
        ]
    }

    /// `PATCH` of the same: what the body has; an empty one puts both back.
    mutating func changeEmulatorConfig(of project: String, by body: Body) throws(Fault) -> JSON {
        let duplicates = try body.body("signIn")?.bool("allowDuplicateEmails")
        let privacy = try body.body("emailPrivacyConfig")?.bool("enableImprovedEmailPrivacy")
        var config = self[config: project]
        config.allowsDuplicateEmails = duplicates ?? (privacy == nil ? false : config.allowsDuplicateEmails)
        config.hidesAddresses = privacy ?? (duplicates == nil ? false : config.hidesAddresses)
        self[config: project] = config
        return emulatorConfig(of: project)
    }

    /// `GET /emulator/v1/projects/{project}/oobCodes`: codes that nobody has used yet, the oldest first.
    func oobCodes(in place: Place) -> JSON {
        let codes = self[place].codes.map { code in
            JSON.object([
                ("email", .string(code.email)), ("newEmail", code.newEmail.map { .string($0) }),
                ("requestType", .string(code.kind)), ("oobCode", .string(code.text)), ("oobLink", .string(code.link)),
            ])
        }
        return ["oobCodes": .array(codes)]
    }
}
