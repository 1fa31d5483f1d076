// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The accounts of one project or of one of its tenants, with the codes that were made for them.
struct AccountSpace {
    /// A code that was mailed, as it were: tests read it from a list.
    struct Code {
        let kind: String
        let email: String
        let newEmail: String?
        let text: String
        let link: String
    }

    private var accounts: [String: Account] = [:]
    private var idsByEmail: [String: String] = [:]
    private var idsByPhone: [String: String] = [:]
    private var idsByProvider: [String: String] = [:]
    /// The oldest first. Deleting accounts leaves them.
    private(set) var codes: [Code] = []

    // MARK: Finding

    subscript(id: String) -> Account? { accounts[id] }
    func account(email: String) -> Account? { idsByEmail[email].flatMap { accounts[$0] } }
    func account(phone: String) -> Account? { idsByPhone[phone].flatMap { accounts[$0] } }

    func account(of provider: String, id: String) -> Account? {
        idsByProvider[Self.key(provider, id)].flatMap { accounts[$0] }
    }

    func account(initialEmail: String) -> Account? { accounts.values.first { $0.initialEmail == initialEmail } }

    /// All accounts in the order of their ids.
    var all: [Account] {
        accounts.values.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
    }

    var count: Int { accounts.count }

    // MARK: Changing

    /// Stores an account in the place of the one with its id.
    mutating func put(_ account: Account) {
        var account = account
        account.settleProviders()
        remove(account.id)
        accounts[account.id] = account
        if let email = account.email { idsByEmail[email] = account.id }
        if let phone = account.phoneNumber { idsByPhone[phone] = account.id }
        for (provider, id) in account.federated { idsByProvider[Self.key(provider, id)] = account.id }
    }

    mutating func remove(_ id: String) {
        guard let account = accounts.removeValue(forKey: id) else { return }
        // An index may lead to another account already: phone numbers of imports are not looked up.
        if let email = account.email, idsByEmail[email] == id { idsByEmail[email] = nil }
        if let phone = account.phoneNumber, idsByPhone[phone] == id { idsByPhone[phone] = nil }
        for (provider, raw) in account.federated where idsByProvider[Self.key(provider, raw)] == id {
            idsByProvider[Self.key(provider, raw)] = nil
        }
    }

    mutating func removeAll() {
        let codes = codes
        self = AccountSpace()
        self.codes = codes
    }

    mutating func add(_ code: Code) { codes.append(code) }
    func code(_ text: String) -> Code? { codes.first { $0.text == text } }
    mutating func spend(_ code: Code) { codes.removeAll { $0.text == code.text } }

    private static func key(_ provider: String, _ id: String) -> String { "\(provider)\u{0}\(id)" }
}
