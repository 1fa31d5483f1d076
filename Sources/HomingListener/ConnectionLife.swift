// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The state of an HTTP/1.1 connection, which decides when the connection ends (RFC 9112 section 9).
struct ConnectionLife {
    /// The way in which a connection ends with the server.
    enum Farewell: Equatable {
        /// A request is under way; the connection ends behind its answer.
        case afterAnswer
        /// No request is under way; one may just be arriving.
        case whenQuiet
    }

    private(set) var unanswered = 0
    /// Whether no request behind the last one is read any more.
    private(set) var isLast = false
    private var isEnding = false

    var isQuiet: Bool { unanswered == 0 }
    /// Whether every request that was taken is answered and no other will be.
    var isOver: Bool { isLast && isQuiet }

    /// - Parameter isKeptAlive: whether the client wants the connection for more requests.
    /// - Returns: whether the request is taken.
    mutating func read(isKeptAlive: Bool) -> Bool {
        guard !isLast else { return false }
        unanswered += 1
        isLast = !isKeptAlive
        return true
    }

    /// Begins an answer.
    ///
    /// - Parameter isWantedLast: whether the answer itself is to end the connection. Requests that were read behind its
    ///   own get no answer any more.
    /// - Returns: whether the answer is the connection's last, which its head has to tell.
    mutating func answer(isWantedLast: Bool = false) -> Bool {
        if isWantedLast { unanswered = 1 }
        if isEnding || isWantedLast, unanswered == 1 { isLast = true }
        return isLast && unanswered == 1
    }

    /// Ends an answer.
    mutating func answered() {
        unanswered -= 1
    }

    /// Ends the connection with the server.
    mutating func end() -> Farewell {
        isEnding = true
        return isQuiet ? .whenQuiet : .afterAnswer
    }
}
