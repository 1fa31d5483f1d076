// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import NIOCore
import NIOPosix

/// Port 0 picks one; links carry the port, so that it has to be known before anything is opened.
enum FreePort {
    static func pick(_ host: String) throws -> Int {
        let channel = try ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: host, port: 0).wait()
        defer { try? channel.close().wait() }
        guard let port = channel.localAddress?.port else { throw Refusal.invalidSetting("no port is free on \(host)") }
        return port
    }
}
