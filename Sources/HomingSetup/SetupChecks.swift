// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCertificates
import HomingCore
import HomingCurl
import HomingDoctor
import HomingListener
import HomingMail
import HomingOperations
import HomingServer
import HomingStore
import HomingWire
import NIOCore

/// What is looked at behind each answer, with the doctor's own checks where it has one.
struct SetupChecks: Sendable {
    let settings: Settings
    let user: ServiceUser?
    /// The `homing.yaml` that the server is to read.
    let configuration: String
    /// Whether nobody else may be asked.
    let isOffline: Bool
    /// The listeners that this server holds already.
    let held: Set<String>

    func findings(of step: SetupStep) async throws -> [Finding] {
        switch step {
        case .data: try await folders()
        case .address: addressCheck.settingFindings() + (isOffline ? [] : await name())
        case .encryption: ports() + (try await authority())
        case .relay: await relay(withSender: false)
        case .sender: await relay(withSender: true)
        case .project, .person: []
        }
    }

    /// Whether a finding is one with which no server would work; what DNS says may be mended later.
    static func stops(_ finding: Finding) -> Bool {
        finding.level == .problem && !finding.code.hasSuffix("_EXPIRES_SOON")
            && ["DATA_", "KEYS_", "LISTENER_", "ACME_", "RELAY_", "MAIL_PROVIDER_"].contains {
                finding.code.hasPrefix($0)
            }
    }

    private var url: PublicURL { settings.publicURL(boundTo: settings.listen.port) }
    private var addressCheck: PublicURLCheck { PublicURLCheck(publicURL: url.description, linkHosts: []) }

    // MARK: This machine

    /// Whether the server can read its settings, and write where its data and its keys are.
    private func folders() async throws -> [Finding] {
        let keys = FilePath.folder(of: FilePath.absolute(settings.keyFile))
        let areKeysMade = FileManager.default.fileExists(atPath: settings.keyFile)
        for folder in [FilePath.folder(of: configuration), keys] where FileManager.default.fileExists(atPath: folder) {
            // The server makes its key file itself. In a folder of root's that is sticky it can replace no file of
            // root's.
            let makesKeys = folder == keys && !areKeysMade
            guard let user, !(try await user.run { Self.may(makesKeys ? W_OK | X_OK : X_OK, folder) }) else { continue }
            return [
                .problem(
                    "DATA_NOT_READABLE", "settings",
                    "\(folder) cannot be \(makesKeys ? "written to" : "entered") by the user \(user.name)",
                    "chgrp \(user.name) \(folder) && chmod \(folder == keys ? "1770" : "0750") \(folder)")
            ]
        }
        let who = user?.name ?? String(cString: getpwuid(geteuid())?.pointee.pw_name ?? strdup("?"))
        guard let file = settings.database.file else {
            return [.ok("DATA_ELSEWHERE", "database", "in PostgreSQL, with the keys in \(settings.keyFile)")]
        }
        var findings: [Finding] = []
        let isThere = FileManager.default.fileExists(atPath: file.path)
        let path = isThere ? file.path : Self.nearest(FilePath.absolute(FilePath.folder(of: file.path)))
        // Root makes its own default for the user, and no other folder.
        let isMade =
            user != nil && file.folder == DefaultFolders(environment: [:]).dataFolder
            && !FileManager.default.fileExists(atPath: file.folder)
        let mayWrite =
            isMade ? true : try await user.run { Self.may(W_OK, path) && (isThere || Self.may(X_OK, path)) }
        findings.append(
            mayWrite
                ? .ok("DATA_OK", "database", "\(file.path)\(isThere ? "" : ", which is made"), of the user \(who)")
                : .problem(
                    "DATA_NOT_WRITABLE", "database", "\(path) cannot be written by the user \(who)",
                    "Give it to that user (chown -R \(who): \(isThere ? file.folder : path)), or set database.url to another place."
                ))
        if let free = Self.freeSpace(at: path), free < Self.leastSpace {
            findings.append(
                .problem(
                    "DATA_NO_SPACE", "database", "only \(free / 1_000) kB of space are left at \(path)",
                    "Free some, or set database.url to another place."))
        }
        guard !FileManager.default.fileExists(atPath: settings.keyFile) else { return findings }
        let place = Self.nearest(keys)
        if !Self.may(W_OK | X_OK, place) {
            findings.append(
                .problem(
                    "KEYS_NOT_WRITABLE", "key file", "\(place) cannot be written by the user \(who)",
                    "Give that user the folder, or set keyFile to another place."))
        }
        return findings
    }

    /// A new database and its log, with room for a beginning.
    private static let leastSpace: UInt64 = 8_000_000

    private static func freeSpace(at path: String) -> UInt64? {
        var status = statvfs()
        return statvfs(path, &status) == 0 ? UInt64(status.f_bavail) * UInt64(status.f_frsize) : nil
    }

    /// Whether the present user may, who may be another than the one that the process began with.
    private static func may(_ mode: CInt, _ path: String) -> Bool {
        faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0
    }

    /// The folder, or the first one above it that is there.
    private static func nearest(_ folder: String) -> String {
        var folder = folder
        while folder != "/", !FileManager.default.fileExists(atPath: folder) { folder = FilePath.folder(of: folder) }
        return folder
    }

