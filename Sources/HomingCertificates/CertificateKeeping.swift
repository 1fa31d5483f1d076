// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Logging
import ServiceLifecycle

/// Looks every few seconds whether a name needs a certificate, so that a new link domain is noticed without a restart.
package struct CertificateKeeping: Service {
    private let keeper: CertificateKeeper

    package init(keeper: CertificateKeeper) { self.keeper = keeper }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var hasBegun = false
            var lastFault: String?
            while !Task.isCancelled {
                do {
                    if !hasBegun { try await keeper.begin() }
                    hasBegun = true
                    try await keeper.round()
                    lastFault = nil
                } catch is CancellationError {
                    return
                } catch {
                    let fault = "\(error)"
                    if fault != lastFault {
                        keeper.logger.error(
                            "certificates could not be looked after; it is tried again in a moment",
                            metadata: ["error": "\(fault)"])
                    }
                    lastFault = fault
                }
                try? await Task.sleep(for: .seconds(10))
            }
        }
    }
}
