// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
internal import HomingDatabase
import HomingLinkRules
package import HomingStore

/// What is known about the certificate of one name: the one that is there, and how getting the next one goes.
package struct CertificateState: Sendable, Equatable {
    package let name: String
    /// Who has signed the certificate that is there; nil where there is none yet.
    package var issuer: String?
    package var beginsAt: Moment?
    package var endsAt: Moment?
    /// When the next one is to be ordered.
    package var renewAt: Moment?
    /// When the name was first wanted.
    package var seenAt: Moment
    /// When it was last looked whether the name leads here.
    package var lookedAt: Moment?
    /// Whether the name led here when a certificate was last ordered.
    package var ledHere: Bool
    /// When a certificate was last ordered.
    package var triedAt: Moment?
    /// No certificate is ordered before this, unless an operator asks for it.
    package var nextAt: Moment
    /// How many orders in a row have failed.
    package var failures: Int
    /// Why there is no newer certificate, and what to do about it.
    package var problem: String?

    package init(name: String, seenAt: Moment) {
        self.name = name
        self.seenAt = seenAt
        ledHere = false
        nextAt = seenAt
        failures = 0
    }

    package var isThere: Bool { endsAt != nil }

    /// Seconds for which a certificate is missing, or its renewal is due; 0 where all is well.
    package func overdue(at now: Moment) -> Int64 {
        max(0, now.seconds - (isThere ? renewAt ?? now : seenAt).seconds)
    }
}

/// A certificate with its chain and its key, as a listener shows it.
package struct HeldCertificate: Sendable {
    package let name: String
    /// PEM, the name's own certificate first.
    package let chain: String
    /// PEM. It never goes to a log or into an answer.
    package let key: String
    package let endsAt: Moment
    package let renewAt: Moment
}

/// What a certificate authority has handed out, read and checked.
package struct IssuedCertificate: Sendable {
    package let chain: String
    package let key: String
    package let issuer: String
    package let beginsAt: Moment
    package let endsAt: Moment

    package init(chain: String, key: String, issuer: String, beginsAt: Moment, endsAt: Moment) {
        self.chain = chain
        self.key = key
        self.issuer = issuer
        self.beginsAt = beginsAt
        self.endsAt = endsAt
    }
}

extension CertificateState {
    /// The columns that ``Certificates/states()`` names, in its order.
    init(row: Row) throws {
        var row = row
        try self.init(&row)
    }

    init(_ row: inout Row) throws {
        self.init(name: try row.text(), seenAt: try row.moment())
        issuer = try row.optionalText()
        beginsAt = try row.optionalMoment()
        endsAt = try row.optionalMoment()
        renewAt = try row.optionalMoment()
        lookedAt = try row.optionalMoment()
        ledHere = try row.bool()
        triedAt = try row.optionalMoment()
        nextAt = try row.moment()
        failures = Int(try row.int())
        problem = try row.optionalText()
    }
}
