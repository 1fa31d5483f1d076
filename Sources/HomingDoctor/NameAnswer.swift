// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The answer of the DNS to a question for one type of records.
package enum NameAnswer: Sendable, Equatable {
    case records([String])
    /// The name exists, records of this type do not.
    case noRecords
    case noSuchName
    case failed

    /// The records; empty when there are none, nil when the answer is unknown.
    package var found: [String]? {
        switch self {
        case .records(let records): records
        case .noRecords, .noSuchName: []
        case .failed: nil
        }
    }
}

package enum RecordType: Sendable, Hashable {
    case a, aaaa, mx, txt
}

/// A service that looks names up.
package protocol NameService: Sendable {
    func look(up name: String, _ type: RecordType) async -> NameAnswer
}
