// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import CLibCurl
internal import HomingCurl
package import HomingMail
internal import HomingWire
internal import Synchronization

/// A mailbox from which letters are fetched back, by IMAP (RFC 9051) or POP3 (RFC 1939) through libcurl. Each visit is a
/// connection of its own, so that it sees what has come since the one before.
package struct ProbeInbox: Sendable {
    package let url: InboxURL
    private let secret: String
    /// A PEM file with the authorities to trust instead of the system's.
    private let authorityFile: String?
    /// As for curl's `--resolve`.
    private let resolutions: [String]

    package init(_ url: InboxURL, secret: String, authorityFile: String? = nil, resolutions: [String] = []) {
        self.url = url
        self.secret = secret
        self.authorityFile = authorityFile
        self.resolutions = resolutions
    }

    package struct Found: Sendable {
        package let letter: MIMEPart
        package let folder: String
        package let isSpam: Bool
    }

    /// Why a visit did not see the whole mailbox.
    package enum Fault: Error, Sendable {
        case unreachable(String)
        case refused(String)
        /// Its time was over, or nobody waits for it any more.
        case ended
    }

    /// What was found, which may be something even where the visit was cut short.
    package struct Visit<Judgement: Sendable>: Sendable {
        package fileprivate(set) var found: [String: Judgement] = [:]
        package fileprivate(set) var fault: Fault?
    }

    /// Of one request.
    private static let seconds = 20
    /// Of one letter, in bytes: ours are shorter, and a mailbox read by POP3 has letters of others, too.
    private static let longest = 1 << 20
    /// Of a POP3 mailbox, which cannot be searched, the newest ones are looked at.
    private static let newest = 40

    /// Looks for letters by the ids of their mails, and judges each as it is found, so that one is held at a time.
    package func visit<Judgement: Sendable>(
        for ids: [String], until end: ContinuousClock.Instant,
        judging judge: @escaping @Sendable (_ id: String, Found) -> Judgement
    ) async -> Visit<Judgement> {
        let cancellation = Cancellation()
        return await withTaskCancellationHandler {
            await OwnThread.run {
                var visit = Visit<Judgement>()
                do throws(Fault) {
                    guard let transfer = CurlTransfer(url: url.base, seconds: Self.seconds) else {
                        throw .unreachable("libcurl does not start")
                    }
                    let connection = Connection(transfer: transfer) { .now >= end || cancellation.isRaised }
                    let take = { (id: String, letter: Found) in visit.found[id] = judge(id, letter) }
                    if url.way.isIMAP {
                        try searchIMAP(ids, connection, take)
                    } else {
                        try lookThroughPOP3(ids, connection, take)
                    }
                } catch {
                    visit.fault = error
                }
                return visit
            }
        } onCancel: {
            cancellation.raise()
        }
    }

    private final class Cancellation: Sendable {
        private let raised = Atomic<Bool>(false)

        var isRaised: Bool { raised.load(ordering: .relaxed) }

        func raise() { raised.store(true, ordering: .relaxed) }
    }

    private struct Connection {
        let transfer: CurlTransfer
        let isOver: () -> Bool
    }

    // MARK: IMAP

    private func searchIMAP(
        _ ids: [String], _ connection: Connection, _ take: (String, Found) -> Void
    ) throws(Fault) {
        var missing = ids
        for folder in try folders(connection) {
            for id in missing {
                // Doors give mails a Message-ID of their own; they leave one of these fields.
                let search =
                    "UID SEARCH OR OR HEADER X-Homing-Mail \"\(id)\" HEADER References \"\(id)\" "
                    + "HEADER Message-ID \"\(id)\""
                guard let answer = try ask(connection, folder.path, search, mayFail: folder.isSpam) else { break }
                guard let uid = Self.numbers(answer, behind: "SEARCH").last,
                    let bytes = try ask(connection, "\(folder.path);UID=\(uid)", nil, mayFail: false)
                else { continue }
                take(id, Found(letter: MIMEPart(bytes), folder: folder.name, isSpam: folder.isSpam))
                missing.removeAll { $0 == id }
            }
        }
    }

    private struct Folder {
        let name: String
        let isSpam: Bool
        var path: String { percentEncoded(name) }
    }

    private static let spamNames: Set<String> = [
        "spam", "junk", "junk email", "junk e-mail", "junk mail", "bulk", "bulk mail", "[gmail]/spam",
        "[google mail]/spam", "inbox.spam", "inbox.junk", "inbox/spam", "inbox/junk",
    ]

    /// The inbox, or the folder that the URL names, and those where spam is put.
    private func folders(_ connection: Connection) throws(Fault) -> [Folder] {
        let answer = try ask(connection, "", nil, mayFail: false) ?? []
        let spam = answer.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }).compactMap { line -> Folder? in
            let text = String(decoding: line, as: UTF8.self)
            guard text.hasPrefixFoldingASCII("* LIST ("), let name = Self.folderName(text) else { return nil }
            let isMarked = ASCII.contains(ASCII.lowercased(text.prefix { $0 != ")" }), "\\junk")
            return isMarked || Self.spamNames.contains(ASCII.lowercased(name)) ? Folder(name: name, isSpam: true) : nil
        }
        let main = url.folder ?? "INBOX"
        return [Folder(name: main, isSpam: spam.contains { $0.name.utf8.elementsEqual(main.utf8) })]
            + spam.filter { !$0.name.utf8.elementsEqual(main.utf8) }.prefix(8)
    }

    /// The name at the end of a line of LIST.
    private static func folderName(_ line: String) -> String? {
        if line.hasSuffix("\"") {
            let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
            return parts.count >= 3 ? String(parts[parts.count - 2]) : nil
        }
        return line.split(separator: " ").last.map(String.init)
    }

    // MARK: POP3

    private func lookThroughPOP3(
        _ ids: [String], _ connection: Connection, _ take: (String, Found) -> Void
    ) throws(Fault) {
        let list = try ask(connection, "", nil, mayFail: false) ?? []
        let numbers = list.split(separator: UInt8(ascii: "\n")).compactMap { line in
            line.split(separator: UInt8(ascii: " ")).first.flatMap {
                ASCII.number(String(decoding: $0, as: UTF8.self), atMost: .max)
            }
        }
        var missing = Set(ids)
        for number in numbers.suffix(Self.newest).reversed() where !missing.isEmpty {
            guard let bytes = try ask(connection, "\(number)", nil, mayFail: false) else { continue }
            let letter = MIMEPart(bytes)
            guard let id = LetterCheck.mailID(of: letter), missing.remove(id) != nil else { continue }
            take(id, Found(letter: letter, folder: "the mailbox", isSpam: false))
        }
    }

    // MARK: libcurl

    /// One request; nil where it fails and may.
    private func ask(
        _ connection: Connection, _ path: String, _ command: String?, mayFail: Bool
    ) throws(Fault) -> [UInt8]? {
        guard !connection.isOver() else { throw .ended }
        let transfer = connection.transfer
        transfer.begin(url.base + path, seconds: Self.seconds)
        transfer.stop(when: connection.isOver)
        // The list of a large mailbox is longer than a letter, and its end is what matters.
        transfer.bodyLimit = path.isEmpty ? MIMEPart.longest : Self.longest
        transfer.set(CURLOPT_USERNAME, url.user)
        transfer.set(CURLOPT_PASSWORD, secret)
        transfer.set(CURLOPT_RESOLVE, resolutions)
        transfer.trust(authorityFile, isVerifying: true)
        if let command { transfer.set(CURLOPT_CUSTOMREQUEST, command) }
        let code = transfer.perform()
        if code == CURLE_OK || transfer.isCut { return transfer.body }
        switch code {
        case CURLE_ABORTED_BY_CALLBACK: throw .ended
        case CURLE_LOGIN_DENIED:
            throw .refused("it refuses the user or the password")
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_OPERATION_TIMEDOUT,
            CURLE_PEER_FAILED_VERIFICATION,
            CURLE_SSL_CONNECT_ERROR, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING:
            throw .unreachable(transfer.reason(for: code))
        default:
            guard mayFail else { throw .unreachable(transfer.reason(for: code)) }
            return nil
        }
    }

    private static func numbers(_ answer: [UInt8], behind word: String) -> [Int] {
        String(decoding: answer, as: UTF8.self).split(whereSeparator: { $0.isNewline }).flatMap { line -> [Int] in
            let words = line.split(separator: " ")
            guard words.count > 2, words[0] == "*", ASCII.areEqual(words[1], word) else { return [] }
            return words.dropFirst(2).compactMap { ASCII.number($0, atMost: .max) }
        }
    }
}