    /// Whether the listeners can be opened.
    private func ports() -> [Finding] {
        let listeners = [
            (ListenerName.open, settings.listen as ListenAddress?), (.admin, settings.adminListen),
            (.redirect, settings.redirectListen),
        ]
        return listeners.compactMap { name, address in
            guard let address else { return nil }
            let subject = "\(name.rawValue) listener"
            guard !held.contains(address.description) else {
                return .ok("LISTENER_OURS", subject, "\(address) is this server's")
            }
            do throws(Refusal) {
                try Sockets.probe(name, address)
                return .ok("LISTENER_OK", subject, "\(address) is free for the \(subject)")
            } catch {
                let sentence = RefusalLine.text(error).split(separator: "; ", maxSplits: 1).map(String.init)
                return .problem(
                    "LISTENER_TAKEN", subject, sentence[0], sentence.count > 1 ? Self.capitalized(sentence[1]) : "")
            }
        }
    }

    private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }

    // MARK: Others

    /// Whether the public URL's host leads to this machine.
    private func name() async -> [Finding] {
        guard let host = WebHost(parsing: url.host), !host.isAddress, !host.isLoopback else { return [] }
        let name = host.text
        let addresses = await OwnThread.run { CertificateLookout.addresses(of: name) }
        guard !addresses.isEmpty else {
            return [
                .warning(
                    "NAME_UNKNOWN", name, "\(name) has no address yet",
                    "Add an A or AAAA record that leads to this machine, or to what stands before it.")
            ]
        }
        let own = (try? NIOCore.System.enumerateDevices().compactMap { $0.address?.ipAddress }) ?? []
        let shown = addresses.prefix(3).joined(separator: ", ")
        guard addresses.contains(where: own.contains) else {
            return [
                .warning(
                    "NAME_ELSEWHERE", name, "\(name) leads to \(shown), which is none of this machine's own addresses",
                    "That is right behind a router or a proxy that passes everything on to this machine.")
            ]
        }
        return [.ok("NAME_OK", name, "\(name) leads here (\(shown))")]
    }

    /// Whether the certificate authority answers.
    private func authority() async throws -> [Finding] {
        guard let acme = settings.acme else { return [] }
        guard TLSCertificate.isAvailable else { throw LiveSettings.tlsIsMissing }
        guard !isOffline else { return [] }
        let subject = "certificate authority"
        do throws(ACMEFault) {
            let directory = try await ACMEClient(
                directory: acme.directory, authorityFile: acme.authorityFile, agent: Version.agent
            ).directory()
            guard !directory.wantsOwnAccounts else {
                return [
                    .problem(
                        "ACME_WANTS_ACCOUNT", subject, "\(acme.directory) wants accounts that it has made itself",
                        "Choose another tls.acme.directory.")
                ]
            }
            return [.ok("ACME_OK", subject, "\(acme.directory) answers")]
        } catch {
            return [
                .problem(
                    "ACME_UNREACHABLE", subject, error.description,
                    "Then run homing setup again, or set tls.acme.directory to another authority.")
            ]
        }
    }

    /// The relay's own words, and what receivers think of the sender's domain.
    private func relay(withSender: Bool) async -> [Finding] {
        switch settings.relay {
        case nil: return []
        case .provider(let url, let provider):
            let set = Finding.ok("PROVIDER_SET", "\(url)", "emails leave through \(provider.name), over HTTPS")
            guard !isOffline else { return withSender ? [] : [set] }
            let facts = await ProviderInquiry(url, provider, domain: withSender ? senderDomain : nil).facts()
            let told = ProviderCheck(url: url, provider: provider).findings(facts)
            guard withSender else { return [set] + told }
            // What else it said was said at the step before. Its return path is its own, and so is its sender policy.
            return told.filter {
                ["MAIL_SENDER_VERIFIED", "MAIL_SENDER_NOT_VERIFIED", "MAIL_TRACKING_ON"].contains($0.code)
            }
                + (await domain()).filter { $0.code != "SPF_MISSING" }
        case .incomplete(let reason):
            return withSender
                ? [] : [.problem("RELAY_SECRET_MISSING", "mail", reason, "Then run homing setup again.")]
        case .noMail:
            return withSender
                ? []
                : [
                    .warning(
                        "MAIL_IS_OFF", "mail", "this server will send no mail: it refuses what it would have to mail",
                        "Set mail.url to a relay or a provider before an app asks for emails.")
                ]
        case .mailbox:
            return withSender
                ? []
                : [
                    .warning(
                        "RELAY_IS_MAILBOX", "mail", "emails are kept in the database and sent to nobody",
                        "Set mail.url to a relay or a provider before you depend on emails.")
                ]
        case .smtp(let relay):
            guard !isOffline else { return [] }
            let sender = settings.mailBounces?.description ?? settings.mailSender?.address
            let look = await RelayProbe(
                relay: relay, heloName: addressCheck.heloName, sender: withSender ? sender : nil
            ).look()
            let findings = RelayCheck(relay: relay).findings(look, now: Int64(Date().timeIntervalSince1970))
            guard withSender else { return findings }
            let own = findings.filter { ["RELAY_REFUSES_SENDER", "RELAY_REFUSES_RECIPIENT"].contains($0.code) }
            let taken = Finding.ok("SENDER_OK", "mail", "the relay takes emails from \(sender ?? "")")
            return (look.ending == .ready ? [taken] : own) + (await domain())
        }
    }

    /// Nil for one that is none of the internet's.
    private var senderDomain: String? {
        let domain = settings.mailSender?.address.split(separator: "@").last.map(String.init)
        return domain.flatMap { $0.contains(".") ? $0 : nil }
    }

    /// What receivers ask about the sender's domain.
    private func domain() async -> [Finding] {
        guard let domain = senderDomain else { return [] }
        let names = NameServer.system
        async let exchange = MailDomainCheck(domain: domain, names: names).findings()
        async let policy = SPFCheck(domain: domain, names: names).findings()
        async let reports = DMARCCheck(domain: domain, names: names).findings()
        return await exchange + policy + reports
    }
}
