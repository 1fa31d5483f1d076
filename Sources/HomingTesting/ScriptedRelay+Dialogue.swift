// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import NIOCore
internal import NIOSSL
internal import Synchronization

/// One connection to a ``ScriptedRelay``.
final class ScriptedDialogue: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let relay: ScriptedRelay
    private let extensions: [String]
    /// Present while the client may still ask for STARTTLS.
    private var startTLS: NIOSSLContext?
    private var number = 0
    private var received: [UInt8] = []
    private var isReceivingMessage = false
    private var isHanging = false
    private var passwordStepsLeft = 0
    private var sender = ""
    private var recipients: [String] = []

    init(relay: ScriptedRelay, extensions: [String], startTLS: NIOSSLContext?) {
        self.relay = relay
        self.extensions = extensions
        self.startTLS = startTLS
    }

    func channelActive(context: ChannelHandlerContext) {
        number = relay.script.withLock { script in
            script.connectionCount += 1
            script.open[script.connectionCount] = context.channel
            return script.connectionCount
        }
        answer(.greeting, context, with: "220 relay.test ready")
    }

    func channelInactive(context: ChannelHandlerContext) {
        relay.script.withLock { script in script.open[number] = nil }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += unwrapInboundIn(data).readableBytesView
        while !isHanging, isReceivingMessage ? takeMessage(context) : takeCommand(context) {}
    }

    /// Takes bytes up to CRLF and nothing less, so that a lone CR or LF in a command stays visible.
    private func takeCommand(_ context: ChannelHandlerContext) -> Bool {
        guard let end = received.firstRange(of: Array("\r\n".utf8)) else { return false }
        let line = String(decoding: received[..<end.lowerBound], as: UTF8.self)
        received.removeSubrange(..<end.upperBound)
        relay.script.withLock { $0.commands.append(line) }
        obey(line, context)
        return true
    }

    private func takeMessage(_ context: ChannelHandlerContext) -> Bool {
        let end = received.starts(with: ".\r\n".utf8) ? 0..<3 : received.firstRange(of: Array("\r\n.\r\n".utf8))
        guard let end else { return false }
        let lineEnd = end.lowerBound == 0 ? 0 : 2
        let data = Array(received[..<(end.lowerBound + lineEnd)])
        received.removeSubrange(..<end.upperBound)
        isReceivingMessage = false
        let index = relay.script.withLock { script in
            script.messages.append(
                .init(sender: sender, recipients: recipients, data: data, isAccepted: false, connection: number))
            return script.messages.count - 1
        }
        recipients = []
        let delay = relay.script.withLock { $0.finalDelay }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: TimeAmount(delay)) {
            let (dialogue, context) = bound.value
            if dialogue.answer(.message, context, with: "250 queued as \(index)") {
                dialogue.relay.script.withLock { $0.messages[index].isAccepted = true }
            }
        }
        return true
    }

    private func obey(_ line: String, _ context: ChannelHandlerContext) {
        if passwordStepsLeft > 0 {
            passwordStepsLeft -= 1
            answer(.authentication, context, with: passwordStepsLeft > 0 ? "334 UGFzc3dvcmQ6" : "235 welcome")
            return
        }
        switch line.prefix(while: { $0 != " " }).uppercased() {
        case "EHLO", "HELO": answer(.hello, context, with: greetingLines)
        case "STARTTLS": beginTLS(context)
        case "AUTH" where line.hasPrefix("AUTH LOGIN"):
            // The user may be part of the command (RFC 4954, section 4).
            let hasUser = line.utf8.count > "AUTH LOGIN ".utf8.count
            passwordStepsLeft = hasUser ? 1 : 2
            send(hasUser ? "334 UGFzc3dvcmQ6" : "334 VXNlcm5hbWU6", context)
        case "AUTH": answer(.authentication, context, with: "235 welcome")
        case "MAIL":
            sender = path(in: line)
            answer(.sender, context, with: "250 sender noted")
        case "RCPT":
            if answer(.recipient, context, with: "250 recipient noted") { recipients.append(path(in: line)) }
        case "DATA": isReceivingMessage = answer(.data, context, with: "354 go ahead")
        case "QUIT":
            if answer(.farewell, context, with: "221 bye") { context.close(promise: nil) }
        case "NOOP", "RSET": send("250 done", context)
        default: send("502 not known here", context)
        }
    }

    private var greetingLines: String {
        let lines = ["relay.test"] + extensions + (startTLS == nil ? [] : ["STARTTLS"])
        return lines.enumerated().map { index, line in
            (index == lines.count - 1 ? "250 " : "250-") + line
        }.joined(separator: "\r\n")
    }

    private func beginTLS(_ context: ChannelHandlerContext) {
        guard let tls = startTLS else { return send("502 not known here", context) }
        guard answer(.startTLS, context, with: "220 begin") else { return }
        startTLS = nil
        do {
            try context.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls), position: .first)
        } catch {
            context.close(promise: nil)
        }
    }

    /// The address between the angle brackets.
    private func path(in line: String) -> String {
        String(line.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" })
    }

    /// Does what the test ordered for the stage, or replies `usual`. True after the usual or another positive reply.
    @discardableResult
    private func answer(_ stage: ScriptedRelay.Stage, _ context: ChannelHandlerContext, with usual: String) -> Bool {
        switch relay.script.withLock({ $0.nextBehavior(at: stage) }) {
        case nil: send(usual, context)
        case .reply(let code, let text):
            send("\(code) \(text)", context)
            return code < 400
        case .drop:
            context.close(promise: nil)
            return false
        case .hang:
            isHanging = true
            return false
        }
        return true
    }

    private func send(_ line: String, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: line + "\r\n")), promise: nil)
    }
}
