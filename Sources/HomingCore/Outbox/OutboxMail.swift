// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingLinkRules
package import HomingProjects
package import HomingStore
import HomingWire

/// One mail of the outbox, claimed for delivery.
package struct OutboxMail: Sendable {
    /// The facts that a message needs beside the code and the project.
    package struct Facts: Sendable {
        package var language: MailLanguage
        package var displayName: String?
        package var newAddress: String?
        /// With `mailbox:` only: the address without an account, so that a newcomer is told instead of left waiting.
        package var voidAddress: String?
        /// The device of the person who acted, for a notice.
        package var device: Device?
        /// What the link was for that a notice is about.
        package var request: ActionCodeKind?
        /// The kind of message that a test mail shows, with a link that does nothing.
        package var sample: MailKind?
        /// The console of the node that an operator asked, to which the link leads.
        package var consoleURL: String?
        /// The operator who has invited the recipient; nil for who asked for the mail themselves.
        package var inviter: String?
        /// Whether the recipient was erased meanwhile: nothing of the mail is kept once it has gone.
        package var isErased = false
    }

    package let project: Scope
    /// The id is also the local part of the Message-ID, fixed when the row was written.
    package let id: String
    package let kind: MailKind
    /// Nil for a void row, which is rendered like the others and then dropped.
    package let recipient: EmailAddress?
    package let code: SealedID?
    package let facts: Facts
    package let createdAt: Moment
    package let expiresAt: Moment
    package let attempts: Int
    /// Whether nothing has become of the mail before.
    let isFirstClaim: Bool
    /// The settings of the code, and whether the code still lives.
    package let settings: ActionCodeSettings
    package let isCodeLive: Bool
    /// Whether the code is bound to the client that asked for it: the mail then has a code to type.
    package let isCodeBound: Bool
    /// Whether the page asks for the number in the mail, whose code is unbound.
    package let hasPressNumber: Bool
    /// Who asked, where the code is bound.
    package let asked: AskedFrom?
    /// The claim that took the mail.
    let lease: String
    /// The reason why nothing is sent to the recipient, if there is one.
    package internal(set) var suppression: String?
    /// Whether an operator has asked for another try, whatever is suppressed.
    let isRetried: Bool

    /// Whether an erased address's suppression would hold the mail back.
    var canBeSuppressed: Bool { suppression == nil && !isRetried && !kind.isNotice }

    static let columns: SQL = """
        o.project, o.id, o.kind, o.recipient, o.code, o.key_version, o.facts, o.created_at, o.expires_at, o.attempts, \
        o.last_reply, c.state, c.settings, c.expires_at, s.reason, o.retried_at, c.challenge, \
        c.digest, c.asked
        """

    /// The id in a row of which the rest may not be readable.
    static func id(of row: consuming Row) throws -> String {
        _ = try row.text()
        return try row.text()
    }

    init(_ row: consuming Row, at now: Moment, lease: String) throws {
        self.lease = lease
        project = try row.id()
        id = try row.text()
        let name = try row.text()
        guard let kind = MailKind(rawValue: name) else { throw DatabaseFault("there is no email of kind \(name)") }
        self.kind = kind
        recipient = try row.optionalText().map { EmailAddress(stored: $0) }
        if let id = try row.optionalBytes() {
            code = SealedID(version: UInt8(truncatingIfNeeded: try row.int()), id: id)
        } else {
            code = nil
            _ = try row.optionalInt()
        }
        facts = try Facts(stored: row.text())
        createdAt = try row.moment()
        expiresAt = try row.moment()
        attempts = Int(try row.int())
        isFirstClaim = try row.optionalText() == nil && attempts == 0
        let state = try row.optionalInt().flatMap { ActionCode.State(rawValue: $0) }
        settings = try ActionCodeSettings(stored: row.optionalText())
        let codeEnd = try row.optionalMoment()
        // A link for an operator has no row among the codes; its mail ends with it.
        isCodeLive =
            code == nil || kind == .operatorSignIn
            || (state == .live || state == .void) && codeEnd.map { now < $0 } == true
        let reason = try row.optionalText()
        suppression = kind.isNotice ? nil : reason
        isRetried = try row.optionalMoment() != nil
        isCodeBound = try row.optionalText() != nil
        hasPressNumber = try row.optionalText() != nil && !isCodeBound
        asked = try row.optionalText().map { try AskedFrom(stored: $0) }
    }

    /// A test mail that leaves at once: no row has it.
    package init(test address: EmailAddress, in project: Project, system: System) {
        self.project = project.scope
        id = Self.newID(system)
        kind = .test
        recipient = address
        code = nil
        facts = Facts(language: MailLanguage(nil, in: project))
        createdAt = system.now()
        expiresAt = createdAt.adding(seconds: 3600)
        attempts = 0
        isFirstClaim = true
        settings = ActionCodeSettings()
        isCodeLive = true
        isCodeBound = false
        hasPressNumber = false
        asked = nil
        lease = ""
        isRetried = false
    }

    /// Makes an id. Ids sort in the order in which the mails are made.
    static func newID(_ system: System) -> String { system.orderedName(length: 22) }

    /// A mail that is about to be written.
    struct Draft: Sendable {
        /// Nil where the row makes the id.
        var id: String?
        let kind: MailKind
        /// Nil for a void row.
        let recipient: EmailAddress?
        let code: SealedID?
        let expiresAt: Moment
        let facts: Facts

        /// A mail that reports a change and carries no code.
        ///
        /// - Parameters:
        ///   - name: the name for mails (``Account/mailableName``).
        ///   - request: what the link was for that the notice is about.
        static func notice(
            _ kind: MailKind, of request: ActionCodeKind? = nil, to address: EmailAddress, named name: String?,
            newAddress: EmailAddress? = nil, language: MailLanguage, on device: Device?, at now: Moment,
            consoleURL: String? = nil
        ) -> Draft {
            Draft(
                kind: kind, recipient: address, code: nil, expiresAt: now.adding(seconds: 259_200),
                facts: Facts(
                    language: language, displayName: name, newAddress: newAddress?.text, device: device,
                    request: request, consoleURL: consoleURL))
        }
    }
}

