// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCertificates
import Hummingbird
import NIOCore

/// Answers authorities that prove a name over HTTP (`http-01`, RFC 8555 section 8.3): the token of a running order, on
/// whatever host it is asked for, and nothing else.
enum ChallengeAnswer {
    static let route = "\(ChallengeKind.httpPath)/{token}"

    static func answer(_ token: String?, _ certificates: Certificates) async throws -> Response? {
        guard let token, let answer = try await certificates.answer(toToken: token) else { return nil }
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/octet-stream", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            ],
            body: .init(byteBuffer: ByteBuffer(string: answer)))
    }
}
