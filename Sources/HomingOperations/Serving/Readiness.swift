// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore
internal import HomingCurl
import HomingStore
internal import HomingWire

/// Whether the server of this machine is ready, as a load balancer asks.
package enum Readiness {
    /// Asks the public listener until it is ready.
    ///
    /// - Returns: the URL that was asked for.
    /// - Throws: a sentence with what it answered last, after so many seconds.
    package static func wait(for settings: Settings, seconds: Int) async throws -> String {
        let host = settings.listen.isWildcard ? "localhost" : settings.listen.urlHost
        let url = "\(settings.listenScheme)://\(host):\(settings.listen.port)/readyz"
        let end = ContinuousClock.now + .seconds(seconds)
        while true {
            // The certificate names the host that people see, and not this address.
            let reason: String
            switch await WebFetcher().fetch(url, isVerifying: false) {
            case .answered(let response) where response.status == 200: return url
            case .answered(let response): reason = Printable.ascii(response.body)
            case .unreachable(let fault): reason = fault
            }
            guard ContinuousClock.now < end else { throw Refusal.notFound("\(url) is not ready: \(reason)") }
            try await Task.sleep(for: .milliseconds(250))
        }
    }
}