extension OutboxMail.Facts {
    /// The JSON that the mail's row keeps.
    var stored: String {
        var object = JSON.Object()
        object["language"] = .string(language.tag)
        // Most mails are in a language that somebody named.
        if !language.isNamed { object["languageNamed"] = .bool(false) }
        object["displayName"] = displayName.map { .string($0) }
        object["newAddress"] = newAddress.map { .string($0) }
        object["voidAddress"] = voidAddress.map { .string($0) }
        object["browser"] = (device?.browser).map { .string($0.rawValue) }
        object["system"] = device.map { .string($0.system.rawValue) }
        object["request"] = request.map { .string($0.name) }
        object["sample"] = sample.map { .string($0.rawValue) }
        object["console"] = consoleURL.map { .string($0) }
        object["inviter"] = inviter.map { .string($0) }
        if isErased { object["erased"] = .bool(true) }
        return object.stored
    }

    init(stored: String) throws {
        let object = try JSON.Object(stored: stored)
        language = MailLanguage(
            tag: object["language"]?.stringValue ?? "en", isNamed: object["languageNamed"]?.boolValue ?? true)
        displayName = object["displayName"]?.stringValue
        newAddress = object["newAddress"]?.stringValue
        voidAddress = object["voidAddress"]?.stringValue
        request = object["request"]?.stringValue.flatMap { name in ActionCodeKind.allCases.first { $0.name == name } }
        sample = object["sample"]?.stringValue.flatMap(MailKind.init)
        consoleURL = object["console"]?.stringValue
        inviter = object["inviter"]?.stringValue
        isErased = object["erased"] != nil
        if let system = object["system"]?.stringValue.flatMap(Device.System.init) {
            device = Device(browser: object["browser"]?.stringValue.flatMap(Device.Browser.init), system: system)
        }
    }
}
