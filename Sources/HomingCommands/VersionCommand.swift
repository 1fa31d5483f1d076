// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import CHomingBuild
import CLibArgon2
import CLibCurl
import CLibPQ
import CLibSQLite
import HomingCore
import HomingDatabase
import HomingOperations
import HomingStore
import HomingWire

/// `homing version`.
struct VersionCommand: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the version, the commit that it was built from, and the libraries that it runs with.",
        discussion: """
            The libraries are asked, so that it is those of this machine; libargon2 says its algorithm's version, and Swift \
            no patch release. A release has its commit and the commit's date; any other build has none. `schema` is the \
            version that this program brings a database to.

            EXAMPLE
              homing version --json
            """)

    static let line = "homing \(Version.version)"

    @OptionGroup var format: OutputOptions

    func answer() -> CommandAnswer {
        let commit = String(cString: homing_commit()).split(separator: " ").map(String.init)
        let parts: [(name: String, version: String?)] =
            [("commit", commit.first), ("date", commit.count > 1 ? commit[1] : nil)] + Self.libraries
        let schema = Schema.migrations.last?.version ?? 0
        var output = CommandOutput()
        output.answer(
            format,
            json: .object(
                [("version", .string(Version.version))]
                    + parts.map { ($0.name, $0.version.map { .string($0) } ?? .null) }
                    + [("schema", .int(Int64(schema)))]),
            styled: [StyledLine(Self.line)]
                + Table.facts(
                    parts.map { ($0.name, $0.version ?? "none: not a release") } + [("schema", "\(schema)")]))
        return output.answer()
    }

    private static var libraries: [(name: String, version: String?)] {
        let postgres = PQlibVersion()
        let argon2 = ARGON2_VERSION_NUMBER.rawValue
        return [
            // It has a third number, which is 0 in every patch release.
            ("swift", "\(_SwiftStdlibVersion.current)".split(separator: ".").prefix(2).joined(separator: ".")),
            ("sqlite", String(cString: sqlite3_libversion())),
            ("libcurl", curl_version_info(CURLVERSION_FIRST).map { String(cString: $0.pointee.version) }),
            ("libpq", "\(postgres / 10_000).\(postgres % 10_000)"),
            ("argon2", "\(argon2 >> 4).\(argon2 & 0xF)"),
        ]
    }
}
