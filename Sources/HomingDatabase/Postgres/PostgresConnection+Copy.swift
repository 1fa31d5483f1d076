// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibPQ

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension PostgresConnection {
    /// `COPY`, which the pipeline mode does not know, so that the connection leaves it for the time.
    func load(_ rows: [[Value]], into table: TableShape) throws {
        tally.countStatement()
        if !opening.isEmpty { _ = try send([]) }
        tally.countTrip()
        deadline = .now + .seconds(patience.answerSeconds)
        guard PQexitPipelineMode(connection) == 1 else { throw lost() }
        defer { PQenterPipelineMode(connection) }
        let columns = table.columns.map(\.name).joined(separator: ", ")
        guard PQsendQuery(connection, "COPY \(table.name) (\(columns)) FROM STDIN (FORMAT binary)") == 1 else {
            throw lost()
        }
        try flush()
        guard let begun = try nextResult() else { throw lost() }
        defer { PQclear(begun) }
        if PQresultStatus(begun) == PGRES_COPY_IN { try sendCopy(Value.postgresCopy(of: rows)) }
        // At the beginning or at the end: an error is the last result.
        var fault = PQresultStatus(begun) == PGRES_COPY_IN ? nil : PostgresFault.error(of: begun)
        while let result = try nextResult() {
            if PQresultStatus(result) != PGRES_COMMAND_OK { fault = fault ?? PostgresFault.error(of: result) }
            PQclear(result)
        }
        guard isOpen else { throw lost() }
        if let fault { throw fault }
    }

    private func sendCopy(_ bytes: [UInt8]) throws {
        let count = Int32(bytes.count)
        while true {
            let taken = bytes.withUnsafeBytes { bytes in
                PQputCopyData(connection, bytes.bindMemory(to: CChar.self).baseAddress, count)
            }
            if taken == 1 { break }
            guard taken == 0 else { throw lost() }
            try wait(for: Int16(POLLIN | POLLOUT))
            try flush()
        }
        while true {
            let taken = PQputCopyEnd(connection, nil)
            if taken == 1 { break }
            guard taken == 0 else { throw lost() }
            try flush()
        }
        try flush()
    }
}
