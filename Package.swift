// swift-tools-version:6.2
// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import PackageDescription

// sdk-package: leave out. What stands up to `go on` is the server's, and not in the package of the SDK alone.
/// The yardsticks that `scripts/bench` measures against are built only when it asks for them.
let withBenchmarks = ProcessInfo.processInfo.environment["HOMING_BENCHMARKS"] != nil

/// What a release is built from, `HASH DATE`; `scripts/build` says how to give it. Whoever develops gives none, and
/// builds nothing anew for each commit.
let commit = (ProcessInfo.processInfo.environment["HOMING_COMMIT"] ?? "")
    .filter { $0.isASCII && ($0.isLetter || $0.isNumber || " :+-".contains($0)) }

// sdk-package: go on
let package = Package(
    name: "homing",
    // The SDK's. The server runs on Linux only.
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        // Whoever uses one of these fetches none of the dependencies below.
        .library(name: "HomingAuth", targets: ["HomingAuth"]),
        .library(name: "HomingAuthUI", targets: ["HomingAuthUI"]),
        .library(name: "HomingLinks", targets: ["HomingLinks"]),
    ],
    // sdk-package: leave out
    traits: [
        .trait(
            name: "TLS",
            description: "TLS and HTTP/2 on both listeners. A build without it is quicker, and for trying things only."),
        .default(enabledTraits: ["TLS"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.1.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.4.1"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.44.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Without its trait for configuration files: settings are read with Yams.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.0"),
    ],
    // sdk-package: go on
    targets: [
        /** What travels: JSON, query strings, links, the methods of Google's clients; and tools for bytes. */
        .target(name: "HomingWire"),

        /** What the SDKs stand on: which server and project, how requests leave, where a session is kept. */
        .target(name: "HomingClient", dependencies: ["HomingWire"]),

        /** The SDK for email actions. */
        .target(name: "HomingAuth", dependencies: ["HomingClient", "HomingWire"]),

        /** The screens for signing in and for mails: models everywhere, views where there is SwiftUI. */
        .target(name: "HomingAuthUI", dependencies: ["HomingAuth", "HomingWire"]),

        /** The SDK for incoming links. */
        .target(name: "HomingLinks", dependencies: ["HomingClient", "HomingWire"]),

        // sdk-package: leave out
        /** SQL with bound values, the migrator, the drivers of SQLite and PostgreSQL. */
        .target(
            name: "HomingDatabase",
            dependencies: [
                "CLibPQ", "CLibSQLite", "HomingWire",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]
        ),

        /** Every sentence that people read, in every language, and how it becomes text or HTML. */
        .target(
            name: "HomingTexts", dependencies: ["CHomingTexts", "HomingWire"], exclude: ["Plurals.json", "Texts"]),
        .target(name: "CHomingTexts"),

        /** The module for web pages, as it is served. */
        .target(name: "CHomingWeb", exclude: ["modules"]),

        /** What every rule stands on: checked values, refusals, keys, the schema, the transaction and the audit log. */
        .target(
            name: "HomingStore",
            dependencies: [
                "HomingDatabase", "HomingWire",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SwiftASN1", package: "swift-asn1", condition: .when(traits: ["TLS"])),
                .product(name: "X509", package: "swift-certificates", condition: .when(traits: ["TLS"])),
            ]
        ),

        /** Passwords: which are too weak, our hashes, and those that other systems have made. It keeps none. */
        .target(
            name: "HomingPasswords",
            dependencies: [
                "HomingDatabase", "HomingStore", "HomingWire", "CLibArgon2", "CLibCrypt",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]
        ),

        /** Where a link may lead and what it does on which device, by the apps and domains of a project. Pure. */
        .target(
            name: "HomingLinkRules",
            dependencies: [
                "HomingStore", "HomingWire", "CLibQREncode", "CLibZ",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),

        /** Projects and tenants: settings, apps, domains, API keys, templates, brand, senders; the transaction on one. */
        .target(
            name: "HomingProjects",
            dependencies: [
                "HomingLinkRules", "HomingPasswords", "HomingStore", "HomingDatabase", "HomingTexts", "HomingWire",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),

        /** Short links in the database: made, found, opened, changed, counted; webhooks hear of them. */
        .target(
            name: "HomingShortLinks",
            dependencies: [
                "HomingProjects", "HomingLinkRules", "HomingStore", "HomingDatabase", "HomingTexts", "HomingWire",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),

        /** The rules: accounts, action codes, sessions, outbox, operators. No HTTP, no driver. */
        .target(
            name: "HomingCore",
            dependencies: [
                "HomingShortLinks", "HomingProjects", "HomingLinkRules", "HomingPasswords", "HomingStore",
                "HomingWire", "HomingDatabase", "HomingTexts",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "JWTKit", package: "jwt-kit"),
            ]
        ),

        /** The files of other systems, accounts and links, read and written; an import of accounts from check to end. */
        .target(
            name: "HomingTransfer",
            dependencies: [
                "HomingCore", "HomingShortLinks", "HomingProjects", "HomingPasswords", "HomingLinkRules",
                "HomingStore", "HomingWire",
            ]
        ),

        /** How mails leave: from words to text and HTML, delivery, SMTP through libcurl. */
        .target(
            name: "HomingMail",
            dependencies: [
                "HomingCore", "HomingShortLinks", "HomingProjects", "HomingCurl", "HomingStore", "HomingTexts",
                "HomingWire", "CLibCurl",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]
        ),

        /** How a connection is taken, kept within limits and ended, with TLS or without. It knows nothing of Homing. */
        .target(
            name: "HomingListener",
            dependencies: [
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(
                    name: "NIOCertificateReloading", package: "swift-nio-extras", condition: .when(traits: ["TLS"])),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: .when(traits: ["TLS"])),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(
                    name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras", condition: .when(traits: ["TLS"])),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["TLS"])),
                .product(name: "NIOTLS", package: "swift-nio", condition: .when(traits: ["TLS"])),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "X509", package: "swift-certificates", condition: .when(traits: ["TLS"])),
            ]
        ),

        /** Requests to other servers, through libcurl, each on a thread that may wait. */
        .target(name: "HomingCurl", dependencies: ["HomingStore", "HomingWire", "CLibCurl"]),

        /** Certificates by ACME: which names, when, how a name is proven, what is kept and what is shown. */
        .target(
            name: "HomingCertificates",
            dependencies: [
                "HomingCore", "HomingProjects", "HomingLinkRules", "HomingStore", "HomingCurl", "HomingDatabase",
                "HomingListener", "HomingWire",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["TLS"])),
                .product(name: "NIOTLS", package: "swift-nio", condition: .when(traits: ["TLS"])),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SwiftASN1", package: "swift-asn1", condition: .when(traits: ["TLS"])),
                .product(name: "X509", package: "swift-certificates", condition: .when(traits: ["TLS"])),
            ]
        ),

        /** What the pages for people show: HTML, style and script, made of what has happened. It answers nothing. */
        .target(
            name: "HomingPages",
            dependencies: [
                "HomingCore", "HomingProjects", "HomingPasswords", "HomingLinkRules", "HomingStore", "HomingTexts",
                "HomingWire",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),

        /** What answers HTTP: Identity Toolkit, dynamic links, pages for people, metrics, the admin listener. */
        .target(
            name: "HomingServer",
            dependencies: [
                "HomingPages", "HomingCore", "HomingShortLinks", "HomingProjects", "HomingPasswords",
                "HomingLinkRules", "HomingStore", "HomingCertificates", "HomingDatabase", "HomingListener",
                "HomingMail", "HomingTexts", "HomingTransfer", "HomingWire", "CHomingWeb",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]
        ),

        /** The console: what operators see and change in a browser, a page a file. */
        .target(
            name: "HomingConsole",
            dependencies: [
                "HomingServer", "HomingPages", "HomingMail", "HomingTransfer", "HomingCore", "HomingShortLinks",
                "HomingProjects", "HomingPasswords", "HomingLinkRules", "HomingStore", "HomingDatabase",
                "HomingTexts", "HomingWire",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),

        /** What a running server is started from and watched by: settings, services, systemd, the log. */
        .target(
            name: "HomingOperations",
            dependencies: [
                "HomingServer", "HomingCertificates", "HomingListener", "HomingCurl", "HomingMail", "HomingCore",
                "HomingShortLinks", "HomingProjects", "HomingPasswords", "HomingLinkRules", "HomingStore",
                "HomingDatabase", "HomingTexts", "HomingWire",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "Yams", package: "Yams"),
            ]
        ),

        /** What the doctor looks at, and what it makes of it: one check per file, each a value that judges what was seen. */
        .target(
            name: "HomingDoctor",
            dependencies: [
                "HomingOperations", "HomingConsole", "HomingServer", "HomingCertificates", "HomingCurl", "HomingMail",
                "HomingCore", "HomingShortLinks", "HomingProjects", "HomingLinkRules", "HomingStore", "HomingWire",
                "CLibCurl", "CLibResolv",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),

        /** `homing setup`: it asks for everything that a first server needs, and does it. */
        .target(
            name: "HomingSetup",
            dependencies: [
                "HomingDoctor", "HomingOperations", "HomingServer", "HomingCertificates", "HomingListener",
                "HomingCurl", "HomingMail", "HomingCore", "HomingProjects", "HomingDatabase", "HomingWire",
                .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),

        /** The commands that an operator types, and the socket by which they reach a running server. */
        .target(
            name: "HomingCommands",
            dependencies: [
                "HomingSetup", "HomingConsole", "HomingDoctor", "HomingOperations", "HomingServer",
                "HomingCertificates", "HomingListener", "HomingCurl", "HomingMail", "HomingCore", "HomingShortLinks",
                "HomingProjects", "HomingPasswords", "HomingLinkRules", "HomingStore", "HomingDatabase",
                "HomingTransfer", "HomingTexts", "HomingWire", "CHomingBuild", "CLibArgon2", "CLibCurl", "CLibPQ",
                "CLibSQLite",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "Yams", package: "Yams"),
            ]
        ),

        /** The commit that the program is built from. */
        .target(name: "CHomingBuild", cSettings: [.define("HOMING_COMMIT", to: "\"\(commit)\"")]),

        /** The server program. */
        .executableTarget(name: "homing", dependencies: ["HomingCommands"]),

        /** Firebase's Auth emulator again, for development and tests: in memory, and no part of the server. */
        .executableTarget(
            name: "homing-emulator",
            dependencies: [
                "HomingWire",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),

        /** How a back end verifies ID tokens; beside it the same in other languages. */
        .executableTarget(
            name: "verify-id-token",
            dependencies: [.product(name: "JWTKit", package: "jwt-kit")],
            path: "Samples/VerifyingTokens/swift"
        ),

        /** A fresh world for each test: `withHoming`, a test clock, a relay that the test scripts. */
        .target(
            name: "HomingTesting",
            dependencies: [
                "HomingConsole", "HomingServer", "HomingCertificates", "HomingListener", "HomingMail", "HomingCore",
                "HomingShortLinks", "HomingProjects", "HomingPasswords", "HomingLinkRules", "HomingStore",
                "HomingDatabase", "HomingTransfer", "HomingTexts", "HomingWire",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),

        /** libcurl, for SMTP and for requests to other servers. */
        .target(name: "CLibCurl", linkerSettings: [.linkedLibrary("curl")]),

        /** libpq, for PostgreSQL. */
        .target(name: "CLibPQ", linkerSettings: [.linkedLibrary("pq")]),

        /** SQLite's own calls, for statements that GRDB has prepared. */
        .target(name: "CLibSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),

        /** The system's DNS resolver, for records that getaddrinfo does not know. */
        .target(name: "CLibResolv", linkerSettings: [.linkedLibrary("resolv")]),

        /** libargon2, for passwords. */
        .target(name: "CLibArgon2", linkerSettings: [.linkedLibrary("argon2")]),

        /** libcrypt, for bcrypt hashes that other systems have made. */
        .target(name: "CLibCrypt", linkerSettings: [.linkedLibrary("crypt", .when(platforms: [.linux]))]),

        /** libqrencode, for QR codes of links. */
        .target(name: "CLibQREncode", linkerSettings: [.linkedLibrary("qrencode")]),

        /** zlib, for the pictures of QR codes. */
        .target(name: "CLibZ", linkerSettings: [.linkedLibrary("z")]),

        .testTarget(name: "HomingWireTests", dependencies: ["HomingWire"]),
        .testTarget(
            name: "HomingAuthTests",
            dependencies: [
                "HomingAuth", "HomingClient", "HomingCore", "HomingProjects", "HomingLinkRules", "HomingStore",
                "HomingTesting", "HomingWire",
            ]),
        .testTarget(
            name: "HomingAuthUITests",
            dependencies: [
                "HomingAuth", "HomingAuthUI", "HomingClient", "HomingStore", "HomingTesting", "HomingTexts",
                "HomingWire",
            ]),
        .testTarget(
            name: "HomingLinksTests",
            dependencies: ["HomingClient", "HomingLinks", "HomingTesting", "HomingWire"]),
        .testTarget(name: "HomingTextsTests", dependencies: ["HomingTexts", "HomingTesting"]),
        .testTarget(name: "HomingDatabaseTests", dependencies: ["HomingDatabase", "HomingTesting"]),
        .testTarget(
            name: "HomingPostgresTests",
            dependencies: [
                "HomingCertificates", "HomingCore", "HomingShortLinks", "HomingProjects", "HomingPasswords",
                "HomingLinkRules", "HomingStore", "HomingDatabase", "HomingTesting", "HomingTransfer", "HomingWire",
            ]),
        .testTarget(
            name: "HomingTransferTests",
            dependencies: [
                "HomingCore", "HomingShortLinks", "HomingProjects", "HomingPasswords", "HomingLinkRules",
                "HomingStore", "HomingDatabase", "HomingTesting", "HomingTransfer", "HomingWire",
            ]),
        .testTarget(
            name: "HomingCoreTests",
            dependencies: [
                "HomingCore", "HomingShortLinks", "HomingProjects", "HomingPasswords", "HomingLinkRules",
                "HomingStore", "HomingDatabase", "HomingMail", "HomingTesting", "HomingTexts", "HomingTransfer",
                "HomingWire",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "HomingCertificatesTests",
            dependencies: ["HomingCertificates", "HomingCore", "HomingStore", "HomingTesting", "HomingWire"]),
        .testTarget(
            name: "HomingMailTests",
            dependencies: [
                "HomingMail", "HomingCore", "HomingProjects", "HomingStore", "HomingTesting", "HomingTexts",
                "HomingWire",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]),
        .testTarget(
            name: "HomingServerTests",
            dependencies: [
                "HomingConsole", "HomingCore", "HomingShortLinks", "HomingProjects", "HomingPasswords",
                "HomingLinkRules", "HomingStore", "HomingDatabase", "HomingListener", "HomingPages", "HomingServer",
                "HomingTesting", "HomingTexts", "HomingTransfer", "HomingWire",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]
        ),
        .testTarget(
            name: "HomingCommandsTests",
            dependencies: [
                "HomingCommands", "HomingCore", "HomingShortLinks", "HomingProjects", "HomingPasswords",
                "HomingLinkRules", "HomingStore", "HomingCurl", "HomingDatabase", "HomingDoctor", "HomingMail",
                "HomingOperations", "HomingSetup", "HomingTesting", "HomingTexts", "HomingWire",
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]),
        .testTarget(
            name: "HomingStoryTests",
            dependencies: [
                "HomingCore", "HomingProjects", "HomingStore", "HomingDatabase", "HomingMail", "HomingServer",
                "HomingTesting", "HomingWire",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // sdk-package: go on
    ]
)

// sdk-package: leave out
if withBenchmarks {
    package.targets += [
        /** The yardsticks: a bare Hummingbird echo and redirect, a C loop of the same statements, argon2id alone. */
        .executableTarget(
            name: "yardsticks",
            dependencies: [
                "CYardsticks", "CLibArgon2",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Benchmarks/yardsticks"
        ),
        /** How long the SDK takes to read a link. */
        .executableTarget(
            name: "link-parsing", dependencies: ["HomingAuth", "HomingClient", "HomingLinks", "HomingWire"],
            path: "Benchmarks/link-parsing"
        ),
        /** What the signatures by a sender domain's keys cost. */
        .executableTarget(
            name: "mail-signing", dependencies: ["HomingMail", "HomingProjects", "HomingTexts"],
            path: "Benchmarks/mail-signing"
        ),
        .target(name: "CYardsticks", path: "Benchmarks/CYardsticks", linkerSettings: [.linkedLibrary("sqlite3")]),
    ]
}

// sdk-package: go on
/// Packs the relocations (SHT_RELR) that a Swift program begins with, where this machine has the glibc that loads them,
/// 2.36: megabytes of them fall away.
let packedRelocations: [String] = {
    #if os(Linux)
        var name = [CChar](repeating: 0, count: 64)
        _ = confstr(Int32(_CS_GNU_LIBC_VERSION), &name, name.count)
        let text = String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let version = text.split { !$0.isNumber }.compactMap { Int($0) }
        guard version.count > 1, (version[0], version[1]) >= (2, 36) else { return [] }
        return ["-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"]
    #else
        return []
    #endif
}()

for target in package.targets where target.type != .system {
    guard !target.name.hasPrefix("C") else { continue }
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .treatAllWarnings(as: .error),
    ]
    // The tests drive what is optimised; to optimise them as well took a fifth of a build.
    if target.type == .test {
        target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
    }
    // Each toolchain has lld, and links in a fraction of the time of a system's own linker. What an SDK's user builds has
    // neither programs nor tests of ours, and so no unsafe flag.
    if target.type == .test || target.type == .executable {
        let flags = ["-use-ld=lld"] + packedRelocations
        target.linkerSettings = (target.linkerSettings ?? []) + [.unsafeFlags(flags, .when(platforms: [.linux]))]
    }
}

#if os(macOS)
    /** FIRAuth and its like for Objective-C. SwiftPM builds it on a Mac only; elsewhere `EndToEnd/` does. */
    package.products.append(.library(name: "HomingObjC", targets: ["HomingObjC"]))
    package.targets.append(.target(name: "HomingObjC", dependencies: ["HomingAuth", "HomingLinks"]))

    // On Linux a resource would bring a folder and the path of this machine into every program.
    for target in package.targets where ["HomingAuth", "HomingLinks"].contains(target.name) {
        target.resources = [.copy("PrivacyInfo.xcprivacy")]
    }
#endif
