// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCertificates
internal import HomingCore
import HomingStore

/// The places from which a process reads its settings, at its start and again later.
package struct SettingPlaces: Sendable {
    package var flags: [String: String]
    package let environment: [String: String]
    package let configPath: String?

    package init(flags: [String: String], environment: [String: String], configPath: String?) {
        self.flags = flags
        self.environment = environment
        self.configPath = configPath
    }

    package func load() throws(SettingsFault) -> Settings {
        try Settings.load(flags: flags, environment: environment, configPath: configPath)
    }
}

extension Settings {
    /// Variables with our prefix that are no settings: the scripts of the source tree read them, and `homing doctor
    /// --letter` reads the last one.
    private static let foreignVariables: Set<String> = [
        "HOMING_BENCHMARKS", "HOMING_COMMIT", "HOMING_SCRATCH_PATH", "HOMING_INBOX_SECRET",
    ]

    /// Reads every setting: flag, else environment, else `homing.yaml`, else default.
    ///
    /// - Parameters:
    ///   - flags: the values by ``Setting/flag``, without dashes.
    ///   - environment: of the process; only variables that begin with `HOMING_` and the home folders are read.
    ///   - configPath: of `--config`; without it the file beside the default key file is read if it exists.
    ///   - folders: the folders of defaults; those of the process when nil.
    ///   - isFileRequired: whether the file must be there; when nil, one that `configPath` names.
    ///   - isComplete: false while more is to come, so that the values need not go together yet.
    /// - Throws: ``SettingsFault`` for the first unknown name, refused value or pair of values that do not go together.
    package static func load(
        flags: [String: String] = [:],
        environment: [String: String],
        configPath: String? = nil,
        folders: DefaultFolders? = nil,
        isFileRequired: Bool? = nil,
        isComplete: Bool = true
    ) throws(SettingsFault) -> Settings {
        let folders = folders ?? DefaultFolders(environment: environment)
        let given = try given(
            flags: flags, environment: environment, configPath: configPath, folders: folders,
            isFileRequired: isFileRequired)
        var settings = Settings()
        for setting in takingOrder {
            guard let (value, source) = given[setting.key] else { continue }
            try settings.take(value, setting, source)
        }
        // Defaults come after every given value, because some defaults are made of other values.
        for setting in Setting.all {
            if let (value, source) = given[setting.key] {
                settings.entries.append(SettingEntry(setting: setting, source: source, value: value))
                continue
            }
            let value = setting.standard(folders, settings)
            if let value { try settings.take(value, setting, .standard) }
            settings.entries.append(SettingEntry(setting: setting, source: .standard, value: value))
        }
        if isComplete { try settings.check() }
        return settings
    }

    /// The values that somebody has given, by key. Each is one that its setting takes; whether they go together is not
    /// looked at.
    package static func given(
        flags: [String: String], environment: [String: String], configPath: String?, folders: DefaultFolders,
        isFileRequired: Bool? = nil
    ) throws(SettingsFault) -> [String: (value: String, source: SettingSource)] {
        try refuseUnknown(flags.keys.sorted(), known: Setting.all.map(\.flag), shownAs: { "--\($0)" })
        let ours = environment.keys.filter {
            $0.utf8.starts(with: Setting.prefix.utf8) && !foreignVariables.contains($0) && !isOfKubernetes($0)
        }
        try refuseUnknown(ours.sorted(), known: Setting.all.map(\.variable), shownAs: { $0 })
        let file = try SettingsFile(
            path: configPath ?? folders.configurationPath, isRequired: isFileRequired ?? (configPath != nil))

        var settings = Settings()
        var given: [String: (value: String, source: SettingSource)] = [:]
        for setting in takingOrder {
            let value =
                flags[setting.flag].map { ($0, SettingSource.flag(setting.flag)) }
                ?? environment[setting.variable].map { ($0, SettingSource.environment(setting.variable)) }
                ?? file.values[setting.key]
            guard let (value, source) = value else { continue }
            try settings.take(value, setting, source)
            given[setting.key] = (value, source)
        }
        return given
    }

    /// The secret of `mail.url` comes before the URL, which is complete with it only.
    private static let takingOrder =
        Setting.all.filter { $0.key == "mail.secret" } + Setting.all.filter { $0.key != "mail.secret" }

