// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import NIOCore

/// The time limits for each part of an exchange; the client's activity does not extend them, so a byte a second buys
/// nothing.
package struct Deadlines: Sendable {
    /// For a connection without a request.
    package var idle: TimeAmount
    /// For TLS, from the accepted connection to the agreed protocol.
    package var handshake: TimeAmount
    /// For one request, from the first byte of its head to the last of its body.
    package var request: TimeAmount
    /// For one response, from its first byte to the last that the client took.
    package var response: TimeAmount
    /// For everything that is under way when the server ends.
    package var farewell: TimeAmount
    /// For the end of a connection with nothing under way: its client's own goodbye, which TLS and HTTP/2 wait for.
    package var parting: TimeAmount
    /// For a quiet connection when the server ends: a request that is on its way is still answered.
    package var lastCall: TimeAmount
    /// The same where another server follows on the same socket. A client that asks on the connection in the moment of
    /// its end hears nothing, so the end comes when one that is in use has been used.
    package var lastCallBetweenServers: TimeAmount
    /// For connections that have begun when the server ends, to come through.
    package var arrival: TimeAmount
    /// Between two countings of the streams of one connection whose answers would have ended it.
    package var refusals: TimeAmount

    package init(
        idle: TimeAmount = .seconds(60),
        handshake: TimeAmount = .seconds(10),
        request: TimeAmount = .seconds(20),
        response: TimeAmount = .seconds(60),
        farewell: TimeAmount = .seconds(4),
        parting: TimeAmount = .seconds(1),
        lastCall: TimeAmount = .milliseconds(250),
        lastCallBetweenServers: TimeAmount = .seconds(1),
        arrival: TimeAmount = .milliseconds(100),
        refusals: TimeAmount = .minutes(1)
    ) {
        self.idle = idle
        self.handshake = handshake
        self.request = request
        self.response = response
        self.farewell = farewell
        self.parting = parting
        self.lastCall = lastCall
        self.lastCallBetweenServers = lastCallBetweenServers
        self.arrival = arrival
        self.refusals = refusals
    }
}
