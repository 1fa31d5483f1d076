// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import Logging
import Synchronization
package import Tracing

/// Writes each span as a line of the log when it ends, with the trace, the span and the one above it. Programs that
/// show traces read them from there.
package struct LogTracer: Tracer {
    let logger: Logger

    package init(logger: Logger) {
        self.logger = logger
    }

    package func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> LogSpan {
        LogSpan(operationName, below: context(), at: instant().nanosecondsSinceEpoch, logger)
    }

    package func forceFlush() {}

    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        context.trace = extractor.extract(key: TraceContext.fieldName, from: carrier)
            .flatMap(TraceContext.init(parsing:))
    }

    package func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let trace = context.trace else { return }
        injector.inject(trace.header, forKey: TraceContext.fieldName, into: &carrier)
    }

    /// The trace of the present task, for every line of the log.
    package static let metadata = Logger.MetadataProvider {
        ServiceContext.current?.trace.map { ["trace": "\($0.trace)"] } ?? [:]
    }
}

/// A piece of work with a beginning and an end.
package final class LogSpan: Span {
    private struct State {
        var name: String
        var attributes = SpanAttributes()
        var failure: String?
        var isOver = false
    }

    package let context: ServiceContext
    private let parent: String?
    private let start: UInt64
    private let logger: Logger
    private let state: Mutex<State>

    fileprivate init(_ name: String, below context: ServiceContext, at start: UInt64, _ logger: Logger) {
        var own = context
        own.trace = TraceContext(below: context.trace)
        self.context = own
        parent = context.trace?.span
        self.start = start
        self.logger = logger
        state = Mutex(State(name: name))
    }

    package var operationName: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { state.withLock { $0.attributes = newValue } }
    }

    package var isRecording: Bool { state.withLock { !$0.isOver } }

    package func setStatus(_ status: SpanStatus) {
        guard status.code == .error else { return }
        state.withLock { $0.failure = status.message ?? "error" }
    }

    package func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        state.withLock { $0.failure = "\(error)" }
    }

    package func addEvent(_ event: SpanEvent) {}

    package func addLink(_ link: SpanLink) {}

    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let nanoseconds = instant().nanosecondsSinceEpoch
        let ended = state.withLock { state -> State? in
            guard !state.isOver else { return nil }
            state.isOver = true
            return state
        }
        guard let ended, let place = context.trace else { return }
        let microseconds = nanoseconds > start ? (nanoseconds - start) / 1000 : 0
        var metadata: Logger.Metadata = [
            "span": "\(place.span)", "trace": "\(place.trace)", "name": "\(ended.name)",
            "startedAt": "\(start / 1_000_000)", "microseconds": "\(microseconds)",
        ]
        if let parent { metadata["parent"] = "\(parent)" }
        if let failure = ended.failure { metadata["error"] = "\(failure)" }
        ended.attributes.forEach { key, value in metadata[key] = "\(value.words)" }
        logger.info("span", metadata: metadata)
    }
}

extension SpanAttribute {
    /// The attributes that Homing sets are numbers and words.
    fileprivate var words: String {
        switch self {
        case .int64(let number): "\(number)"
        case .int32(let number): "\(number)"
        case .string(let text): text
        case .bool(let isTrue): "\(isTrue)"
        default: "\(self)"
        }
    }
}
