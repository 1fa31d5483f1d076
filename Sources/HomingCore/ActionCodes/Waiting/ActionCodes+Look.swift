// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingProjects
import HomingStore

extension ActionCodes {
    /// Waits until something has become of a request, for whoever holds its id, without a statement while nothing
    /// happens. Nothing is collected.
    ///
    /// - Parameter wait: seconds, at most the longest that there is.
    /// - Throws: as ``waiting(requestID:in:)``; ``Refusal/overloaded(retryAfterSeconds:database:)`` where too many wait.
    package func look(
        requestID: String, wait: Double = WaitingRoom.longest, in project: Project
    ) async throws -> WaitingRequest.State {
        let (sealed, kind) = try request(withID: requestID, in: project)
        let end = ContinuousClock.now + .seconds(min(wait, WaitingRoom.longest))
        let code = CodeChange(kind, of: .id(sealed.id), in: project.scope)
        return try await waitingRoom.withPlace(for: code, isLook: true) { place in
            while true {
                let request = try await waiting(requestID: requestID, in: project)
                let life = Duration.milliseconds(request.expiresAt.milliseconds - store.system.now().milliseconds)
                let rest = min(ContinuousClock.now.duration(to: end), life)
                guard request.state == .pending, rest > .zero else { return request.state }
                guard let place else { throw Refusal.overloaded(retryAfterSeconds: 5) }
                place.listen(to: others(of: request, in: project))
                switch await place.wait(for: rest) {
                case .rung: continue
                case .timeIsOver where ContinuousClock.now < end: continue
                case .timeIsOver, .displaced, .closing: return .pending
                }
            }
        }
    }
}
