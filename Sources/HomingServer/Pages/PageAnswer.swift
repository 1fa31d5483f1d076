// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HTTPTypes
import HomingCore
import HomingPages
import HomingStore
package import HomingTexts
package import Hummingbird
import NIOCore

/// HTML answers, with the headers of every page: nothing cached, nothing framed, nothing loaded, no Referer.
package enum PageAnswer {
    /// A page, or the list of its languages where that was asked for.
    static func page(
        _ view: any PageView, in frame: PageFrame, status: HTTPResponse.Status = .ok
    ) -> Response {
        html(
            (frame.choice?.list ?? view).page(in: frame), status: status, policy: frame.contentSecurityPolicy)
    }

    /// The page for somebody who has to wait.
    ///
    /// - Parameter seconds: the time after which to come again.
    static func wait(
        _ reason: ProblemView.Reason, seconds: Int, in frame: PageFrame, status: HTTPResponse.Status = .tooManyRequests
    ) -> Response {
        var response = page(ProblemView(reason: reason), in: frame, status: status)
        response.headers[.retryAfter] = String(seconds)
        return response
    }

    /// The page in the place of an answer for programs, where somebody has to come back later: over a limit, or because
    /// the server cannot work.
    ///
    /// - Parameter frame: nil where no person reads the answer.
    static func wait(insteadOf response: Response, in frame: () -> PageFrame?) -> Response {
        let reason: ProblemView.Reason
        switch response.status.code {
        case 429: reason = .tooManyAttempts
        case 500...: reason = .serverFault
        default: return response
        }
        guard response.headers[.contentType]?.hasPrefix("application/json") == true, let frame = frame() else {
            return response
        }
        var page = page(ProblemView(reason: reason), in: frame, status: response.status)
        for name in [HTTPField.Name.retryAfter, .connection] { page.headers[name] = response.headers[name] }
        return page
    }

    package static func html(_ html: HTML, status: HTTPResponse.Status = .ok, policy: String) -> Response {
        Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
                .contentSecurityPolicy: policy, .referrerPolicy: "no-referrer", .xContentTypeOptions: "nosniff",
                .frameOptions: "DENY", .robots: "noindex", .crossOriginOpener: "same-origin",
            ],
            body: .init(byteBuffer: ByteBuffer(bytes: html.bytes)))
    }

    /// A file for the person's disk.
    ///
    /// - Parameter name: of letters, digits, `-`, `_` and dots.
    package static func file(_ name: String, _ type: String, _ bytes: [UInt8]) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: type, .contentDisposition: "attachment; filename=\"\(name)\"", .cacheControl: "no-store",
                .contentSecurityPolicy: "default-src 'none'", .xContentTypeOptions: "nosniff",
            ], body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    package static func redirect(to url: String, status: HTTPResponse.Status = .found) -> Response {
        var headers = redirectHeaders
        headers.append(HTTPField(name: .location, value: url))
        return Response(status: status, headers: headers)
    }

    /// The headers of every redirect, made once.
    private static let redirectHeaders: HTTPFields = [
        .cacheControl: "no-store", .referrerPolicy: "no-referrer", .robots: "noindex", .vary: "User-Agent",
    ]
}
