// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingStore

/// What an import tries before it stores anything: whether a password is that of the account with this address.
package struct ImportTrial: Sendable {
    package let address: EmailAddress
    private let password: String
    private var wasSeen = false
    private var isRight: Bool?

    package init(address: EmailAddress, password: String) {
        self.address = address
        self.password = password
    }

    mutating func look(at account: ImportedAccount, _ homing: Homing) async throws {
        guard account.email == address else { return }
        wasSeen = true
        isRight = try await homing.accounts.verifies(password, of: account)
    }

    /// - Throws: a refusal unless the password was tried, and right.
    func check() throws(Refusal) {
        switch isRight {
        case true?: return
        case nil where wasSeen:
            throw .invalidSetting(
                "nothing was imported: \(address.text) has no hash in the file with which the password could be tried")
        case nil:
            throw .invalidSetting(
                "nothing was imported: no account of the file has the address \(address.text), whose password was to be tried"
            )
        case false?:
            throw .invalidSetting(
                "nothing was imported: the password is not that of \(address.text) by the file and its hash parameters. Either "
                    + "it is another, or the parameters are another project's")
        }
    }
}
