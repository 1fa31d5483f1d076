// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingDatabase
import HomingPasswords
import HomingProjects
import HomingStore
import HomingTesting
import HomingTransfer
import Testing

@Suite struct `Hashes of other systems` {
    private static func bytes(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }

    private static let firebase = PasswordScheme.firebaseScrypt(
        signerKey: bytes("jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="),
        saltSeparator: [7], rounds: 8, memoryCost: 14)

    @Test(arguments: [
        (
            "user1password", bytes("42xEC+ixf3L2lw=="),
            "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="
        ),
        (
            "password", Array("NaCl".utf8),
            "V358E8LdWJXAO7muq0CufVpEOXaj8aFiC7T/rcaGieN04q/ZPJ08WhJEHGjj9lz/2TT+/86N5VjVoc5DdBhBiw=="
        ),
    ])
    func `Firebase's scrypt is that of its own vectors`(password: String, salt: [UInt8], hash: String) throws {
        #expect(try Self.firebase.matches(password, salt: salt, hash: Self.bytes(hash)))
        #expect(try !Self.firebase.matches(password + "!", salt: salt, hash: Self.bytes(hash)))
        #expect(try !Self.firebase.matches(password, salt: salt + [0], hash: Self.bytes(hash)))
    }

    /// Made with Python's hashlib and hmac; the password is `user1password`, the salt `NaCl`, a key `secret key`.
    private static let vectors: [(PasswordScheme, String)] = [
        (
            .scrypt(cost: 1024, blockSize: 8, parallelization: 16),
            "ooWCPJWG5YmdauOro6hcV052d8Acd11wOf/YFhYlwfNj6toCtVluVNExkh202EUeF+mOVHzjBMJvxLYWFJUa1Q=="
        ),
        (.hmac(.md5, key: key, isSaltFirst: false), "5GWNzjgZ/wGWv3r94nrLhA=="),
        (.hmac(.sha1, key: key, isSaltFirst: false), "ttcHUt4JeKLHuPa/nlDSvUb7F+o="),
        (.hmac(.sha256, key: key, isSaltFirst: false), "QeII5ALz0v9zsDLLv1bQhrVTQkTYuTJZE7wrU3W4RzI="),
        (
            .hmac(.sha512, key: key, isSaltFirst: false),
            "yIOQ6ydGM2oWlMWgzfOccplUqYifkZLm7pTAsR2S2oTOWUY1S9g4oSgoDOPxxTcCm4iPAyCbE/V4s3SCMKpAAw=="
        ),
        (.digest(.md5, rounds: 0, isSaltFirst: true), "f0wynP5Usw0Jxi4BDaRbzA=="),
        // The same, as the text that many systems keep.
        (
            .digest(.md5, rounds: 1, isSaltFirst: true),
            Data("7f4c329cfe54b30d09c62e010da45bcc".utf8).base64EncodedString()
        ),
        (.digest(.md5, rounds: 1, isSaltFirst: false), "VLv199z33IUrzwfQIPvUQA=="),
        (.digest(.sha1, rounds: 1, isSaltFirst: true), "VSs7qsd7GZQlVCt21Z/TJE1F9Uo="),
        (.digest(.sha1, rounds: 5, isSaltFirst: true), "Rnq2fdBI1RW95SL49skvd9MA8bA="),
        (.digest(.sha256, rounds: 1, isSaltFirst: true), "qHSKkLA82z0WQiG/1IKddxkTBPlb1Y8VVEm/HQcBUrM="),
        (.digest(.sha256, rounds: 5, isSaltFirst: true), "/ubuHZhygAvbpDUM3cbJTFgsPuhhAUGwq8j9b8vgzJg="),
        (
            .digest(.sha512, rounds: 1, isSaltFirst: true),
            "NGfXWaTm9q4Ro+wA5tBoxc0uzhEd8eAhgNoctrdXSPo622FWFjjSndpyyyz48fyPNO6sf1ennHBMJUZ5xHR9CQ=="
        ),
        (
            .pbkdf2(.sha1, rounds: 1000),
            "1zZHFcfTKZ7lulVqHz7ivSN2UuNg1BKGY1nXGGi0OxKwt+DVXlJtvs2A3uFlxuAGxpRIKErG0vsiEXANEG6dQA=="
        ),
        (
            .pbkdf2(.sha256, rounds: 1000),
            "scrQm82bCtrmkd+gbhgSEMSV4FhDa/GZpvc44/2Wn3uySNW7spj9ZM2czhZT1W/bsGto9/wczfEGaosdCFP4tw=="
        ),
        (
            .bcrypt(), Data("$2b$04$abcdefghijklmnopqrstuunQyUw6zg0jclhYTlg5/zHyfwGycQZ8W".utf8).base64EncodedString()
        ),
        (
            .bcrypt(), Data("$2y$04$abcdefghijklmnopqrstuunQyUw6zg0jclhYTlg5/zHyfwGycQZ8W".utf8).base64EncodedString()
        ),
        (
            .argon2(),
            Data("$argon2i$v=19$m=64,t=2,p=1$c2l4dGVlbiBieXRlIHNsdA$/CEi/v+v+Lg8zb48Kq1i/6drbYQhXzt2".utf8)
                .base64EncodedString()
        ),
        (
            .argon2(),
            Data("$argon2d$v=19$m=64,t=2,p=1$c2l4dGVlbiBieXRlIHNsdA$lSErKypkGc3ODh91GABmD3dP6sf4tBwf".utf8)
                .base64EncodedString()
        ),
        (
            .argon2(),
            Data("$argon2id$v=16$m=64,t=2,p=1$c2l4dGVlbiBieXRlcyBzbA$nNejPO3tjyuXegkJUOz6x2JRldXSSeZd".utf8)
                .base64EncodedString()
        ),
        (
            .argon2(),
            Data(
                "$argon2id$v=19$m=64,t=2,p=1,data=YXNzb2NpYXRlZA$c2l4dGVlbiBieXRlcyBzbA$FAycAyAGo0sjQOHBo0DPm+sln96Os0+QE9IkYMcsuHU"
                    .utf8
            ).base64EncodedString()
        ),
    ]

