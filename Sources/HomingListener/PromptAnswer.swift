// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HTTPTypes
package import NIOCore

/// An answer that needs no waiting. The event loop of the connection gives it by itself: a request that is handed to a
/// task and back costs more than such an answer does.
package struct PromptAnswer: Sendable {
    package var head: HTTPResponse
    package let body: ByteBuffer?

    package init(_ head: HTTPResponse, body: ByteBuffer? = nil) {
        self.head = head
        self.body = body
    }
}

/// Answers the head of a request without a body at once; nil for a request that goes the way of all others. It must not
/// block: all connections of its event loop wait for it.
package typealias PromptResponder = @Sendable (HTTPRequest) -> PromptAnswer?
