// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// How far a connection of HTTP/1.1 is, and when it ends (RFC 9112 section 9).
struct ConnectionLife {
    /// What the end of the server asks of a connection.
    enum Farewell: Equatable {
        /// A request is under way; the connection ends behind its answer.
        case afterAnswer
        /// Nothing is asked; a request may just be on its way.
        case whenQuiet
    }

    private(set) var unanswered = 0
    /// No request behind the last one is read any more.
    private(set) var isLast = false
    private var isEnding = false

    var isQuiet: Bool { unanswered == 0 }
    /// Everything is answered that is going to be.
    var isOver: Bool { isLast && isQuiet }

    /// - Parameter isKeptAlive: whether the client wants the connection for more.
    /// - Returns: whether the request is taken.
    mutating func read(isKeptAlive: Bool) -> Bool {
        guard !isLast else { return false }
        unanswered += 1
        isLast = !isKeptAlive
        return true
    }

    /// An answer begins.
    ///
    /// - Returns: whether it is the connection's last, which its head has to say.
    mutating func answer() -> Bool {
        if isEnding, unanswered == 1 { isLast = true }
        return isLast && unanswered == 1
    }

    /// An answer has ended.
    mutating func answered() {
        unanswered -= 1
    }

    /// The server ends.
    mutating func end() -> Farewell {
        isEnding = true
        return isQuiet ? .whenQuiet : .afterAnswer
    }
}
