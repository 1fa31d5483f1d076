// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingTesting
import HomingWire
import Testing

/// Of several faults in one request the answer names the first one in production's order.
@Suite struct SendOobCodeOrderTests {
    /// A request with every possible fault; each step names the fault that is found, then mends it.
    private static let steps: [(message: String, mending: (String, JSON?))] = [
        ("MISSING_REQ_TYPE", ("requestType", "PASSWORD_RESET")),
        ("INSUFFICIENT_PERMISSION", ("returnOobLink", nil)),
        ("INVALID_CONTINUE_URI", ("continueUrl", "https://evil.example/")),
        ("UNAUTHORIZED_DOMAIN", ("continueUrl", nil)),
        ("INVALID_DYNAMIC_LINK_DOMAIN", ("dynamicLinkDomain", nil)),
        ("INVALID_HOSTING_LINK_DOMAIN", ("linkDomain", "go.shop.example")),
        ("MISSING_CONTINUE_URI", ("continueUrl", "https://shop.example/")),
        ("MISSING_ANDROID_PACKAGE_NAME", ("androidPackageName", "com.example.android")),
        ("MISSING_IOS_BUNDLE_ID", ("iOSBundleId", "com.example.ios")),
        ("INVALID_EMAIL", ("email", .string(TestHoming.ann))),
    ]

    @Test func `faults are named in production's order`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            try await homing.account(TestHoming.ann)
            try await withServer(homing) { server in
                var body: [String: JSON] = [
                    "returnOobLink": true, "continueUrl": "nonsense", "linkDomain": "go.other.example",
                    "dynamicLinkDomain": "go.other.example", "canHandleCodeInApp": true, "androidInstallApp": true,
                    "iOSAppStoreId": "123456789", "email": "nobody",
                ]
                func post() async throws -> RESTAnswer {
                    let object = JSON.object(JSON.Object(body.map { ($0.key, $0.value) }))
                    return try await server.client.post(
                        LiveServer.path("accounts:sendOobCode"), json: String(decoding: object.write(), as: UTF8.self))
                }
                for (message, mending) in Self.steps {
                    let answer = try await post()
                    #expect(answer.status == 400)
                    #expect(answer.errorMessage?.hasPrefix(message) == true, "\(message), not \(answer.text)")
                    body[mending.0] = mending.1
                }
                #expect(try await post().status == 200)
                #expect(try await homing.number("SELECT COUNT(*) FROM outbox") == 1)
            }
        }
    }

    /// Values as shipped apps send them, the member that is left out for each, and the rest of the link.
    private static let unusable: [(member: String, value: String, leftOut: String?, rest: String)] =
        [
            #""12.0""#, #""1.2.3""#, #""-1""#, #""1e3""#, #""2147483648""#, #""99999999999""#, #""１２""#, "12.5", "true",
            "[]", #"{"code":12}"#, #""v12""#, "3000000000",
        ].flatMap { value in
            ["androidMinimumVersion", "androidMinimumVersionCode"].map {
                ($0, value, "androidMinimumVersion", "&apn=com.example.android")
            }
        } + [
            ("androidMinimumVersion", #""""#, nil, "&apn=com.example.android"),
            ("androidMinimumVersion", #"" 12 ""#, nil, "&apn=com.example.android&amv=12"),
            ("androidInstallApp", #""yes""#, "androidInstallApp", "&apn=com.example.android"),
            ("androidInstallApp", "{}", "androidInstallApp", "&apn=com.example.android"),
            ("iOSBundleId", #""com.example.ios ""#, nil, "&apn=com.example.android&ibi=com.example.ios"),
            ("iosBundleId", #""com example""#, "iOSBundleId", "&apn=com.example.android"),
            ("iOSBundleId", "[]", "iOSBundleId", "&apn=com.example.android"),
        ]

    @Test func `a value that only names an app or its version never stops a mail`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            try await homing.account(TestHoming.ann)
            try await withServer(homing, acceptsOwner: true) { server in
                for (member, value, leftOut, rest) in Self.unusable {
                    let answer = try await server.admin.post(
                        "/v1/projects/shop/accounts:sendOobCode",
                        json: """
                            {"requestType":"PASSWORD_RESET","email":"\(TestHoming.ann)","returnOobLink":true,\
                            "continueUrl":"https://shop.example/","canHandleCodeInApp":true,\
                            "androidPackageName":"com.example.android","dynamicLinkDomain":"go.shop.example",\
                            "\(member)":\(value)}
                            """, headers: [("Authorization", "Bearer owner")])
                    #expect(answer.status == 200, "\(member) \(value): \(answer.text)")
                    let link = try #require(answer.string("oobLink"))
                    #expect(
                        link.contains("\(rest)&afl=") || link.contains("\(rest)&ifl="), "\(member) \(value): \(link)")
                    let code = try await homing.actionCodes.remember(
                        answer.string("oobCode") ?? "", in: try homing.shop)
                    #expect(code?.settings.leftOut == [leftOut].compactMap(\.self), "\(member) \(value)")
                }
            }
        }
    }

    @Test func `a package name that is none takes its version and its installation along`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            try await homing.account(TestHoming.ann)
            try await withServer(homing, acceptsOwner: true) { server in
                let answer = try await server.admin.post(
                    "/v1/projects/shop/accounts:sendOobCode",
                    json: """
                        {"requestType":"PASSWORD_RESET","email":"\(TestHoming.ann)","returnOobLink":true,\
                        "continueUrl":"https://shop.example/","canHandleCodeInApp":true,\
                        "androidPackageName":"<package>","androidInstallApp":true,"androidMinimumVersion":"12"}
                        """, headers: [("Authorization", "Bearer owner")])
                #expect(answer.status == 200, "\(answer.text)")
                #expect(answer.string("oobLink")?.hasPrefix("\(TestWorld.publicURL)/__/auth/action?apiKey=") == true)
            }
        }
    }

    @Test func `install without a package says that the package name is needed too`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                for member in [
                    #""androidInstallApp":true"#, #""androidMinimumVersion":"12""#, #""androidMinimumVersion":12"#,
                ] {
                    let answer = try await server.client.post(
                        LiveServer.path("accounts:sendOobCode"),
                        json: #"{"requestType":"PASSWORD_RESET","email":"a@b.example",\#(member)}"#)
                    #expect(
                        answer.errorMessage?.hasPrefix("MISSING_ANDROID_PACKAGE_NAME : androidPackageName is") == true)
                }
            }
        }
    }
}
