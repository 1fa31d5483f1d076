// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingWire

/// What a mail is about. The raw value is what the database and `homing mail list` show.
package enum MailKind: String, Sendable, CaseIterable {
    case passwordReset = "PASSWORD_RESET"
    case verifyEmail = "VERIFY_EMAIL"
    case signIn = "EMAIL_SIGNIN"
    case verifyAndChangeEmail = "VERIFY_AND_CHANGE_EMAIL"
    case recoverEmail = "RECOVER_EMAIL"
    case emailChangeNotice = "EMAIL_CHANGE_NOTICE"
    case passwordChanged = "PASSWORD_CHANGED"
    case test = "TEST"

    init(_ kind: ActionCodeKind) {
        self =
            switch kind {
            case .passwordReset: .passwordReset
            case .verifyEmail: .verifyEmail
            case .signIn: .signIn
            case .verifyAndChangeEmail: .verifyAndChangeEmail
            case .recoverEmail: .recoverEmail
            }
    }

    /// The kind of the code inside, for mails that carry one.
    package var codeKind: ActionCodeKind? {
        ActionCodeKind.allCases.first { MailKind($0) == self }
    }

    /// Whether its button leads to where a reset is asked for: nobody has asked yet, so that no code is owed.
    package var leadsToReset: Bool { self == .passwordChanged || self == .emailChangeNotice }
}

/// One mail that is owed, claimed for delivery.
package struct OutboxMail: Sendable {
    /// What a letter needs beside the code and the project.
    package struct Facts: Sendable {
        package var language: String
        package var displayName: String?
        package var newAddress: String?
        /// With `mailbox:` only: the address that nobody has, so that a newcomer is told instead of left waiting.
        package var voidAddress: String?
        /// What the person who acted did it on, for a notice.
        package var device: Device?
    }

    package let project: String
    /// Also the local part of the Message-ID, fixed when the row was written.
    package let id: String
    package let kind: MailKind
    /// Nil for a void row, which is rendered like the others and then dropped.
    package let recipient: EmailAddress?
    package let code: SealedID?
    package let facts: Facts
    package let createdAt: Moment
    package let expiresAt: Moment
    package let attempts: Int
    /// The code's settings, and whether it still lives.
    package let settings: ActionCodeSettings
    package let isCodeLive: Bool

    static let columns: SQL = """
        o.project, o.id, o.kind, o.recipient, o.code, o.key_version, o.facts, o.created_at, o.expires_at, o.attempts, \
        c.state, c.settings, c.expires_at
        """

    init?(_ row: Row, at now: Moment) throws {
        guard let kind = MailKind(rawValue: try row.text(2)) else { return nil }
        project = try row.text(0)
        id = try row.text(1)
        self.kind = kind
        recipient = try row.optionalText(3).map { EmailAddress(stored: $0) }
        if let id = try row.optionalBytes(4), let version = try row.optionalInt(5) {
            code = SealedID(version: UInt8(truncatingIfNeeded: version), id: id)
        } else {
            code = nil
        }
        facts = try Facts(stored: row.text(6))
        createdAt = Moment(milliseconds: try row.int(7))
        expiresAt = Moment(milliseconds: try row.int(8))
        attempts = Int(try row.int(9))
        settings = try ActionCodeSettings(stored: row.optionalText(11))
        let state = try row.optionalInt(10)
        let isLive = state == ActionCode.State.live.rawValue || state == ActionCode.State.void.rawValue
        let codeEnd = try row.optionalInt(12) ?? 0
        isCodeLive = code == nil || (isLive && now.milliseconds < codeEnd)
    }

    /// A mail about to be owed.
    struct Draft: Sendable {
        let id: String
        let kind: MailKind
        let recipient: EmailAddress?
        let code: SealedID?
        let expiresAt: Moment
        let facts: Facts

        static func passwordChanged(
            _ account: Account, to address: EmailAddress, id: String, language: String, on device: Device?,
            at now: Moment
        ) -> Draft {
            Draft(
                id: id, kind: .passwordChanged, recipient: address, code: nil,
                expiresAt: now.adding(seconds: 259_200),
                facts: Facts(language: language, displayName: account.mailableName, device: device))
        }
    }
}

extension OutboxMail.Facts {
    /// The JSON that the mail's row keeps.
    var stored: String {
        var object = JSON.Object()
        object["language"] = .string(language)
        object["displayName"] = displayName.map { .string($0) }
        object["newAddress"] = newAddress.map { .string($0) }
        object["voidAddress"] = voidAddress.map { .string($0) }
        object["browser"] = (device?.browser).map { .string($0.rawValue) }
        object["system"] = device.map { .string($0.system.rawValue) }
        return object.stored
    }

    init(stored: String) throws {
        let object = try JSON.Object(stored: stored)
        language = object["language"]?.stringValue ?? "en"
        displayName = object["displayName"]?.stringValue
        newAddress = object["newAddress"]?.stringValue
        voidAddress = object["voidAddress"]?.stringValue
        if let system = object["system"]?.stringValue.flatMap(Device.System.init) {
            device = Device(browser: object["browser"]?.stringValue.flatMap(Device.Browser.init), system: system)
        }
    }
}
