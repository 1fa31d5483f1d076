// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
internal import HomingCurl
internal import HomingMail
import HomingProjects
package import HomingStore
internal import HomingWire

/// The server's half of a probe: letters of each kind with sample facts go to a mailbox by the way that all mails take,
/// and are written once more, to be compared with what arrived.
package struct LetterProbe: Sendable {
    private let homing: Homing

    package init(_ homing: Homing) {
        self.homing = homing
    }

    /// More projects than that take turns.
    private static let mostLetters = 40

    /// The kinds that are mailed to people.
    private static let kinds = MailKind.allCases.filter { !$0.isForOperator && $0 != .test }

    /// Puts the letters into the outbox, and answers their ids: each kind once at least, and each project, which may mail
    /// by a way of its own.
    ///
    /// - Parameter project: the only project; nil for all.
    package func send(to address: EmailAddress, project: ProjectID?, by authority: Authority) async throws -> [String] {
        let projects = try project.map { [try homing.projects.existing($0)] } ?? homing.projects.all()
        guard !projects.isEmpty else {
            throw Refusal.invalidSetting("there is no project whose emails could be sent: homing project create")
        }
        // Other pairs of kind and project each day.
        let day = Int(homing.system.now().seconds / 86_400)
        var ids: [String] = []
        for index in 0..<min(max(Self.kinds.count, projects.count), Self.mostLetters) {
            let number = day * (projects.count > Self.mostLetters ? Self.mostLetters : 1) + index
            let kind = Self.kinds[(projects.count >= Self.kinds.count ? day + index : index) % Self.kinds.count]
            ids.append(
                try await homing.outbox.enqueueTest(
                    to: address, in: projects[number % projects.count], showing: kind, by: authority))
        }
        return ids
    }

    /// Waits until the relays and providers have answered, and writes the letters once more.
    package func letters(_ ids: [String], waitingAtMost patience: Duration) async throws -> [WrittenLetter] {
        let end = ContinuousClock.now + patience
        var letters: [WrittenLetter] = []
        for id in ids {
            _ = try await homing.outbox.awaitOutcome(of: id, atMost: end - .now)
            if let letter = try await letter(id) { letters.append(letter) }
        }
        return letters
    }

    /// A mail as it was written; nil where it is not known here, or is none of the project.
    ///
    /// - Parameter project: the project whose mail it has to be, or of one of whose tenants; nil for any.
    package func letter(_ id: String, of project: ProjectID? = nil) async throws -> WrittenLetter? {
        guard let written = try await homing.written(id) else { return nil }
        let mail = written.mail
        guard project == nil || homing.projects.projectOrTenant(mail.project)?.projectID == project else { return nil }
        let entry = try await homing.outbox.show(id)
        return WrittenLetter(
            id: id, project: mail.project.text, kind: written.kind.rawValue, subject: written.letter.subject,
            text: written.letter.text, html: written.letter.html, code: written.code,
            requestedAt: mail.createdAt.milliseconds,
            handedOverAt: entry.state == .sent ? entry.endedAt?.milliseconds : nil, reply: entry.lastReply)
    }

    /// Judges a letter whose source somebody gives. Reading one of several mebibytes takes its time, on a thread of its
    /// own.
    ///
    /// - Parameter project: the project whose mail it has to be; nil for any.
    package func findings(of source: [UInt8], project: ProjectID? = nil) async throws -> [Finding] {
        let (letter, id) = await OwnThread.run {
            let letter = MIMEPart(source)
            return (letter, LetterCheck.mailID(of: letter))
        }
        let written: WrittenLetter? = if let id { try await self.letter(id, of: project) } else { nil }
        let hosts = ownHosts(of: project)
        return await OwnThread.run { LetterCheck(letter, written: written, ownHosts: hosts).findings() }
    }

    /// The hosts to which links in mails lead: of one project, whose operators need not learn those of others, or of all.
    private func ownHosts(of project: ProjectID?) -> Set<String> {
        let projects = homing.projects.all().filter { project == nil || $0.projectID == project }
        let domains = projects.flatMap { $0.linkDomains.map(\.host.text) + $0.authorizedDomains.map(\.text) }
        let urls = [homing.publicURL, homing.consoleURL].compactMap { $0 }.compactMap { LetterURL($0)?.host }
        return Set((domains + urls).map { ASCII.lowercased($0) })
    }
}
