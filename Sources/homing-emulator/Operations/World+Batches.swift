// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

extension World {
    /// `accounts:query`.
    mutating func query(_ call: Call) throws(Fault) -> JSON {
        try checkEnabled(call)
        let body = call.body
        if try body.array("expression")?.isEmpty == false {
            throw Fault.notImplemented("expression is not implemented.")
        }
        let space = self[call.place]
        let count: (String, JSON?) = ("recordsCount", .string(String(space.count)))
        guard try body.bool("returnUserInfo") ?? true else { return .object([count]) }
        if try body.has("limit") { throw Fault.notImplemented("limit is not implemented.") }
        guard try body.integer("offset") ?? 0 == 0 else { throw Fault.notImplemented("offset is not implemented.") }
        let sortings = ["SORT_BY_FIELD_UNSPECIFIED", "USER_ID"]
        let sorting = try body.name("sortBy", of: sortings) ?? sortings[1]
        guard sortings.contains(sorting) else { throw Fault.notImplemented("Only sorting by USER_ID is implemented.") }
        let isDescending = try body.name("order", of: ["ORDER_UNSPECIFIED", "ASC", "DESC"]) == "DESC"
        let accounts = isDescending ? space.all.reversed() : space.all
        return .object([count, ("userInfo", .array(accounts.map(\.json)))])
    }

    /// `accounts:batchGet`, a page of accounts in the order of their ids. A negative number wants all.
    mutating func batchGet(_ call: Call) throws(Fault) -> JSON {
        try checkEnabled(call)
        let wanted = Int(try call.body.integer("maxResults") ?? 0)
        let size = wanted == 0 ? 20 : min(wanted, 1000)
        var accounts = self[call.place].all[...]
        if let last = try call.body.text("nextPageToken") {
            accounts = accounts.drop { !last.utf8.lexicographicallyPrecedes($0.id.utf8) }
        }
        if size > 0 { accounts = accounts.prefix(size) }
        return .object([
            ("kind", Rules.kind("DownloadAccountResponse")), ("users", .array(accounts.map(\.json))),
            // A full page has a token, also where nothing follows.
            ("nextPageToken", size > 0 && accounts.count == size ? accounts.last.map { .string($0.id) } : nil),
        ])
    }

    /// All accounts of a place, as an export has them: also of a tenant that is off.
    func accounts(in place: Place) -> JSON {
        ["kind": Rules.kind("DownloadAccountResponse"), "users": .array(self[place].all.map(\.json))]
    }

    /// `accounts:batchDelete`.
    mutating func batchDelete(_ call: Call) throws(Fault) -> JSON {
        let ids = try call.body.strings("localIds")
        guard (1...1000).contains(ids.count) else { throw Fault("LOCAL_ID_LIST_EXCEEDS_LIMIT") }
        let isForced = try call.body.bool("force") ?? false
        var errors: [JSON] = []
        for (index, id) in ids.enumerated() {
            guard let account = self[call.place][id] else { continue }
            guard isForced || account.isDisabled == true else {
                errors.append([
                    "index": .int(Int64(index)), "localId": .string(id),
                    "message": "NOT_DISABLED : Disable the account before batch deletion.",
                ])
                continue
            }
            self[call.place].remove(id)
        }
        return .object([("errors", errors.isEmpty ? nil : .array(errors))])
    }

    // MARK: Import

    /// `accounts:batchCreate`: what is wrong with an entry is told with its index, and the others are taken.
    mutating func batchCreate(_ call: Call) throws(Fault) -> JSON {
        try checkEnabled(call)
        guard let entries = try call.body.bodies("users"), !entries.isEmpty else { throw Fault("MISSING_USER_ACCOUNT") }
        let isChecked = try call.body.bool("sanityCheck") ?? false
        let overwrites = try call.body.bool("allowOverwrite") ?? false
        let hasOneAccountPerAddress = !self[config: call.place.project].allowsDuplicateEmails
        if isChecked { try Self.checkSanity(entries, addresses: hasOneAccountPerAddress) }
        if !overwrites {
            var ids: Set<String> = []
            for entry in entries {
                let id = try entry.text("localId") ?? ""
                guard ids.insert(id).inserted else { throw Fault("DUPLICATE_LOCAL_ID : \(id)") }
            }
        }
        var errors: [JSON] = []
        for (index, entry) in entries.enumerated() {
            do throws(Fault) {
                let account = try imported(
                    entry, in: call.place,
                    addressClash: isChecked && hasOneAccountPerAddress
                        ? "email exists in other account in database" : nil)
                guard overwrites || self[call.place][account.id] == nil else {
                    throw Fault("localId belongs to an existing account - can not overwrite.")
                }
                self[call.place].put(account)
            } catch {
                errors.append(["index": .int(Int64(index)), "message": .string(error.message)])
            }
        }
        return .object([("kind", Rules.kind("UploadAccountResponse")), ("error", .array(errors))])
    }

