// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import Hummingbird
import Tracing

/// The trace of a request.
enum RequestTrace {
    /// Answers a request as a span, whose name is the operation. The span belongs to the caller's trace only where the
    /// caller is trusted: otherwise anybody could write into the traces of others.
    static func span(
        _ request: Request, _ context: some RequestContext, isCallerTrusted: Bool,
        _ answer: () async -> Response
    ) async -> Response {
        var place = ServiceContext.topLevel
        if isCallerTrusted {
            InstrumentationSystem.instrument.extract(request.headers, into: &place, using: FieldReader())
        }
        return await withSpan("request", context: place, ofKind: .server) { span in
            let response = await answer()
            span.operationName = Operation(route: context.endpointPath).name
            span.attributes["http.request.method"] = request.method.rawValue
            span.attributes["http.response.status_code"] = response.status.code
            if response.status.code >= 500 { span.setStatus(SpanStatus(code: .error)) }
            return response
        }
    }

    private struct FieldReader: Extractor {
        func extract(key: String, from fields: HTTPFields) -> String? {
            HTTPField.Name(key).flatMap { fields[$0] }
        }
    }
}