    @Test func `argon2 in bytes is verified by the parameters that were named with it`() throws {
        let salt = Array("sixteen bytes sl".utf8)
        var old = Argon2Parameters(kind: .id, hashLength: 24, memory: 64, passes: 2, lanes: 1)
        old.isVersion10 = true
        var bound = Argon2Parameters(kind: .id, hashLength: 32, memory: 64, passes: 2, lanes: 1)
        bound.data = Array("associated".utf8)
        let wide = Argon2Parameters(kind: .i, hashLength: 64, memory: 128, passes: 3, lanes: 2)
        for (parameters, hash) in [
            (old, "nNejPO3tjyuXegkJUOz6x2JRldXSSeZd"), (bound, "FAycAyAGo0sjQOHBo0DPm+sln96Os0+QE9IkYMcsuHU="),
            (wide, "xAVuTq1qT+vzVkREpJIgDZGmryb7FgBNlHhgrVTotcUjei0nGf91IltajabW3iwrYapYy9u9EPz7bNreENuq3A=="),
        ] {
            let scheme = try PasswordScheme.argon2Bytes(parameters).checked()
            #expect(scheme.takes(Self.bytes(hash)) && !scheme.takes(Array(Self.bytes(hash).dropLast())))
            #expect(try scheme.matches("user1password", salt: salt, hash: Self.bytes(hash)))
            #expect(try !scheme.matches("user1passwore", salt: salt, hash: Self.bytes(hash)))
            // An account keeps it as a text, which says all of this by itself.
            let text = parameters.text(salt: salt, hash: Self.bytes(hash))
            #expect(try PasswordScheme.argon2().matches("user1password", salt: [], hash: text))
        }
    }

