// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore
import HomingTransfer
import Synchronization

/// The file of accounts that was checked and waits for its import: one on a server, in memory, for a quarter of an
/// hour. Nothing of it is written to a disk.
final class AccountImportDesk: Sendable {
    struct File: Sendable {
        /// What its form names it by, once.
        let ticket: String
        let project: Scope
        let author: Authority
        let keptUntil: Moment
        let run: AccountImportRun
        let check: AccountImportRun.Check
    }

    private struct State {
        var file: File?
        var isBusy = false
    }

    private let state = Mutex(State())

    /// Seconds.
    static let patience: Int64 = 900

    /// Takes the turn: a file is read by one import or check at a time.
    ///
    /// - Throws: a refusal while another one runs.
    func begin() throws(Refusal) {
        let isFree = state.withLock { state in
            defer { state.isBusy = true }
            return !state.isBusy
        }
        guard isFree else {
            throw .alreadyExists("another file of accounts is being read on this server: try again in a moment")
        }
    }

    func end() { state.withLock { $0.isBusy = false } }

    /// Keeps a file in the place of the one before, until its time is over: perhaps nobody comes back for it.
    func keep(_ file: File) {
        state.withLock { $0.file = file }
        Task { [weak self, ticket = file.ticket] in
            try? await Task.sleep(for: .seconds(Self.patience))
            self?.forget(ticket)
        }
    }

    private func forget(_ ticket: String) {
        state.withLock { state in
            if let file = state.file, file.ticket.utf8.elementsEqual(ticket.utf8) { state.file = nil }
        }
    }

    /// The file of a ticket, which is gone from here then; nil where it is kept no more, or is somebody else's.
    func take(_ ticket: String, of project: Scope, by author: Authority, at now: Moment) -> File? {
        state.withLock { state in
            guard let file = state.file, file.keptUntil >= now, file.ticket.utf8.elementsEqual(ticket.utf8),
                file.project == project, file.author.text.utf8.elementsEqual(author.text.utf8)
            else { return nil }
            state.file = nil
            return file
        }
    }
}
