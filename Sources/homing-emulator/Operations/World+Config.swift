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

    /// `GET /v2/projects/{project}/config`.
    func config(of project: String) -> JSON { .object(self[config: project].document) }

    /// `PATCH` of the same.
    mutating func changeConfig(_ call: Call) throws(Fault) -> JSON {
        try checkBlockingFunctions(call.body.body("blockingFunctions"))
        try self[config: call.place.project].change(by: call.body, FieldMask(call.mask))
        return config(of: call.place.project)
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
        var paths: [String] = []
        let settings = [("signIn", "allowDuplicateEmails"), ("emailPrivacyConfig", "enableImprovedEmailPrivacy")]
        for (member, name) in settings where try body.body(member)?.has(name) == true {
            paths.append("\(member).\(name)")
        }
        try self[config: project].change(by: body, FieldMask(paths.joined(separator: ",")))
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