    /// Whether Kubernetes sets the variable, which tells every container the address of a service called `homing`:
    /// `HOMING_SERVICE_HOST`, `HOMING_PORT_9099_TCP_ADDR` and so on.
    private static func isOfKubernetes(_ variable: String) -> Bool {
        ["HOMING_SERVICE_", "HOMING_PORT_"].contains { variable.utf8.starts(with: $0.utf8) }
            || variable == "HOMING_PORT"
    }

    private mutating func take(_ value: String, _ setting: Setting, _ source: SettingSource) throws(SettingsFault) {
        do {
            try setting.take(value, &self)
        } catch {
            throw .badValue(value, of: setting, from: source, error)
        }
    }

    private static func refuseUnknown(
        _ names: [String],
        known: [String],
        shownAs spelled: (String) -> String
    ) throws(SettingsFault) {
        let known = Set(known)
        for name in names where !known.contains(name) {
            throw .unknown(spelled(name), in: nil, candidates: known.sorted().map(spelled))
        }
    }

    /// Checks the rules that need two settings.
    private func check() throws(SettingsFault) {
        let urls = ["mail.url", "smtp.url"].compactMap { key in
            entries.first { $0.setting.key == key && $0.value != nil }
        }
        if urls.count == 2, urls[0].value != urls[1].value {
            throw .differs(urls[0].source, from: urls[1].source)
        }
        if isOwnerAllowed, !adminListen.isLoopback {
            throw SettingsFault(
                "HOMING_ADMIN_OWNER (admin.owner): \"allow\" is refused while the admin listener is \(adminListen): anybody "
                    + "who reaches it would be the owner; bind HOMING_ADMIN_LISTEN to 127.0.0.1 or [::1], or set refuse."
            )
        }
        if isOwnerAllowed, let consoleURL {
            throw SettingsFault(
                "HOMING_ADMIN_OWNER (admin.owner): \"allow\" is refused beside HOMING_CONSOLE_PUBLIC_URL: anybody who reaches "
                    + "the proxy at \(consoleURL) would be the owner; set refuse, and use an admin key."
            )
        }
        if publicURL == nil, listen.isWildcard {
            throw SettingsFault(
                "HOMING_PUBLIC_URL (publicURL): none is set, and the public listener \(listen) is a wildcard that no link "
                    + "can name; set it to what people reach, for example https://auth.example.com."
            )
        }
        if listen == adminListen, listen.port != 0 {
            throw SettingsFault(
                "HOMING_ADMIN_LISTEN (admin.listen): \"\(adminListen)\" is refused: the public listener has it; the two must "
                    + "differ."
            )
        }
        if (tlsCertificate == nil) != (tlsKey == nil) {
            let (missing, set) = tlsKey == nil ? ("KEY", "CERTIFICATE") : ("CERTIFICATE", "KEY")
            throw SettingsFault(
                "HOMING_TLS_\(missing) (tls.\(missing.lowercased())): none is set, but HOMING_TLS_\(set) is; TLS needs both "
                    + "files."
            )
        }
        if let redirectListen, redirectListen.port != 0, redirectListen == listen || redirectListen == adminListen {
            throw SettingsFault(
                "HOMING_REDIRECT_LISTEN (redirect.listen): \"\(redirectListen)\" is refused: another listener has it; give it "
                    + "one of its own, such as 0.0.0.0:80."
            )
        }
        try checkACME()
    }

    private func checkACME() throws(SettingsFault) {
        guard isACMEAgreed else {
            guard acmeEmail == nil else {
                throw SettingsFault(
                    "HOMING_TLS_ACME_EMAIL (tls.acme.email): an address is set, but HOMING_TLS_ACME_AGREE is not; read the "
                        + "certificate authority's terms, and set tls.acme.agree: yes, or leave both out."
                )
            }
            return
        }
        let host = publicURL.flatMap { WebHost(parsing: $0.host) }
        guard publicURL?.scheme == "https", let host, CertificatePlan.isPublic(host) else {
            throw SettingsFault(
                "HOMING_TLS_ACME_AGREE (tls.acme.agree): certificates are for names of the internet, and the public URL is "
                    + "\(publicURL?.description ?? "not set"); set HOMING_PUBLIC_URL to https:// and a name with a dot."
            )
        }
    }
}
