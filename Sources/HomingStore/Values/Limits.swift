// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The limits of everything that callers can do. Each one is a `HOMING_LIMIT_…` setting; `0` switches that limit off.
///
/// Notices and recovery mails count against none of the limits: a person must always hear that something changed.
package struct Limits: Sendable, Equatable {
    /// Mails of one kind to one address in a minute.
    package var mailPerAddressMinute: Int
    /// Mails of any kind to one address in an hour.
    package var mailPerAddressHour: Int
    /// Mails that one client address asks for in an hour; an IPv6 /64 counts as one address.
    package var mailPerIPHour: Int
    /// Mails of one project in an hour.
    package var mailPerProjectHour: Int
    /// Sign-ups that one client address tries in an hour, also those that put an address on an account.
    package var signUpPerIPHour: Int
    /// Failed sign-ins in an hour per account and client address; per account alone it is ten times this.
    package var signInFailuresPerAccountHour: Int
    /// Wrong numbers of mailed links for one address in an hour, whoever gives them.
    package var wrongNumbersPerAddressHour: Int
    /// Wrong typed codes for one address in an hour, whoever gives them.
    package var wrongTypedCodesPerAddressHour: Int
    /// Requests of one client address in a second, on the public listener; on the admin listener, those to what answers
    /// without a key.
    package var requestsPerIPSecond: Int
    /// Links, and the pages that they show, that one client address opens in a second. They count against no other
    /// limit.
    package var clicksPerIPSecond: Int
    /// Short links, and pages that explain a link, that one client address asks for in a second.
    package var linksPerIPSecond: Int
    /// Short links that one client address makes in one project in a day: its share of the project's.
    package var linksPerIPDay: Int
    /// Short links that one project makes in a day.
    package var linksPerProjectDay: Int
    /// Open connections of one client address.
    package var connectionsPerIP: Int
    /// Open connections of all clients of one listener.
    package var connections: Int
    /// Passwords hashed at the same time.
    package var passwordHashes: Int
    /// Requests that may wait for a hash; beyond it the answer is 503 with `Retry-After`.
    package var passwordQueue: Int

    package init(
        mailPerAddressMinute: Int = 1,
        mailPerAddressHour: Int = 5,
        mailPerIPHour: Int = 100,
        mailPerProjectHour: Int = 10_000,
        signUpPerIPHour: Int = 100,
        signInFailuresPerAccountHour: Int = 20,
        wrongNumbersPerAddressHour: Int = 9,
        wrongTypedCodesPerAddressHour: Int = 20,
        requestsPerIPSecond: Int = 50,
        clicksPerIPSecond: Int = 1_000,
        linksPerIPSecond: Int = 5,
        linksPerIPDay: Int = 10_000,
        linksPerProjectDay: Int = 200_000,
        connectionsPerIP: Int = 200,
        connections: Int = 10_000,
        passwordHashes: Int = Limits.cores,
        passwordQueue: Int = 128
    ) {
        self.mailPerAddressMinute = mailPerAddressMinute
        self.mailPerAddressHour = mailPerAddressHour
        self.mailPerIPHour = mailPerIPHour
        self.mailPerProjectHour = mailPerProjectHour
        self.signUpPerIPHour = signUpPerIPHour
        self.signInFailuresPerAccountHour = signInFailuresPerAccountHour
        self.wrongNumbersPerAddressHour = wrongNumbersPerAddressHour
        self.wrongTypedCodesPerAddressHour = wrongTypedCodesPerAddressHour
        self.requestsPerIPSecond = requestsPerIPSecond
        self.clicksPerIPSecond = clicksPerIPSecond
        self.linksPerIPSecond = linksPerIPSecond
        self.linksPerIPDay = linksPerIPDay
        self.linksPerProjectDay = linksPerProjectDay
        self.connectionsPerIP = connectionsPerIP
        self.connections = connections
        self.passwordHashes = passwordHashes
        self.passwordQueue = passwordQueue
    }

    /// The limits of an operator who sets nothing.
    package static let safe = Limits()

    /// No limits: for measurements, never for the internet.
    package static let none = Limits(
        mailPerAddressMinute: 0,
        mailPerAddressHour: 0,
        mailPerIPHour: 0,
        mailPerProjectHour: 0,
        signUpPerIPHour: 0,
        signInFailuresPerAccountHour: 0,
        wrongNumbersPerAddressHour: 0,
        wrongTypedCodesPerAddressHour: 0,
        requestsPerIPSecond: 0,
        clicksPerIPSecond: 0,
        linksPerIPSecond: 0,
        linksPerIPDay: 0,
        linksPerProjectDay: 0,
        connectionsPerIP: 0,
        connections: 0,
        passwordHashes: 0,
        passwordQueue: 0
    )

    /// The processors that are online, at least one.
    package static var cores: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}

