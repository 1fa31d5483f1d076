// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase

/// The place of action codes: `request` makes one and owes a mail, `inspect` looks, `redeem…` uses one up.
package final class ActionCodes: Sendable {
    let database: Database
    let ring: KeyRing
    let surroundings: Surroundings
    let limits: Limits
    let blockLimits: BlockLimits
    let passwords: Passwords
    let sessions: Sessions
    let outbox: Outbox
    /// Scheme, host and port that every link begins with.
    let publicURL: String

    package init(
        database: Database, ring: KeyRing, surroundings: Surroundings, limits: Limits, blockLimits: BlockLimits,
        passwords: Passwords, sessions: Sessions, outbox: Outbox, publicURL: String
    ) {
        self.database = database
        self.ring = ring
        self.surroundings = surroundings
        self.limits = limits
        self.blockLimits = blockLimits
        self.passwords = passwords
        self.sessions = sessions
        self.outbox = outbox
        self.publicURL = publicURL
    }

    /// What is asked for.
    package struct Request: Sendable {
        package let project: Project
        package let kind: ActionCodeKind
        package let subject: Subject
        package var newAddress: EmailAddress?
        package var settings: ActionCodeSettings
        /// The language tag of mail and link.
        package var language: String
        /// False: the link is returned to the operator's back end, nothing is mailed and nothing counted.
        package var isMailed: Bool
        /// The operator's back end asks: unknown addresses are told apart where production tells.
        package var isAdmin: Bool
        /// What the person asks on, for the notice to the present address.
        package var device: Device?

        package init(
            project: Project, kind: ActionCodeKind, subject: Subject, newAddress: EmailAddress? = nil,
            settings: ActionCodeSettings, language: String, isMailed: Bool = true, isAdmin: Bool = false,
            device: Device? = nil
        ) {
            self.project = project
            self.kind = kind
            self.subject = subject
            self.newAddress = newAddress
            self.settings = settings
            self.language = language
            self.isMailed = isMailed
            self.isAdmin = isAdmin
            self.device = device
        }
    }

    /// Who the code is for.
    package enum Subject: Sendable {
        case address(EmailAddress)
        case signedIn(SignedIn)
    }

    /// What was made: the address, and the code for a caller who may have it.
    package struct Issued: Sendable {
        package let address: EmailAddress
        /// Nil for a mailed code, and where nobody has the address.
        package let code: String?
        package let link: String?
    }

    /// Counts one mail against the caller's and the project's hour, before anything is looked up.
    ///
    /// - Parameter caller: as limits count it, ``Limits/mailPerIPHour``.
    package func allowMail(from caller: String, in project: Project) async throws {
        try await blockLimits.take("mail from \(caller)", project: project.id, limit: limits.mailPerIPHour)
        try await blockLimits.take("mail of project", project: project.id, limit: limits.mailPerProjectHour)
    }

    /// Makes a code and the mail that carries it, in one transaction: limits, account, code row, outbox row.
    ///
    /// A known and an unknown address cost the same statements and get the same answer.
    package func request(_ request: Request) async throws -> Issued {
        let draft = try draft(request)
        let issued = try await database.write { [self] connection in try write(draft, connection) }
        if request.isMailed { outbox.bell.ring() }
        guard !request.isMailed, issued.isReal else {
            return Issued(address: issued.address, code: nil, link: nil)
        }
        let context = ActionCode.context(request.kind, project: request.project.id)
        guard let code = draft.sealed.text(for: .actionCode, context: context, ring: ring) else {
            throw KeyFault.noActiveKey
        }
        surroundings.report(SecurityEvent(.linkHandedOver, project: request.project.id, account: issued.account))
        let link = MailedLink(project: request.project, publicURL: publicURL)
            .url(code: code, kind: request.kind, settings: request.settings, language: request.language)
        return Issued(address: issued.address, code: code, link: link)
    }

    // MARK: The transaction

    /// Everything that can be made before the transaction begins.
    struct Draft: Sendable {
        let request: Request
        let now: Moment
        let sealed: SealedID
        let typed: EmailAddress
        let settings: String?
        let mailID: String
        let expiresAt: Moment
    }

    private func draft(_ request: Request) throws -> Draft {
        let typed: EmailAddress
        switch request.subject {
        case .address(let address): typed = address
        case .signedIn(let person):
            guard let email = person.account.email else { throw Refusal.missingEmail }
            typed = email
        }
        let now = surroundings.now()
        return Draft(
            request: request, now: now, sealed: SealedID(newIn: ring, surroundings: surroundings), typed: typed,
            settings: request.settings.stored, mailID: surroundings.orderedName(length: 22),
            expiresAt: now.adding(seconds: request.project.settings.lifetime(of: request.kind)))
    }

    private func write(
        _ draft: Draft, _ connection: borrowing Connection
    ) throws -> (address: EmailAddress, account: String?, isReal: Bool) {
        let request = draft.request
        let project = request.project.id
        // A change is mailed to the new address: that is the one to protect from a flood.
        let limit =
            request.isMailed
            ? MailLimit(request.kind, to: request.newAddress ?? draft.typed, in: project, limits) : nil
        let lookUp: SQL =
            switch request.subject {
            case .address: AccountRows.selectByAddress(draft.typed.text, in: project)
            case .signedIn(let person):
                """
                SELECT \(sql: Account.columns) FROM accounts WHERE project = \(project) AND id = \(person.account.id)
                    AND EXISTS (SELECT 1 FROM sessions WHERE project = \(project) AND id = \(person.session.id)
                        AND ended_at IS NULL)
                """
            }
        var answers = try connection.run((limit?.count(at: draft.now) ?? []) + [lookUp])
        let account = try answers.removeLast().first.map { try Account($0) }
        if let limit, !limit.allows(try answers.map { Int(try $0[0].int(0)) }) {
            throw Refusal.tooManyAttempts("A mail went to this address a moment ago. Try again later.")
        }
        let isReal = try decide(draft, account, connection)
        let address = account?.email ?? draft.typed
        try connection.run(codeStatements(draft, account: account, address: address, isReal: isReal))
        try notify(draft, account, connection)
        return (address, account?.id, isReal)
    }

    /// Whether there is somebody to write to; throws where production says so out loud.
    private func decide(
        _ draft: Draft, _ account: Account?, _ connection: borrowing Connection
    ) throws -> Bool {
        let request = draft.request
        let hides = request.project.settings.hidesAddresses
        // The session was ended after its token had been believed.
        if case .signedIn = request.subject, account == nil { throw Refusal.tokenExpired }
        switch request.kind {
        case .passwordReset:
            if account == nil, !hides { throw Refusal.emailNotFound }
            return account != nil
        case .signIn:
            if let account, account.isDisabled {
                if request.isAdmin { throw Refusal.userDisabled }
                return false
            }
            if account == nil, !request.project.settings.allowsSignUp {
                if request.isAdmin || !hides { throw Refusal.adminOnlyOperation }
                return false
            }
            return true
        case .verifyEmail:
            guard let account else { throw Refusal.userNotFound }
            if account.email == nil { throw Refusal.missingEmail }
            return true
        case .verifyAndChangeEmail:
            guard account != nil else { throw Refusal.userNotFound }
            guard let new = request.newAddress else { throw Refusal.missingNewEmail }
            let owner = try AccountRows.find(address: new, in: request.project.id, connection)
            if owner != nil, !hides { throw Refusal.emailExists }
            return owner == nil
        case .recoverEmail:
            throw Refusal.invalidRequestType(request.kind.name)
        }
    }

    private func codeStatements(
        _ draft: Draft, account: Account?, address: EmailAddress, isReal: Bool
    ) -> [SQL] {
        let request = draft.request
        let project = request.project.id
        let followsAccount = request.kind == .verifyAndChangeEmail
        // Where nothing is mailed the code of before stays: nobody would get another one.
        let retire = Self.retire(
            request.kind, address: isReal ? address.text : "", account: followsAccount ? account?.id ?? "" : nil,
            in: project, as: .replaced, at: draft.now)
        let state = isReal ? ActionCode.State.live : .void
        let insert: SQL = """
            INSERT INTO codes (project, id, kind, state, address, account, new_address, holder, settings, language,
                created_at, expires_at)
            VALUES (\(project), \(draft.sealed.id), \(request.kind.rawValue), \(state.rawValue),
                \(isReal ? address.text : nil), \(isReal && followsAccount ? account?.id : nil),
                \(isReal ? request.newAddress?.text : nil), \(isReal ? holder(draft, account) : nil),
                \(isReal ? draft.settings : nil), \(request.language), \(draft.now),
                \(isReal ? draft.expiresAt : draft.now.adding(seconds: Sweep.voidSeconds)))
            """
        guard request.isMailed else { return [retire, insert] }
        let recipient = request.newAddress ?? address
        let mail = OutboxMail.Draft(
            id: draft.mailID, kind: MailKind(request.kind), recipient: isReal ? recipient : nil,
            code: draft.sealed, expiresAt: draft.expiresAt,
            facts: OutboxMail.Facts(
                language: request.language, displayName: account?.mailableName,
                newAddress: isReal ? request.newAddress?.text : outbox.voidAddress(recipient),
                voidAddress: isReal ? nil : outbox.voidAddress(recipient)))
        return [retire, insert, Outbox.insert(mail, in: project, at: draft.now)]
    }

    /// The account whose end is the code's end. A sign-in link needs none: whoever has its address without proof may be a
    /// stranger, and what the owner asks for outlives them.
    private func holder(_ draft: Draft, _ account: Account?) -> String? {
        guard let account, account.isEmailVerified || draft.request.kind != .signIn else { return nil }
        return account.id
    }

    /// The old address hears of a change when it is asked for, not only when it is done; also where the new one is taken,
    /// or its own mailbox would tell.
    private func notify(
        _ draft: Draft, _ account: Account?, _ connection: borrowing Connection
    ) throws {
        let request = draft.request
        guard request.kind == .verifyAndChangeEmail, request.isMailed, let account, let address = account.email,
            try NoticeLimit.allows(address, account, limits, in: request.project.id, at: draft.now, connection)
        else { return }
        let mail = OutboxMail.Draft(
            id: surroundings.orderedName(length: 22), kind: .emailChangeNotice,
            recipient: address, code: nil, expiresAt: draft.now.adding(seconds: 259_200),
            facts: OutboxMail.Facts(
                language: request.language, displayName: account.mailableName,
                newAddress: request.newAddress?.text, device: request.device))
        try connection.run(Outbox.insert(mail, in: request.project.id, at: draft.now))
    }

    /// Takes live codes of a kind out of use: by the address that they are bound to, or by the account.
    static func retire(
        _ kind: ActionCodeKind, address: String, account: String?, in project: String, as state: ActionCode.State,
        at now: Moment
    ) -> SQL {
        let binding: SQL = account.map { "account = \($0)" } ?? "address = \(address)"
        return """
            UPDATE codes SET state = \(state.rawValue), ended_at = \(now)
            WHERE project = \(project) AND \(sql: binding) AND kind = \(kind.rawValue) AND state = 0
            """
    }
}
