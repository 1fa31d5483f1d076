// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingLinkRules
package import HomingPasswords
package import HomingProjects
package import HomingStore
import HomingWire

/// Action codes: `request` makes a code and owes its mail, `inspect` reads a code, the other verbs use one up.
package final class ActionCodes: Sendable {
    let store: Store
    let blockLimits: BlockLimits
    let passwords: Passwords
    let sessions: Sessions
    let outbox: Outbox
    /// Scheme, host and port that every link begins with.
    let publicURL: String
    package let waitingRoom = WaitingRoom()

    package init(
        store: Store, blockLimits: BlockLimits, passwords: Passwords, sessions: Sessions, outbox: Outbox,
        publicURL: String
    ) {
        self.store = store
        self.blockLimits = blockLimits
        self.passwords = passwords
        self.sessions = sessions
        self.outbox = outbox
        self.publicURL = publicURL
        store.hearsOfCodes.set { [waitingRoom] in waitingRoom.ring($0) }
    }

    /// A request for an action code.
    package struct Request: Sendable {
        package let project: Project
        package let kind: ActionCodeKind
        package let subject: Subject
        package var newAddress: EmailAddress?
        package var settings: ActionCodeSettings
        /// The language tag of mail and link. Where the caller names none it is nil: the mail is in the project's
        /// language, and the link names none, so that its page follows the browser.
        package var language: String?
        /// False when the link is returned to the operator's back end: nothing is mailed and nothing counted.
        package var isMailed: Bool
        /// Whether the operator's back end asks: unknown addresses are then told apart where production does so.
        package var isAdmin: Bool
        /// Whether an unknown address gets the same answer even where the project would tell: a page of ours asks.
        package var isQuiet = false
        /// The person's device, for the notice to the present address.
        package var device: Device?
        /// What the client that asks alone can answer: the code is bound to it then.
        package var challenge: CodeChallenge?
        /// Who asks, for the reader of the mail. Only a bound code keeps it.
        package var asked: AskedFrom?
        /// The operator who has a mail sent to somebody, or the back end that is given a link: an entry of the audit
        /// log. A mail that an app or its back end asks for goes to its person alone, and is none.
        package var authority = Authority.server

        package init(
            project: Project, kind: ActionCodeKind, subject: Subject, newAddress: EmailAddress? = nil,
            settings: ActionCodeSettings, language: String?, isMailed: Bool = true, isAdmin: Bool = false,
            device: Device? = nil, challenge: CodeChallenge? = nil, asked: AskedFrom? = nil
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
            self.challenge = challenge
            self.asked = asked
        }
    }

    /// The person that the code is for.
    package enum Subject: Sendable {
        case address(EmailAddress)
        case signedIn(SignedIn)
    }

    /// The result of a request: the address, and the code for a caller who may have it.
    package struct Issued: Sendable {
        package let address: EmailAddress
        /// Nil for a mailed code, and where nobody has the address.
        package let code: String?
        package let link: String?
        /// What the client of a bound request is told, whether anybody has the address or not.
        package var bound: BoundRequest?
        /// The digits that the page asks for, where the operator mails an unbound code and the project wants them.
        package var pressNumber: String?
    }

    /// Counts one mail against the caller's and the project's hour, before anything is looked up.
    ///
    /// - Parameter caller: the caller, in the form that ``Limits/mailPerIPHour`` counts.
    package func allowMail(from caller: String, in project: Project) async throws {
        try await blockLimits.take("mail from \(caller)", project: project.projectID, limit: store.limits.mailPerIPHour)
        try await blockLimits.take(
            "mail of project", project: project.projectID, limit: store.limits.mailPerProjectHour)
    }

    /// Mails a password reset to an account's address, for an operator. Limits of the address count as for anybody.
    package func sendReset(to account: Account, in project: Project, by author: Authority) async throws {
        try await send(.passwordReset, to: account, in: project, by: author)
    }

    /// Mails a link that verifies an account's address, for an operator. Limits of the address count as for anybody.
    package func sendVerification(to account: Account, in project: Project, by author: Authority) async throws {
        try await send(.verifyEmail, to: account, in: project, by: author)
    }

    private func send(
        _ kind: ActionCodeKind, to account: Account, in project: Project, by author: Authority
    ) async throws {
        guard let address = account.email else { throw Refusal.missingEmail }
        var wanted = Request(
            project: project, kind: kind, subject: .address(address), settings: ActionCodeSettings(),
            language: nil, isAdmin: true)
        wanted.authority = author
        _ = try await request(wanted)
    }

    /// Makes a code and the mail that carries it, in one transaction: limits, account, code row, outbox row.
    ///
    /// A known and an unknown address cost the same statements and get the same answer.
    package func request(_ request: Request) async throws -> Issued {
        if request.isMailed { try store.checkMail(of: request.project) }
        // The operator's back end, and the operator, answer for whom they give a link to.
        if request.challenge == nil, !request.isAdmin, request.project.settings.requiresBinding(of: request.kind) {
            throw Refusal.bindingRequired(request.kind)
        }
        let draft = try draft(request)
        let address: EmailAddress
        let isReal: Bool
        (address, isReal) = try await store.write(in: request.project, by: request.authority) { [self] tx in
            try issue(draft, tx)
        }
        var issued = Issued(address: address, code: nil, link: nil)
        if request.challenge != nil {
            store.boundRequests.count(request.kind, "asked")
            issued.bound = try bound(draft)
        }
        guard !request.isMailed, isReal else { return issued }
        let code = try text(of: draft.sealed, request.kind, in: request.project)
        let link = MailedLink(project: request.project, publicURL: publicURL)
            .url(code: code, kind: request.kind, settings: request.settings, language: request.language)
        let number = draft.hasPressNumber ? try numbers(of: draft).pressNumber() : nil
        return Issued(address: address, code: code, link: link, bound: issued.bound, pressNumber: number)
    }

    private func numbers(of draft: Draft) -> FinishNumbers {
        numbers(of: draft.sealed, draft.request.kind, in: draft.request.project)
    }

    private func bound(_ draft: Draft) throws -> BoundRequest {
        let numbers = numbers(of: draft)
        guard let id = try numbers.requestID(), let number = try numbers.matchNumber() else {
            throw KeyFault.unknownVersion(draft.sealed.version)
        }
        return BoundRequest(
            requestID: id, matchNumber: number,
            expiresIn: draft.request.project.settings.lifetime(of: draft.request.kind))
    }

    // MARK: The transaction

    /// The values of a request that are made before the transaction begins.
    private struct Draft: Sendable {
        let request: Request
        let typed: EmailAddress
        let sealed: SealedID
        let mailID: String
        let settings: String?
        /// Of the address that the mail goes to: after a change of address it is the new one.
        let digest: String

        /// Whether the page asks for the number that stands in the mail.
        var hasPressNumber: Bool {
            request.challenge == nil && request.project.settings.asksPressNumber(of: request.kind)
        }
    }

    private func draft(_ request: Request) throws -> Draft {
        let typed: EmailAddress
        switch request.subject {
        case .address(let address): typed = address
        case .signedIn(let person):
            guard let email = person.account.email else { throw Refusal.missingEmail }
            typed = email
        }
        return Draft(
            request: request, typed: typed, sealed: try SealedID(newIn: store.ring, system: store.system),
            mailID: OutboxMail.newID(store.system), settings: request.settings.stored,
            digest: store.ring.digest(of: request.newAddress ?? typed, in: request.project.projectID.scope))
    }

    private func issue(
        _ draft: Draft, _ tx: borrowing ProjectTransaction
    ) throws -> (address: EmailAddress, isReal: Bool) {
        let request = draft.request
        let (account, isFirstOfDay) = try count(draft, tx)
        let isReal = try decide(request, account, tx)
        // The account is missing, and not merely closed to whoever asks.
        let isTold = isFirstOfDay && account == nil && !isReal
        let address = account?.email ?? draft.typed
        if request.isMailed, let account {
            tx.note(
                request.kind == .verifyEmail ? "account.sendVerification" : "account.sendReset", of: account.id.text)
        } else if !request.isMailed, isReal {
            tx.note("account.link", of: account?.id.text ?? "no account", after: request.kind.mode.rawValue)
        }
        let owner = owner(of: draft, account, isReal ? address : nil)
        if request.isMailed {
            // Before the earlier code is retired, which tells whose place it is.
            tx.owe(
                isTold
                    ? word(draft, at: tx.now)
                    : mail(draft, account, to: request.newAddress ?? address, isReal: isReal, at: tx.now),
                inPlaceOf: tx.codes.mail(with: request.kind, of: owner))
        }
        tx.codes.retire(request.kind, of: owner)
        tx.codes.insert(code(draft, account, isReal ? address : nil, at: tx.now))
        if request.isMailed {
            try notify(request, account, tx)
        } else if isReal {
            tx.report(.linkHandedOver, account: account?.id)
        }
        return (address, isReal)
    }

    /// Counts the mail, and finds the account that the mail is for. Says, too, whether the address may be told that
    /// there is none: the project wants that, and it was not told today.
    private func count(
        _ draft: Draft, _ tx: borrowing ProjectTransaction
    ) throws -> (account: Account?, isFirstOfDay: Bool) {
        let request = draft.request
        let lookUp: [SQL] =
            switch request.subject {
            case .address: [tx.accounts.selection(of: draft.typed)]
            case .signedIn(let person):
                [tx.accounts.selection(of: person.account.id), tx.sessions.life(of: person.session)]
            }
        func account(_ answers: [[Row]]) throws -> Account? {
            guard let row = answers.first?.first, answers.allSatisfy({ !$0.isEmpty }) else { return nil }
            return try Account(row)
        }
        guard request.isMailed else { return (try account(try tx.run(lookUp)), false) }
        // A change is mailed to the new address, which has to be protected from a flood.
        let limit = MailLimit(request.kind, to: draft.digest, store.limits)
        let told = tellsUnknown(request) ? [MailLimit.told(draft.digest)] : []
        let (counts, answers) = try tx.counters.incrementMails(limit.counters + told, beside: lookUp)
        guard limit.allows(counts) else {
            throw Refusal.mailedAMomentAgo
        }
        return (try account(answers), !told.isEmpty && counts.last == 1)
    }

    /// Whether an address that nobody has an account with hears of it, where such a request mails nothing else.
    private func tellsUnknown(_ request: Request) -> Bool {
        let settings = request.project.settings
        guard settings.tellsUnknownAddresses else { return false }
        return request.kind == .passwordReset || request.kind == .signIn && !settings.allowsSignUp
    }

    /// Whether the mail has a recipient; throws where production reports that it has none.
    private func decide(_ request: Request, _ account: Account?, _ tx: borrowing ProjectTransaction) throws -> Bool {
        let settings = request.project.settings
        let hidesAddresses = settings.hidesAddresses || request.isQuiet
        // The session was ended after its token was verified.
        if case .signedIn = request.subject, account == nil { throw Refusal.tokenExpired }
        switch request.kind {
        case .passwordReset:
            if account == nil, !hidesAddresses { throw Refusal.emailNotFound }
            return account != nil
        case .signIn:
            if let account, account.isDisabled {
                if request.isAdmin { throw Refusal.userDisabled }
                return false
            }
            if account == nil, !settings.allowsSignUp {
                if request.isAdmin || !hidesAddresses { throw Refusal.adminOnlyOperation }
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
            let owner = try tx.accounts.find(new)
            if owner != nil, !hidesAddresses { throw Refusal.emailExists }
            return owner == nil
        case .recoverEmail:
            throw Refusal.invalidRequestType(request.kind.name)
        }
    }

    /// The owner of the live codes that the new code replaces.
    private func owner(of draft: Draft, _ account: Account?, _ address: EmailAddress?) -> CodeRows.Owner {
        if draft.request.kind == .verifyAndChangeEmail, let account { return .account(account.id) }
        return .address(address, digest: draft.digest)
    }

    /// - Parameter address: nil where nobody has the address; then the code is void. Whoever waits for a void one learns
    ///   as little as of a real one, which lives as long.
    private func code(_ draft: Draft, _ account: Account?, _ address: EmailAddress?, at now: Moment) -> ActionCode.Draft
    {
        let request = draft.request
        let isBound = request.challenge != nil
        let isVoid = address == nil
        let seconds =
            isVoid && !isBound ? Sweep.voidSeconds : request.project.settings.lifetime(of: request.kind)
        var code = ActionCode.Draft(
            id: draft.sealed.id, kind: request.kind, language: request.language,
            expiresAt: now.adding(seconds: seconds),
            mail: request.isMailed ? draft.mailID : nil)
        if isBound {
            code.challenge = request.challenge
            code.asked = request.asked
        }
        if isBound || draft.hasPressNumber { code.digest = draft.digest }
        if !isVoid || isBound {
            code.settings = draft.settings
            if request.kind == .verifyAndChangeEmail { code.account = account?.id }
        }
        guard !isVoid else {
            code.state = .void
            return code
        }
        code.address = address
        code.newAddress = request.newAddress
        code.holder = holder(request, account)
        return code
    }

    private func mail(
        _ draft: Draft, _ account: Account?, to recipient: EmailAddress, isReal: Bool, at now: Moment
    ) -> OutboxMail.Draft {
        let request = draft.request
        let void = isReal ? nil : outbox.voidAddress(recipient)
        return OutboxMail.Draft(
            id: draft.mailID, kind: MailKind(request.kind), recipient: isReal ? recipient : nil, code: draft.sealed,
            expiresAt: now.adding(seconds: request.project.settings.lifetime(of: request.kind)),
            facts: OutboxMail.Facts(
                language: MailLanguage(request.language, of: account, in: request.project),
                displayName: account?.mailableName,
                newAddress: isReal ? request.newAddress?.text : void, voidAddress: void))
    }

    /// The mail to an address that nobody has an account with, in the place of the void row. The code that the request
    /// has made is void all the same, and nobody gets it.
    private func word(_ draft: Draft, at now: Moment) -> OutboxMail.Draft {
        let request = draft.request
        return OutboxMail.Draft(
            id: draft.mailID, kind: .unknownAddress, recipient: draft.typed, code: nil,
            expiresAt: now.adding(seconds: request.project.settings.lifetime(of: request.kind)),
            facts: OutboxMail.Facts(language: MailLanguage(request.language, in: request.project)))
    }

    /// The account whose removal kills the code. A sign-in link for an unproven address has none: that account may be a
    /// stranger's, and the link that the owner asks for outlives it.
    private func holder(_ request: Request, _ account: Account?) -> AccountID? {
        guard let account, account.isEmailVerified || request.kind != .signIn else { return nil }
        return account.id
    }

    /// Notifies the old address when a change is requested, not only when the change is done; also where the new
    /// address is taken, because otherwise the old mailbox would reveal that.
    private func notify(_ request: Request, _ account: Account?, _ tx: borrowing ProjectTransaction) throws {
        guard request.kind == .verifyAndChangeEmail, let account, let address = account.email,
            try tx.counters.allowsNotice(to: address, isProven: account.isEmailVerified)
        else { return }
        tx.owe(
            .notice(
                .emailChangeNotice, to: address, named: account.mailableName, newAddress: request.newAddress,
                language: MailLanguage(request.language, of: account, in: request.project), on: request.device,
                at: tx.now))
    }
}
