// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingProjects
import HomingStore
import Hummingbird
import NIOCore

/// `/__/logo/{project}`: a project's logo, from the same host as its pages.
enum LogoAnswer {
    /// - Returns: nil where there is no such project, or it has no logo.
    static func answer(_ request: Request, project id: String?, _ homing: Homing) -> Response? {
        guard let logo = id.flatMap({ homing.projects.project(ProjectID($0)) })?.brand.logo else { return nil }
        let tag = "\"\(logo.digest)\""
        var headers: HTTPFields = [
            .eTag: tag, .cacheControl: "public, max-age=3600", .xContentTypeOptions: "nosniff",
            // Opened by itself, an SVG is a document of our host: it runs nothing and belongs to no origin.
            .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        ]
        if request.headers[.ifNoneMatch]?.contains(tag) == true {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = logo.format.rawValue
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: logo.bytes)))
    }
}
