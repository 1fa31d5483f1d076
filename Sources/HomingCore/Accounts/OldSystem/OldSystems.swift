// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
package import HomingDatabase
import HomingLinkRules
package import HomingPasswords
package import HomingProjects
import HomingStore
internal import HomingWire
import Synchronization

/// The questions to old systems, on threads of their own: a slow one holds neither a thread that hashes nor one that
/// answers requests, and no other project's.
///
/// A thread is there while there is a question, at most ``threads`` for a project. At most ``capacity`` questions of a
/// project wait beyond those, shared fairly between callers (``FairQueue``), and none longer than
/// ``OldSystemAsker/patience``.
package final class OldSystems: Sendable {
    /// What became of a question.
    package enum Outcome: String, Sendable, CaseIterable {
        case right, wrong
        /// The old system was away, slow, or answered something else.
        case silent
        /// It was not asked, because too many questions waited.
        case dropped
    }

    private static let threads = 8
    private static let capacity = 64

    private struct Job: Sendable {
        let since = ContinuousClock.now
        let question: OldSystemQuestion
        let resume: @Sendable (Result<Bool, OldSystemSilence>) -> Void
    }

    /// The questions of a project.
    private struct Line {
        var running = 0
        var waiting = FairQueue<Job>()
    }

    /// How long questions took, their wait included.
    package let times = Histogram()
    private let asker: any OldSystemAsker
    private let system: System
    private let lines = Mutex<[Scope: Line]>([:])
    private let counted = Mutex<[Outcome: Int]>([:])

    init(_ asker: any OldSystemAsker, system: System) {
        self.asker = asker
        self.system = system
    }

    package var counts: [Outcome: Int] { counted.withLock { $0 } }

    /// Whether a password is an account's.
    ///
    /// - Parameter caller: the caller, in the form that the limits count.
    /// - Throws: ``OldSystemSilence`` when it is not known; the operator has been told.
    func verifies(_ question: OldSystemQuestion, from caller: String, in project: Project) async throws -> Bool {
        do {
            let isRight = try await answer(question, from: caller, in: project)
            if !isRight { lines.withLock { $0[project.scope]?.waiting.blame(caller) } }
            return isRight
        } catch let silence as OldSystemSilence {
            asker.note(silence.reason, about: question.system, of: project.scope)
            throw silence
        }
    }

    /// Asks about nobody, so that a sign-in that nobody needs to be asked about is answered like one that does.
    func askAboutNobody(_ oldSystem: OldSystem, from caller: String, in project: Project) async throws {
        _ = try await verifies(OldSystemQuestion(aboutNobodyAt: oldSystem, system), from: caller, in: project)
    }

    /// Looks whether an old system can be asked, before anything depends on it.
    ///
    /// - Throws: a refusal that says what it does instead.
    package func check(_ oldSystem: OldSystem, for project: Project) async throws {
        let question = OldSystemQuestion(aboutNobodyAt: oldSystem, system)
        do {
            guard try await answer(question, from: HashingPool.operatorsLane, in: project) else { return }
        } catch let silence as OldSystemSilence {
            throw Refusal.invalidSetting("\(oldSystem.place) does not answer as it should: \(silence.reason)")
        }
        throw Refusal.invalidSetting(
            "\(oldSystem.place) calls a password right that was made up, for an address that nobody has: with it, anybody "
                + "could sign in as everybody")
    }

    private func answer(
        _ question: OldSystemQuestion, from caller: String, in project: Project
    ) async throws -> Bool {
        let isRight = try await Spans.part("old system") { try await wait(question, caller, project.scope) }
        count(isRight ? .right : .wrong)
        return isRight
    }

    private func count(_ outcome: Outcome) {
        counted.withLock { $0[outcome, default: 0] += 1 }
    }

    // MARK: Waiting

    private func wait(_ question: OldSystemQuestion, _ caller: String, _ project: Scope) async throws -> Bool {
        let since = ContinuousClock.now
        defer { times.observe(since.duration(to: .now)) }
        return try await withCheckedThrowingContinuation { continuation in
            let job = Job(question: question, resume: { continuation.resume(with: $0) })
            // Nil for a job that runs at once.
            let admission = lines.withLock { lines -> FairQueue<Job>.Admission? in
                var line = lines[project, default: Line()]
                defer { lines[project] = line }
                guard line.running >= Self.threads else {
                    line.running += 1
                    return nil
                }
                return line.waiting.add(job, of: caller, capacity: Self.capacity)
            }
            switch admission {
            case nil: begin(job, of: project)
            case .admitted?: break
            case .displaced(let other)?: drop(other)
            case .refused?: drop(job)
            }
        }
    }

    private func drop(_ job: Job) {
        count(.dropped)
        job.resume(.failure(OldSystemSilence(reason: "too many questions wait for it")))
    }

    // MARK: Asking

    private func begin(_ first: Job, of project: Scope) {
        let thread = Thread { [self] in
            Self.blockBrokenPipes()
            var job: Job? = first
            while let current = job {
                run(current)
                job = next(of: project)
            }
        }
        thread.name = "homing-old"
        thread.stackSize = 1_024 * 1_024
        thread.start()
    }

    private func run(_ job: Job) {
        guard job.since.duration(to: .now) < asker.patience else { return drop(job) }
        let reply = asker.ask(job.question)
        do throws(OldSystemSilence) {
            job.resume(.success(try reply.verdict()))
        } catch {
            count(.silent)
            job.resume(.failure(error))
        }
    }

    /// The next job of a project for the thread that asks; nil when the thread ends.
    private func next(of project: Scope) -> Job? {
        lines.withLock { lines in
            if let job = lines[project]?.waiting.next() { return job }
            lines[project]?.running -= 1
            if lines[project]?.running == 0 { lines[project] = nil }
            return nil
        }
    }

    /// libcurl leaves SIGPIPE to us.
    private static func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
