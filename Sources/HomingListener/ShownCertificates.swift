// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if TLS

    package import NIOSSL

    /// What a listener shows to clients that come by TLS.
    package protocol ShownCertificates: Sendable {
        /// - Parameter protocols: what the listener speaks, for ALPN (RFC 7301).
        func configuration(protocols: [String]) throws -> TLSConfiguration

        /// What is shown to an authority that proves a name; nil where none does so on this listener.
        var validation: HandshakeValidation? { get throws }
    }

    extension ShownCertificates {
        package var validation: HandshakeValidation? { nil }
    }

    /// A proof of a name that is over with the handshake (RFC 8737): nothing is spoken behind it.
    package struct HandshakeValidation: Sendable {
        /// The only one that such a client offers.
        package let protocolName: String
        package let configuration: TLSConfiguration

        package init(protocolName: String, configuration: TLSConfiguration) {
            self.protocolName = protocolName
            self.configuration = configuration
        }
    }

#else

    /// What a listener would show in a build that has TLS.
    package protocol ShownCertificates: Sendable {}

#endif