    @Test(arguments: [
        ("length", 3), ("length", 1025), ("lanes", 0), ("lanes", 17), ("passes", 17), ("kibibytes", 7),
        ("kibibytes", 32_769),
    ])
    func `parameters of argon2 beyond Identity Platform's limits are refused`(name: String, value: Int) throws {
        let good = [
            "algorithm": "ARGON2", "type": "ARGON2_ID", "length": "32", "kibibytes": "64", "passes": "2", "lanes": "1",
        ]
        _ = try PasswordScheme(values: good)
        #expect(throws: Refusal.self) {
            try PasswordScheme(values: good.merging([name: String(value)]) { $1 })
        }
    }

    private static let key = Array("secret key".utf8)

    @Test(arguments: vectors.indices)
    func `every algorithm verifies what others have hashed, and nothing else`(index: Int) throws {
        let (scheme, hash) = (try Self.vectors[index].0.checked(), Self.bytes(Self.vectors[index].1))
        let salt = Array("NaCl".utf8)
        #expect(scheme.takes(hash))
        #expect(try scheme.matches("user1password", salt: salt, hash: hash))
        for wrong in ["user1passwore", "", "user1\u{0}password", "User1password"] {
            #expect(try !scheme.matches(wrong, salt: salt, hash: hash), "\(scheme) took \(wrong)")
        }
        // An unknown address costs a hash that really is computed.
        #expect(scheme.takes(scheme.nobody.hash))
        #expect(try !scheme.matches("user1password", salt: scheme.nobody.salt, hash: scheme.nobody.hash))
    }

    @Test(arguments: [
        (#"{"bcrypt":{}}"#, PasswordScheme.bcrypt()), (#"{"argon2":{}}"#, .argon2()),
        (#"{"pbkdf2":{"_0":"sha256","rounds":1000}}"#, .pbkdf2(.sha256, rounds: 1000)),
    ])
    func `a scheme that was kept before it named its cost is still read`(kept: String, scheme: PasswordScheme) throws {
        #expect(try JSONDecoder().decode(PasswordScheme.self, from: Data(kept.utf8)) == scheme)
    }

    @Test(arguments: [
        PasswordScheme.firebaseScrypt(signerKey: [], saltSeparator: [], rounds: 8, memoryCost: 14),
        .firebaseScrypt(signerKey: [1], saltSeparator: [], rounds: 8, memoryCost: 30),
        .firebaseScrypt(signerKey: [1], saltSeparator: [], rounds: 9, memoryCost: 14),
        .scrypt(cost: 1000, blockSize: 8, parallelization: 1), .scrypt(cost: 1 << 20, blockSize: 8, parallelization: 1),
        .scrypt(cost: 0, blockSize: 8, parallelization: 1), .scrypt(cost: 1024, blockSize: 0, parallelization: 1),
        .scrypt(cost: 1024, blockSize: 17, parallelization: 1), .scrypt(cost: 2, blockSize: 64, parallelization: 2),
        .scrypt(cost: 1 << 16, blockSize: 1, parallelization: 1),
        .hmac(.sha256, key: [], isSaltFirst: true), .digest(.sha1, rounds: 8193, isSaltFirst: true),
        .digest(.sha256, rounds: 0, isSaltFirst: true),
        .pbkdf2(.sha1, rounds: 0), .pbkdf2(.sha1, rounds: .max),
    ])
    func `parameters that are senseless, or would stop the server, are refused`(scheme: PasswordScheme) {
        #expect(throws: Refusal.self) { try scheme.checked() }
    }

    @Test(arguments: [
        PasswordScheme.scrypt(cost: 1 << 15, blockSize: 16, parallelization: 1),
        .scrypt(cost: 1 << 15, blockSize: 1, parallelization: 64), .scrypt(cost: 2, blockSize: 16, parallelization: 1),
        .scrypt(cost: 1 << 16, blockSize: 8, parallelization: 2),
        .scrypt(cost: 8192, blockSize: 32, parallelization: 2), .scrypt(cost: 4, blockSize: 64, parallelization: 2),
    ])
    func `parameters that are taken can be checked`(scheme: PasswordScheme) throws {
        #expect(try !scheme.checked().matches("user1password", salt: scheme.nobody.salt, hash: scheme.nobody.hash))
    }

    @Test(arguments: [
        (PasswordScheme.bcrypt(), "$2b$31$abcdefghijklmnopqrstuunQyUw6zg0jclhYTlg5/zHyfwGycQZ8W"),
        (.bcrypt(), "$2b$04$short"),
        (.bcrypt(), "$2b$!!$abcdefghijklmnopqrstuunQyUw6zg0jclhYTlg5/zHyfwGycQZ8W"),
        (.bcrypt(), "$2b$04$abcdefghijklmnopqrstuunQyUw6zg0jclhYTlg5/zHyfwGycQZ8:"),
        (.argon2(), "$argon2id$v=19$t=2,m=64,p=1$c2l4dGVlbiBieXRlIHNsdA$/CEi/v+v+Lg8zb48Kq1i"),
        (.argon2(), "$argon2id$v=19$m=64,t=2,p=16$c2l4dGVlbiBieXRlIHNsdA$/CEi/v+v+Lg8zb48Kq1i"),
        (.argon2(), "$argon2id$v=19$m=64,t=2,p=1$c2l4$/CEi/v+v+Lg8zb48Kq1i"),
        (.argon2(), "$argon2id$v=19$m=64,t=2,p=1$c2l4dGVlbiBieXRlIHNsdA$/CEi!v+v+Lg8zb48Kq1i"),
        (.bcrypt(), "$6$abcdefgh$0123456789012345678901234567890123456789012345678"),
        (.argon2(), "$argon2id$v=19$m=4194304,t=2,p=1$c2l4dGVlbiBieXRlIHNsdA$/CEi/v+v+Lg8zb48Kq1i"),
        (.argon2(), "$argon2id$v=19$m=64,t=2000000,p=1$c2l4dGVlbiBieXRlIHNsdA$/CEi/v+v+Lg8zb48Kq1i"),
        (.argon2(), "$argon2id$v=17$m=64,t=2,p=1$c2l4dGVlbiBieXRlIHNsdA$/CEi/v+v+Lg8zb48Kq1i"),
        (.argon2(), "$argon2id$v=19$m=64,t=2,p=1,data=!$c2l4dGVlbiBieXRlIHNsdA$/CEi/v+v+Lg8zb48Kq1i"),
        (.digest(.sha256, rounds: 1, isSaltFirst: true), "0123456789"),
    ])
    func `a hash that is none, or would take minutes, is no hash`(scheme: PasswordScheme, hash: String) {
        #expect(!scheme.takes(Array(hash.utf8)))
    }
}

@Suite struct `Signing in with the password of before` {
    private static let scheme = PasswordScheme.digest(.sha256, rounds: 1, isSaltFirst: true)

    /// The account of Ann, as another system has exported it.
    private func bring(_ homing: TestHoming, password: String = "the old one") async throws {
        let hash = PasswordDigest.sha256.hash(Array("salt\(password)".utf8))
        var reader = AccountExportReader(scheme: Self.scheme)
        let hashText = Data(hash).base64EncodedString()
        reader.take(
            Array(
                """
                {"users": [{"localId": "ann-1", "email": "\(TestHoming.ann)", "emailVerified": true, "salt": "c2FsdA==",
                  "passwordHash": "\(hashText)", "createdAt": "1500000000000"}]}
                """.utf8))
        reader.finish()
        let row = try #require(try reader.next())
        let taken = try await homing.core.accounts.take([try row.account.get()], in: try homing.shop)
        #expect(taken == [.taken])
    }

    @Test func `the first sign-in hashes the password anew, and the second one still works`() async throws {
        try await withHoming { homing in
            try await bring(homing)
            #expect(try await homing.found(TestHoming.ann)?.passwordHash?.hasPrefix("$scheme$") == true)
            await #expect(throws: Refusal.invalidLoginCredentials) {
                try await homing.signIn(TestHoming.ann, password: "a wrong one")
            }
            #expect(try await homing.found(TestHoming.ann)?.passwordHash?.hasPrefix("$scheme$") == true)
            for _ in 0..<2 {
                #expect(try await homing.signIn(TestHoming.ann, password: "the old one").account.id == "ann-1")
                let account = try #require(try await homing.found(TestHoming.ann))
                #expect(account.passwordHash?.hasPrefix("$argon2id$") == true)
                #expect(account.passwordUpdatedAt == account.createdAt)
            }
        }
    }

    @Test func `two first sign-ins at once both succeed`() async throws {
        try await withHoming { homing async throws in
            try await bring(homing)
            let signedIn = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        (try? await homing.signIn(TestHoming.ann, password: "the old one")) != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(signedIn == 6)
        }
    }

    @Test func `a wrong password waits once for all its hashes, whosever address it is`() async throws {
        try await withHoming { homing in
            try await bring(homing)
            try await homing.signUp("native@home.example")
            func hashes(for address: String) async throws -> Int {
                let before = homing.core.pool.waits.snapshot.count
                await #expect(throws: Refusal.invalidLoginCredentials) {
                    try await homing.signIn(address, password: "a wrong one")
                }
                return homing.core.pool.waits.snapshot.count - before
            }
            #expect(try await hashes(for: TestHoming.ann) == 1)
            #expect(try await hashes(for: "nobody@home.example") == 1)
            #expect(try await hashes(for: "native@home.example") == 1)
            _ = try await homing.signIn(TestHoming.ann, password: "the old one")
            #expect(try await hashes(for: TestHoming.ann) == 1)
        }
    }

    @Test func `a scheme is kept once, and encrypted`() async throws {
        try await withHoming { homing in
            let key = PasswordScheme.hmac(.sha256, key: Array("a very secret key".utf8), isSaltFirst: false)
            let schemes = homing.core.accounts.schemes
            let first = try await schemes.add([key], to: try homing.shop)
            #expect(try await schemes.add([key], to: try homing.shop) == first)
            #expect(try await homing.number("SELECT COUNT(*) FROM password_schemes") == 1)
            var row = try #require(try await homing.rows("SELECT sealed FROM password_schemes").first)
            #expect(!String(decoding: try row.bytes(), as: UTF8.self).contains("very secret"))
            try await schemes.reseal()
            #expect(try await schemes.all(of: try homing.shop).map(\.scheme) == [key])
        }
    }
}
