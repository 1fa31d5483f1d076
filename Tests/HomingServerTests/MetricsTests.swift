// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingConsole
import HomingCore
import HomingDatabase
import HomingServer
import HomingTesting
import Hummingbird
import Testing

@Suite struct MetricsTests {
    /// The bare host's catch-all, whose handler says what it is.
    private static let others: Set<String> = ["/**"]

    @Test func `every route has an operation by which its requests are counted`() async throws {
        try await withHoming(keepsMail: true) { homing in
            let admin = AdminRoutes(homing.core, console: Console())
            var paths = Routes.publicRouter(homing.core).routes.map(\.path.description)
            paths += admin.open.routes.map(\.path.description) + admin.operations.routes.map(\.path.description)
            paths += admin.pages.routes.map(\.path.description) + admin.consolePages.routes.map(\.path.description)
            for path in Set(paths).subtracting(Self.others) {
                #expect(Operation(route: path) != .nothing, "\(path)")
            }
            #expect(Operation.all.count <= Metrics.mostOperations, "the table of counts has a place for each")
        }
    }

    @Test func `one operation has one name, at whichever host and version it is found`() {
        for (path, operation) in [
            ("/v1/accounts:sendOobCode", "sendOobCode"),
            ("/identitytoolkit.googleapis.com/v1/accounts:sendOobCode", "sendOobCode"),
            ("/identitytoolkit.googleapis.com/v1/projects/{project}/accounts:sendOobCode", "sendOobCode"),
            ("/www.googleapis.com/identitytoolkit/v3/relyingparty/getOobConfirmationCode", "sendOobCode"),
            ("/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPhoneNumber", "notOffered"),
            ("/v2/projects/{project}/inboundSamlConfigs", "notOffered"),
            ("/v1/projects/{project}/tenants/{tenant}/oauthIdpConfigs/**", "notOffered"),
            ("/v2/projects/{project}/tenants/{tenant}", "tenants"),
            ("/console/projects/{project}/mail", "console"), ("/", "root"),
        ] { #expect(Operation(route: path).name == operation) }
        #expect(Operation(route: nil) == .nothing && Operation(route: "NotFound") == .nothing)
    }

    @Test func `the page about observing names every operation`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let page = try String(contentsOf: root.appending(path: "docs/observing.md"), encoding: .utf8)
        for operation in Operation.all { #expect(page.contains("`\(operation.name)`"), "\(operation.name)") }
    }

    @Test func `a time falls into the first bucket that it does not exceed`() {
        let times = Histogram()
        for milliseconds in [0.1, 0.5, 0.6, 10_000, 10_001] { times.observe(.seconds(milliseconds / 1000)) }
        let snapshot = times.snapshot
        #expect(snapshot.counts == [2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4])
        #expect(snapshot.count == 5)
        #expect(abs(snapshot.seconds - 20.0022) < 0.000_001)
    }

    @Test func `what many count at once adds up`() async {
        let times = SharedTimes()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<10_000 { times.histogram.observe(.milliseconds(3)) } }
            }
        }
        #expect(times.histogram.snapshot.count == 80_000)
    }

    private final class SharedTimes: Sendable {
        let histogram = Histogram()
    }
}
