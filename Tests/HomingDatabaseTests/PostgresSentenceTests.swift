// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import Testing

/// What an operator is told where PostgreSQL cannot be used: libpq's own words, and what to do about it.
@Suite struct PostgresSentenceTests {
    @Test(arguments: [
        (
            #"connection to server at "10.0.0.1", port 6432 failed: FATAL: unsupported startup parameter: options"#,
            "prepared=off"
        ),
        (#"root certificate file "/etc/homing/ca.pem" does not exist Either provide the file"#, "sslrootcert"),
        (
            #"connection to server at "db1" failed: FATAL: no pg_hba.conf entry for host "10.0.0.9", user "homing", SSL off"#,
            "pg_hba.conf, and reload it"
        ),
        (#"connection to server at "db1" failed: SSL error: certificate verify failed"#, "sslrootcert"),
        (#"server certificate for "db1" does not match host name "db2""#, "as its certificate does"),
        (
            #"connection to server at "db1", port 5432 failed: FATAL: sorry, too many clients already connection to "#
                + #"server at "db2", port 5432 failed: session is read-only"#, "max_connections"
        ),
        (
            #"connection to server at "db1" failed: FATAL: remaining connection slots are reserved"#, "max_connections"
        ),
        (#"connection to server at "db2" failed: session is read-only"#, "a standby takes no writes"),
        (#"FATAL: password authentication failed for user "homing""#, "the password in HOMING_DATABASE_URL"),
        (
            #"connection to server at "db1" failed: FATAL: password authentication failed for user "homing" connection to "#
                + #"server at "db1" failed: FATAL: no pg_hba.conf entry for host "10.0.0.9", user "homing", no encryption"#,
            "the password in HOMING_DATABASE_URL"
        ),
        (#"FATAL: database "homing" does not exist"#, "createdb"),
        (#"connection to server at "db1" failed: Connection refused"#, "whether PostgreSQL runs there"),
    ])
    func `each reason has its own remedy`(reason: String, remedy: String) {
        let sentence = ConnectionLost(message: reason).sentence
        #expect(sentence.contains(reason) && sentence.contains(remedy), "\(sentence)")
    }

    @Test func `a wait that was given up is not called a crowd of requests`() {
        func said(_ state: String) -> String {
            PostgresFault(state: state, message: "canceling statement").unavailable?.description ?? ""
        }
        #expect(said("55P03").contains("another transaction"))
        #expect(said("57014").contains("10 seconds"))
        #expect(said("53100").contains("make room"))
        #expect(said("40P01").contains("too many requests"))
        #expect(PostgresFault(state: "42601", message: "syntax error").unavailable == nil)
        let denied = PostgresFault(state: "42501", message: "permission denied for schema public")
        #expect("\(denied)".contains("createdb -O"))
    }
}
