// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingPages
package import HomingStore
package import HomingWire
package import Hummingbird
import NIOCore

/// Reads the bodies of requests and the forms of pages.
extension Routes {
    static let bodyLimit = 1 << 20
    /// Of many accounts at once.
    static let batchLimit = 16 << 20

    package static func body(of request: Request, limit: Int) async throws -> [UInt8] {
        // Who asks first (``Expectation``) need not send it.
        if let length = request.headers.first(.contentLength).flatMap({ Int($0) }), length > limit {
            throw Refusal.payloadTooLarge(most: limit)
        }
        do {
            return Array(buffer: try await request.body.collect(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw Refusal.payloadTooLarge(most: limit)
        }
    }

    static func fields(
        of request: Request, limit: Int = bodyLimit, watch: UndeclaredMembers.Watch? = nil
    ) async throws -> Fields {
        try Fields(body: try await body(of: request, limit: limit), limit: limit, watch: watch)
    }

    package static func formFields(of request: Request) async throws -> QueryString {
        try formFields(in: try await body(of: request, limit: 1 << 16))
    }

    package static func formFields(in bytes: [UInt8]) throws(Refusal) -> QueryString {
        guard let form = QueryString(parsingForm: String(decoding: bytes, as: UTF8.self)) else {
            throw Refusal.invalidArgument("The form cannot be read.")
        }
        return form
    }

    /// Refuses a form of another site before it is read. Our own sends `Origin: null`, because the page has no Referer.
    static func comesFromOurPage(_ request: Request, _ homing: Homing) -> Bool {
        if request.headers[.secFetchSite] == "cross-site" { return false }
        guard let origin = request.headers[.origin], origin != "null" else { return true }
        return origin.utf8.elementsEqual(homing.publicURL.utf8)
    }

    static func ofAnotherSite(_ request: Request, _ homing: Homing) -> Response {
        homing.system.report(SecurityEvent(.formRefused, subject: request.uri.path))
        return PageAnswer.page(
            DeadLinkView(reason: .pageExpired), in: Visit(nil, request: request, homing: homing).frame,
            status: .forbidden)
    }
}
