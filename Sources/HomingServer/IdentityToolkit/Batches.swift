// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingPasswords
import HomingProjects
import HomingStore
import HomingTransfer
import HomingWire

/// Many accounts at once, for the operator's back end.
extension IdentityToolkit {
    private static let mostAccounts = 1000

    // MARK: batchGet

    /// `downloadAccount` of version 3: the same, with its members in the body.
    static func batchGet(_ context: AdminProjectContext) async throws -> JSON {
        try await batchGet(
            context, maxResults: try context.fields.digits("maxResults"),
            after: try context.fields.text("nextPageToken"))
    }

    /// `accounts:batchGet`: a page of accounts, by id. Only a key that may read hashes gets those of passwords.
    static func batchGet(_ context: AdminProjectContext, maxResults: String?, after page: String?) async throws -> JSON
    {
        var limit = 20
        if let maxResults, !maxResults.isEmpty, maxResults != "0" {
            guard let number = Int(maxResults), number > 0 else {
                throw Refusal.invalidArgument("maxResults is a whole number from 1 to \(mostAccounts)")
            }
            limit = min(number, mostAccounts)
        }
        let selection = PageSelection(ring: context.homing.keys.ring)
        let list = "accounts of \(context.project.scope)"
        let accounts = try await context.homing.accounts.page(
            in: context.project, after: AccountID(try selection.last(page, of: list)), limit: limit)
        var schemes: [String: PasswordScheme]?
        if context.backEnd.key?.readsHashes == true {
            let all = try await context.homing.accounts.schemes.all(of: context.project)
            schemes = Dictionary(all.map { ($0.id, $0.scheme) }) { first, _ in first }
        }
        let users = accounts.map { AccountRecord.json($0, in: context.project, telling: schemes) }
        return .object([
            ("kind", kind("DownloadAccountResponse")),
            ("users", users.isEmpty ? nil : .array(users)),
            // A full page has one, even where nothing follows: SDKs ask once more.
            (
                "nextPageToken",
                accounts.count < limit
                    ? nil : accounts.last.map { .string(selection.token(after: $0.id.text, of: list)) }
            ),
        ])
    }

    // MARK: batchDelete

    /// `accounts:batchDelete`. Ids of nobody are no error; without `force`, accounts that are not disabled stay.
    static func batchDelete(_ context: AdminProjectContext) async throws -> JSON {
        let ids = try context.fields.strings("localIds", atMost: .max).map { AccountID($0) }
        guard (1...mostAccounts).contains(ids.count) else { throw Refusal.localIDListExceedsLimit }
        let left = try await context.homing.accounts.delete(
            ids, evenEnabled: try context.fields.bool("force") ?? false, in: context.project,
            by: context.backEnd.author)
        let errors = left.map { index -> JSON in
            [
                "index": .int(Int64(index)), "localId": .string(ids[index].text),
                "message": "NOT_DISABLED : Disable the account before batch deletion.",
            ]
        }
        return .object([("errors", errors.isEmpty ? nil : .array(errors))])
    }

    // MARK: batchCreate

