// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Hummingbird

/// A bare Hummingbird server that answers every short path with 302: what resolving a link is held against.
enum Redirect {
    static func serve(_ options: Options) async throws {
        let router = Router()
        router.get("/{suffix}") { _, context in
            let suffix = try context.parameters.require("suffix")
            return Response.redirect(to: "https://app.example/\(suffix)", type: .found)
        }
        try await bareServer(router, port: options.number("port"))
    }
}
