// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
package import HomingPasswords
import HomingStore
package import HomingTransfer

/// All that a file of another system holds, or the fault that ends it.
package func accounts(
    _ text: String, from source: AccountSource, scheme: PasswordScheme? = nil, columns: String = "",
    takesWithoutPassword: Bool = false, takesWithoutAddress: Bool = false, oldSystem: OldSystem? = nil,
    ignoring ignored: [String] = []
) throws -> [AccountExportReader.Row] {
    let columns =
        columns.isEmpty ? AccountColumns(ignoring: ignored) : try AccountColumns(parsing: columns, ignoring: ignored)
    let reader = AccountExportReader(
        source, scheme: scheme, columns: columns, oldSystem: oldSystem, takesWithoutPassword: takesWithoutPassword,
        takesWithoutAddress: takesWithoutAddress, at: Moment(milliseconds: 1_800_000_000_000))
    return try rows(of: Array(text.utf8), reader)
}

/// All that a reader finds in these bytes.
package func rows(of bytes: [UInt8], _ reader: AccountExportReader) throws -> [AccountExportReader.Row] {
    var reader = reader
    var rows: [AccountExportReader.Row] = []
    // In small pieces, as a slow pipe brings them.
    for start in stride(from: 0, to: bytes.count, by: 11) {
        reader.take(Array(bytes[start..<min(start + 11, bytes.count)]))
        while let row = try reader.next() { rows.append(row) }
    }
    reader.finish()
    while let row = try reader.next() { rows.append(row) }
    return rows
}
