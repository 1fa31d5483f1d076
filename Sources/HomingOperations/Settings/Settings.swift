// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingMail
package import HomingProjects
import HomingShortLinks
package import HomingStore
package import Logging

/// All settings, parsed, checked and in force.
package struct Settings: Sendable {
    package internal(set) var database = DatabaseLocation.sqlite(DatabaseFile(path: "homing.db"))
    package internal(set) var listen = ListenAddress.unset
    package internal(set) var adminListen = ListenAddress.unset
    /// Whether the admin listener accepts `Authorization: Bearer owner`.
    package internal(set) var isOwnerAllowed = false
    /// Nil only when the port is picked at start; see ``publicURL(boundTo:)``.
    package internal(set) var publicURL: PublicURL?
    /// Where people reach the console, when it is not the admin listener's own address.
    package internal(set) var consoleURL: PublicURL?
    /// Whether every operator of the console must have a second factor.
    package internal(set) var requiresSecondFactor = false
    package internal(set) var relay: MailRelay?
    /// The secret of that, where it is a setting of its own.
    package internal(set) var mailSecret: String?
    /// The sender of mails unless a project names another.
    package internal(set) var mailSender: SenderAddress?
    /// The address to which undeliverable mails come back.
    package internal(set) var mailBounces: BounceAddress?
    /// What the events of the provider are signed with.
    package internal(set) var mailEventsKey: String?
    /// Whether transports of projects may lead into private networks.
    package internal(set) var mailsToPrivateAddresses = false
    /// The mailbox to which letters go once a day, where it is read, and its password.
    package internal(set) var probeAddress: EmailAddress?
    package internal(set) var probeInbox: InboxURL?
    package internal(set) var probeSecret: String?
    package internal(set) var keyFile = ""
    package internal(set) var trustedProxies: [AddressRange] = []
    /// How long a node of several answers on when it is to stop.
    package internal(set) var drainSeconds = 0
    package internal(set) var logLevel = Logger.Level.info
    package internal(set) var logFormat = LogFormat.json
    /// Whether spans are written into the log.
    package internal(set) var logsTraces = false
    package var limits = Limits.safe
    package var tlsCertificate: String?
    package var tlsKey: String?
    /// The listener for port 80.
    package internal(set) var redirectListen: ListenAddress?
    package var acmeDirectory = ""
    package var acmeEmail: String?
    package var acmeAuthorityFile: String?
    package var isACMEAgreed = false
    /// Whom to tell of a weakness, as a URI.
    package internal(set) var securityContact: String?

    /// The rows in the table's order, with their sources.
    package internal(set) var entries: [SettingEntry] = []

    package init() {}

    /// Whom mails come from.
    package var mailOrigin: MailOrigin {
        MailOrigin(sender: mailSender ?? SenderAddress(address: "noreply@localhost"), bounces: mailBounces)
    }

    /// What others than delivery ask for.
    package var serverMail: ServerMail {
        var mail = ServerMail()
        mail.url = entries.first { ["mail.url", "smtp.url"].contains($0.setting.key) && $0.value != nil }?.shown
        mail.sender = mailOrigin.sender.description
        mail.eventsKey = mailEventsKey
        mail.reachesPrivateAddresses = mailsToPrivateAddresses
        return mail
    }

    /// The files of certificate and key, or neither.
    package var tls: (certificate: String, key: String)? {
        guard let tlsCertificate, let tlsKey else { return nil }
        return (tlsCertificate, tlsKey)
    }

    /// How certificates are obtained by ACME.
    package struct ACME: Sendable, Equatable {
        package let directory: String
        package let email: String?
        /// The PEM file with the authorities to trust for the connection to the directory.
        package let authorityFile: String?
    }

    /// Nil unless the operator has agreed to the authority's terms.
    package var acme: ACME? {
        isACMEAgreed ? ACME(directory: acmeDirectory, email: acmeEmail, authorityFile: acmeAuthorityFile) : nil
    }

    /// The base of links once the public listener is bound: the setting, else scheme, host and the bound port.
    package func publicURL(boundTo port: Int) -> PublicURL {
        publicURL ?? PublicURL(scheme: listenScheme, address: listen, port: port)
    }

    /// The base of links to the console: the setting, else the admin listener's own address. A wildcard is reached
    /// here.
    package func consoleURL(boundTo port: Int) -> PublicURL {
        let address = adminListen.isWildcard ? ListenAddress(loopbackPort: port) : adminListen
        return consoleURL ?? PublicURL(scheme: adminScheme, address: address, port: port)
    }

    package var listenScheme: String { isACMEAgreed ? "https" : adminScheme }

    /// Certificates by ACME are the public listener's alone.
    private var adminScheme: String { tlsCertificate == nil ? "http" : "https" }
}

extension ListenAddress {
    /// The value until the whole table has been read.
    fileprivate static let unset = ListenAddress(loopbackPort: 0)
}
