// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingProjects
import HomingStore

/// A file with all accounts of a project, made a page at a time while it is taken: nobody has to hold all of it.
package struct AccountExportFile {
    private enum Place {
        case beginning
        case behind(AccountID)
        case end
    }

    /// The number of accounts that are read at once.
    private static let readAtOnce = 1000

    private let accounts: Accounts
    private let project: Project
    private var place = Place.beginning
    /// It has counted the accounts so far.
    package private(set) var writer: AccountExportWriter

    package init(of accounts: Accounts, as format: AccountExportWriter.Format, in project: Project) async throws {
        self.accounts = accounts
        self.project = project
        writer = AccountExportWriter(
            format, schemes: try await accounts.schemes.all(of: project), tenant: project.tenant?.id)
    }

    /// The next bytes of the file; nil behind the last.
    package mutating func next() async throws -> [UInt8]? {
        switch place {
        case .beginning:
            place = .behind("")
            return writer.beginning
        case .behind(let last):
            let page = try await accounts.page(in: project, after: last, limit: Self.readAtOnce)
            let bytes = writer.page(page)
            if page.count == Self.readAtOnce, let next = page.last?.id {
                place = .behind(next)
                return bytes
            }
            place = .end
            return bytes + writer.end
        case .end: return nil
        }
    }
}
