// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingMail
package import Logging

/// Everything that an operator can set, parsed, checked and in force.
package struct Settings: Sendable {
    package internal(set) var database = DatabaseLocation.sqlite(path: "homing.db")
    package internal(set) var listen = ListenAddress.unset
    package internal(set) var adminListen = ListenAddress.unset
    /// Whether the admin listener takes `Authorization: Bearer owner`.
    package internal(set) var isOwnerAllowed = false
    /// Nil only when the port is picked at start; see ``publicURL(boundTo:)``.
    package internal(set) var publicURL: PublicURL?
    package internal(set) var relay: MailRelay?
    /// Who mails come from unless a project says otherwise.
    package internal(set) var mailSender: SenderAddress?
    package internal(set) var keyFile = ""
    package internal(set) var trustedProxies: [AddressRange] = []
    package internal(set) var logLevel = Logger.Level.info
    package internal(set) var logFormat = LogFormat.json
    package internal(set) var limits = Limits.safe
    var tlsCertificate: String?
    var tlsKey: String?

    /// The rows as they were read, in the table's order.
    package internal(set) var entries: [SettingEntry] = []

    /// The files of certificate and key, or neither.
    package var tls: (certificate: String, key: String)? {
        guard let tlsCertificate, let tlsKey else { return nil }
        return (tlsCertificate, tlsKey)
    }

    /// The base of links once the public listener is bound: as set, else scheme, host and the port that it got.
    package func publicURL(boundTo port: Int) -> PublicURL {
        publicURL ?? PublicURL(scheme: listenScheme, address: listen, port: port)
    }

    var listenScheme: String {
        tlsCertificate == nil ? "http" : "https"
    }
}

extension ListenAddress {
    /// Stands only until the table has been gone through.
    fileprivate static let unset = ListenAddress(loopbackPort: 0)
}