extension Limits {
    /// One limit, as the settings and the console name it.
    package struct Row: Sendable {
        /// The name of the setting behind `limits.`.
        package let name: String
        /// The name of the environment's variable.
        package let variable: String
        /// What is counted, in Markdown.
        package let meaning: String
        package let value: any WritableKeyPath<Limits, Int> & Sendable

        init(
            _ name: String, _ variable: String, _ value: any WritableKeyPath<Limits, Int> & Sendable,
            _ meaning: String
        ) {
            self.name = name
            self.variable = variable
            self.value = value
            self.meaning = meaning
        }
    }

    /// All of them, in the order of the settings.
    package static let rows = [
        Row(
            "mailPerAddressMinute", "HOMING_LIMIT_MAIL_PER_ADDRESS_MINUTE", \.mailPerAddressMinute,
            "Emails of one kind to one address in a minute."),
        Row(
            "mailPerAddressHour", "HOMING_LIMIT_MAIL_PER_ADDRESS_HOUR", \.mailPerAddressHour,
            "Emails to one address in an hour."),
        Row(
            "mailPerIPHour", "HOMING_LIMIT_MAIL_PER_IP_HOUR", \.mailPerIPHour,
            "Emails that one client address asks for in an hour; an IPv6 /64 is one address."),
        Row(
            "mailPerProjectHour", "HOMING_LIMIT_MAIL_PER_PROJECT_HOUR", \.mailPerProjectHour,
            "Emails of one project in an hour."),
        Row(
            "signUpPerIPHour", "HOMING_LIMIT_SIGNUP_PER_IP_HOUR", \.signUpPerIPHour,
            "Sign-ups that one client address tries in an hour, also those that put an address on an account."),
        Row(
            "signInFailuresPerAccountHour", "HOMING_LIMIT_SIGNIN_FAILURES_PER_ACCOUNT_HOUR",
            \.signInFailuresPerAccountHour,
            "Failed sign-ins in an hour per account and client address, counted before hashing; per account "
                + "alone, and per client address alone, it is ten times this. A reset or a link sign-in works while"
                + " it is full."),
        Row(
            "wrongNumbersPerAddressHour", "HOMING_LIMIT_WRONG_NUMBERS_PER_ADDRESS_HOUR", \.wrongNumbersPerAddressHour,
            "Wrong numbers that are given for mailed links to one address in an hour, whoever gives them. The device "
                + "that asked needs no number."),
        Row(
            "wrongTypedCodesPerAddressHour", "HOMING_LIMIT_WRONG_TYPED_CODES_PER_ADDRESS_HOUR",
            \.wrongTypedCodesPerAddressHour,
            "Wrong codes that are typed for emails to one address in an hour, whoever types them. The links work while "
                + "it is full."),
        Row(
            "requestsPerIPSecond", "HOMING_LIMIT_REQUESTS_PER_IP_SECOND", \.requestsPerIPSecond,
            "Requests of one client address in a second, on the public listener; on the admin listener, those to what "
                + "answers without a key."),
        Row(
            "clicksPerIPSecond", "HOMING_LIMIT_CLICKS_PER_IP_SECOND", \.clicksPerIPSecond,
            "Links, and the pages that they show, that one client address opens in a second; an IPv6 /64 is one address. "
                + "A click counts against no other limit."),
        Row(
            "linksPerIPSecond", "HOMING_LIMIT_LINKS_PER_IP_SECOND", \.linksPerIPSecond,
            "Short links that one client address makes, and pages that explain a link (`d=1`), in a second."),
        Row(
            "linksPerIPDay", "HOMING_LIMIT_LINKS_PER_IP_DAY", \.linksPerIPDay,
            "Short links that one client address makes in one project in a day, so that nobody uses up the project's alone; "
                + "an IPv6 /64 is one address."),
        Row(
            "linksPerProjectDay", "HOMING_LIMIT_LINKS_PER_PROJECT_DAY", \.linksPerProjectDay,
            "Short links that the apps of one project make in a day."),
        Row(
            "connectionsPerIP", "HOMING_LIMIT_CONNECTIONS_PER_IP", \.connectionsPerIP,
            "Open connections of one client address; trusted proxies are exempt."),
        Row(
            "connections", "HOMING_LIMIT_CONNECTIONS", \.connections,
            "Open connections of a listener. The limit of open files is raised at start; where that is not "
                + "allowed, the start warns and the listeners take fewer."),
        Row("passwordHashes", "HOMING_LIMIT_PASSWORD_HASHES", \.passwordHashes, "Passwords hashed at the same time."),
        Row(
            "passwordQueue", "HOMING_LIMIT_PASSWORD_QUEUE", \.passwordQueue,
            "Requests that may wait for a hash; beyond it the answer is 503 with `Retry-After`."),
    ]
}
