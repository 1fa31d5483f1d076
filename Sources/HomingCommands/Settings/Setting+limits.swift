// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore
internal import HomingWire

extension Setting {
    /// One row for every limit.
    static let limits: [Setting] = [
        limit(
            "mailPerAddressMinute", "MAIL_PER_ADDRESS_MINUTE", \.mailPerAddressMinute,
            "Mails of one kind to one address in a minute."
        ),
        limit(
            "mailPerAddressHour", "MAIL_PER_ADDRESS_HOUR", \.mailPerAddressHour,
            "Mails to one address in an hour."
        ),
        limit(
            "mailPerIPHour", "MAIL_PER_IP_HOUR", \.mailPerIPHour,
            "Mails that one client address asks for in an hour; an IPv6 /64 is one address."
        ),
        limit(
            "mailPerProjectHour", "MAIL_PER_PROJECT_HOUR", \.mailPerProjectHour,
            "Mails of one project in an hour."
        ),
        limit(
            "signUpPerIPHour", "SIGNUP_PER_IP_HOUR", \.signUpPerIPHour,
            "Sign-ups that one client address tries in an hour, also those that put an address on an account."
        ),
        limit(
            "signInFailuresPerAccountHour", "SIGNIN_FAILURES_PER_ACCOUNT_HOUR", \.signInFailuresPerAccountHour,
            "Failed sign-ins in an hour per account and client address, counted before hashing; per account alone, and "
                + "per client address alone, it is ten times this. A reset or a link sign-in works while it is full."
        ),
        limit(
            "requestsPerIPSecond", "REQUESTS_PER_IP_SECOND", \.requestsPerIPSecond,
            "Requests of one client address in a second, on the public listener."
        ),
        limit(
            "linksPerIPSecond", "LINKS_PER_IP_SECOND", \.linksPerIPSecond,
            "Short links that one client address makes, and pages that explain a link (`d=1`), in a second."
        ),
        limit(
            "linksPerProjectDay", "LINKS_PER_PROJECT_DAY", \.linksPerProjectDay,
            "Short links that the apps of one project make in a day."
        ),
        limit(
            "connectionsPerIP", "CONNECTIONS_PER_IP", \.connectionsPerIP,
            "Open connections of one client address; trusted proxies are exempt."
        ),
        limit(
            "connections", "CONNECTIONS", \.connections,
            "Open connections of a listener. The limit of open files is raised at start; where that is not allowed, the start warns and the listeners take fewer."
        ),
        limit(
            "passwordHashes", "PASSWORD_HASHES", \.passwordHashes,
            "Passwords hashed at the same time.", standardText: "number of cores"
        ),
        limit(
            "passwordQueue", "PASSWORD_QUEUE", \.passwordQueue,
            "Requests that may wait for a hash; beyond it the answer is 503 with `Retry-After`."
        ),
    ]

    /// Those by which something is made at the start: connections are counted, threads and queues for passwords made.
    private static let fixedAtStart: Set<String> = [
        "connectionsPerIP", "connections", "passwordHashes", "passwordQueue",
    ]

    private static let largestLimit = 1_000_000_000

    private static func limit(
        _ key: String,
        _ variable: String,
        _ field: any WritableKeyPath<Limits, Int> & Sendable,
        _ meaning: String,
        standardText: String? = nil
    ) -> Setting {
        Setting(
            "limits.\(key)",
            "HOMING_LIMIT_\(variable)",
            accepted: "a whole number from 0 (no limit) to \(largestLimit)",
            standardText: standardText ?? "`\(Limits.safe[keyPath: field])`",
            meaning: meaning,
            isLive: !fixedAtStart.contains(key),
            standard: { _, _ in "\(Limits.safe[keyPath: field])" },
            take: { (text, settings) throws(Rejection) in
                settings.limits[keyPath: field] = try parsed(ASCII.number(text, atMost: largestLimit))
            }
        )
    }
}