    /// `accounts:batchCreate`: accounts of another system, with the hashes of their passwords. An account that cannot
    /// be taken is named by its index, and the others are taken. With `allowOverwrite` those that are here are brought
    /// up to date.
    static func batchCreate(_ context: AdminProjectContext) async throws -> JSON {
        let fields = context.fields
        let users = try fields.objects("users", atMost: mostAccounts)
        guard !users.isEmpty else { throw Refusal.missingUserAccount }
        let updates = try fields.bool("allowOverwrite") ?? false
        let scheme = try hashScheme(fields)
        let checksDuplicates = try fields.bool("sanityCheck") ?? false
        var errors: [(index: Int, fault: ImportedAccount.Fault)] = []
        var accounts: [(index: Int, account: ImportedAccount)] = []
        var ids: Set<AccountID> = []
        var addresses: Set<[UInt8]> = []
        var identities: Set<[UInt8]> = []
        for (index, user) in users.enumerated() {
            do {
                let account = try ImportedAccount(user, scheme)
                guard ids.insert(account.id).inserted else { throw Refusal.duplicateLocalIDs(account.id) }
                if checksDuplicates {
                    if let email = account.email, !addresses.insert(Array(email.text.utf8)).inserted {
                        throw Refusal.duplicateEmail(email.text)
                    }
                    for identity in account.identities
                    where !identities.insert(Array("\(identity.provider)\u{0}\(identity.id)".utf8)).inserted {
                        throw Refusal.duplicateRawID(provider: identity.provider, id: identity.id)
                    }
                }
                guard !account.notKept.contains("mfaInfo") else {
                    throw ImportedAccount.Fault("\(NotOffered.secondFactors.rawValue) Leave mfaInfo out.")
                }
                accounts.append((index, account))
            } catch let fault as ImportedAccount.Fault {
                errors.append((index, fault))
            }
        }
        let answers = try await context.homing.accounts.take(
            accounts.map(\.account), in: context.project, updating: updates, by: context.backEnd.author)
        for (answer, (index, _)) in zip(answers, accounts) {
            switch answer {
            case .taken, .updated: break
            case .unchanged: errors.append((index, .alreadyHere))
            case .refused(let fault): errors.append((index, fault))
            }
        }
        let sorted = errors.sorted { $0.index < $1.index }.map { index, fault -> JSON in
            ["index": .int(Int64(index)), "message": .string(fault.description)]
        }
        return .object([
            ("kind", kind("UploadAccountResponse")), ("error", sorted.isEmpty ? nil : .array(sorted)),
        ])
    }

    /// How the hashes were made: `hashAlgorithm` and the parameters that belong to it.
    private static func hashScheme(_ fields: Fields) throws -> PasswordScheme? {
        guard let algorithm = try fields.text("hashAlgorithm") else { return nil }
        func key(_ name: String) throws -> [UInt8]? {
            guard let text = try fields.text(name) else { return nil }
            guard let bytes = PasswordScheme.decode(text) else {
                throw Refusal.invalidArgument("\(name) is not base64")
            }
            return bytes
        }
        func number(_ name: String) throws -> Int? { try fields.integer(name).map { Int(clamping: $0) } }
        var parameters = PasswordScheme.Parameters()
        parameters.key = try key("signerKey")
        parameters.saltSeparator = try key("saltSeparator")
        parameters.rounds = try number("rounds")
        let memoryCost = try number("memoryCost")
        parameters.memoryCost = try memoryCost ?? number("cpuMemCost")
        parameters.blockSize = try number("blockSize")
        parameters.parallelization = try number("parallelization")
        let orders = ["UNSPECIFIED_ORDER", "SALT_AND_PASSWORD", "PASSWORD_AND_SALT"]
        switch try fields.choice("passwordHashOrder", of: orders, type: "PasswordHashOrder") {
        case 1: parameters.isSaltFirst = true
        case 2: parameters.isSaltFirst = false
        default: break
        }
        if let argon2 = try fields.object("argon2Parameters") { parameters.argon2 = try argon2Parameters(argon2) }
        return try PasswordScheme(algorithm: algorithm, parameters)
    }

    private static func argon2Parameters(_ fields: Fields) throws -> Argon2Parameters {
        func number(_ name: String) throws -> Int {
            guard let number = try fields.integer(name) else {
                throw Refusal.invalidArgument("argon2Parameters.\(name) is missing")
            }
            return Int(clamping: number)
        }
        let kinds = ["HASH_TYPE_UNSPECIFIED", "ARGON2_D", "ARGON2_ID", "ARGON2_I"]
        let kind = try fields.choice("hashType", of: kinds, type: "HashType")
        guard kind > 0 else { throw Refusal.invalidArgument("argon2Parameters.hashType is missing") }
        var parameters = Argon2Parameters(
            kind: Argon2Kind.allCases[kind - 1], hashLength: try number("hashLengthBytes"),
            memory: try number("memoryCostKib"), passes: try number("iterations"), lanes: try number("parallelism"))
        let versions = ["VERSION_UNSPECIFIED", "VERSION_10", "VERSION_13"]
        parameters.isVersion10 = try fields.choice("version", of: versions, type: "Version") == 1
        if let data = try fields.text("associatedData") {
            guard let bytes = PasswordScheme.decode(data) else {
                throw Refusal.invalidArgument("argon2Parameters.associatedData is not base64")
            }
            parameters.data = bytes
        }
        return parameters
    }
}