    private static func checkSanity(_ entries: [Body], addresses: Bool) throws(Fault) {
        var (emails, ids) = (Set<String>(), Set<String>())
        for entry in entries {
            if addresses, let email = try entry.text("email")?.lowercased() {
                guard emails.insert(email).inserted else { throw Fault("DUPLICATE_EMAIL : \(email)") }
            }
            for info in try entry.bodies("providerUserInfo") ?? [] {
                guard let provider = try info.text("providerId"), let raw = try info.text("rawId") else { continue }
                guard ids.insert("\(provider)\u{0}\(raw)").inserted else {
                    throw Fault("DUPLICATE_RAW_ID : Provider id(\(provider)), Raw id(\(raw))")
                }
            }
        }
    }

    private func imported(_ entry: Body, in place: Place, addressClash: String?) throws(Fault) -> Account {
        guard let id = try entry.text("localId") else { throw Fault("localId is missing") }
        guard try entry.text("tenantId") ?? place.tenant == place.tenant else {
            throw Fault("Tenant id in userInfo does not match the tenant id in request.")
        }
        var account = Account(id: id)
        account.tenant = place.tenant
        account.displayName = try entry.text("displayName")
        account.photoURL = try entry.text("photoUrl")
        account.isEmailVerified = try entry.bool("emailVerified") ?? false
        account.isDisabled = try entry.bool("disabled") ?? false
        account.createdAt = try entry.integer("createdAt") ?? now
        account.lastLoginAt = try entry.integer("lastLoginAt")
        account.validSince = now / 1000
        if let hash = try entry.text("passwordHash") {
            account.passwordHash = hash
            account.salt = try entry.text("salt")
            account.passwordUpdatedAt = now
        } else if let password = try entry.text("rawPassword") {
            account.setPassword(password, salt: try entry.text("salt") ?? Self.newSalt(), at: now)
        }
        account.customAttributes = try Self.importedClaims(entry.text("customAttributes"))
        try takeProviders(of: entry, into: &account, in: place)
        if let phone = try entry.text("phoneNumber") {
            guard phone.hasPrefix("+") else { throw Fault("phone number format is invalid") }
            account.phoneNumber = phone
        }
        if let text = try entry.text("email") {
            guard Rules.isAddress(text) else { throw Fault("email is invalid") }
            let email = text.lowercased()
            if let other = self[place].account(email: email), other.id != id {
                throw Fault(addressClash ?? "((Auth Emulator does not support importing duplicate email: \(email)))")
            }
            account.email = email
        }
        if let factors = try entry.bodies("mfaInfo"), !factors.isEmpty {
            guard account.email != nil else { throw Fault("Second factor account requires email to be presented.") }
            guard account.isEmailVerified == true else {
                throw Fault("Second factor account requires email to be verified.")
            }
            account.secondFactors = try SecondFactors.imported(factors, at: Self.timestamp(now))
        }
        return account
    }

    private static func importedClaims(_ text: String?) throws(Fault) -> String? {
        guard let text else { return nil }
        do throws(Fault) {
            try Rules.claims(text)
        } catch {
            throw switch error.message {
            case "CLAIMS_TOO_LARGE": Fault("Custom claims provided are too large.")
            case "INVALID_CLAIMS": Fault("Invalid custom claims provided.")
            default: Fault("Custom claims provided include a reserved claim.")
            }
        }
        return text
    }

    private func takeProviders(of entry: Body, into account: inout Account, in place: Place) throws(Fault) {
        for info in try entry.bodies("providerUserInfo") ?? [] {
            let provider = try info.text("providerId")
            if provider == "password" || provider == "phone" { continue }
            guard let provider, let raw = try info.text("rawId") else {
                guard try info.text("federatedId") != nil else {
                    throw Fault("federatedId or (providerId & rawId) is required")
                }
                throw Fault(
                    "((Parsing federatedId is not implemented in Auth Emulator; please specify providerId AND rawId "
                        + "as a workaround.))")
            }
            if let other = self[place].account(of: provider, id: raw), other.id != account.id {
                throw Fault("raw id exists in other account in database")
            }
            var members = JSON.Object([("providerId", .string(provider)), ("rawId", .string(raw))])
            for name in ["displayName", "photoUrl", "email", "federatedId", "screenName", "phoneNumber"] {
                if let text = try info.text(name) { members[name] = .string(text) }
            }
            account.link(members)
        }
    }
}
