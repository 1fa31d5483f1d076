// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCommands
import HomingOperations
import Logging
import ServiceLifecycle
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct `The control socket` {
    @Test func `a command reaches the server with its values and its input`() async throws {
        try await withFolder { folder in
            let database = DatabaseFile(path: "\(folder)/homing.db")
            let bytes: [UInt8] = [0, 10, 255, 13]
            try await withServer(database) { request, input, _ in
                let bytes = try? await input?.piece(at: 0)
                return CommandAnswer(status: 2, output: (try? request.text) ?? "", errors: "\(bytes ?? [])")
            } _: {
                let request = try CommandRequest(parsing: ["account", "create", "line\nfeed", "quote\"ü/"])
                let answer = try await ControlSocket.ask(
                    database: database, request: request, input: CommandInput(bytes))
                #expect(answer == CommandAnswer(status: 2, output: try request.text, errors: "\(bytes)"))
                let other = try await ControlSocket.ask(database: database, request: .keyList)
                #expect(other == CommandAnswer(status: 2, output: try CommandRequest.keyList.text, errors: "[]"))
            }
        }
    }

    @Test func `an answer of four megabytes arrives whole`() async throws {
        try await withFolder { folder in
            let database = DatabaseFile(path: "\(folder)/homing.db")
            let long = String(repeating: "0123456789abcde\n", count: 1 << 18)
            try await withServer(database) { _, _, _ in
                CommandAnswer(status: 0, output: long, errors: "")
            } _: {
                let answer = try await ControlSocket.ask(database: database, request: .keyList)
                #expect(answer?.output.utf8.count == long.utf8.count)
            }
        }
    }

    @Test func `an input of many megabytes is read piece by piece, from anywhere and again`() async throws {
        try await withFolder { folder in
            let database = DatabaseFile(path: "\(folder)/homing.db")
            let size: Int64 = 40 << 20
            let asked = Mutex<[Int64]>([])
            let input = CommandInput(size: size) { offset in
                asked.withLock { $0.append(offset) }
                return [UInt8](repeating: UInt8(offset >> 18 & 0xFF), count: offset < size ? CommandInput.pieceSize : 0)
            }
            try await withServer(database) { _, input, _ in
                guard let input else { return CommandAnswer(status: 1, output: "", errors: "") }
                var offset: Int64 = 0
                var isRight = true
                while let piece = try? await input.piece(at: offset), !piece.isEmpty {
                    isRight = isRight && piece.first == UInt8(offset >> 18 & 0xFF)
                    offset += Int64(piece.count)
                }
                let again = try? await input.piece(at: 3 << 18)
                return CommandAnswer(
                    status: 0, output: "\(offset) \(input.size) \(isRight) \(again?.first ?? 0)", errors: "")
            } _: {
                let answer = try await ControlSocket.ask(database: database, request: .keyList, input: input)
                #expect(answer?.output == "\(size) \(size) true 3")
                #expect(asked.withLock { $0.count } == 162, "each piece once, the end, and one again")
            }
        }
    }

    @Test func `a client that goes away ends the input of its command`() async throws {
        struct Unreadable: Error {}
        try await withFolder { folder in
            let database = DatabaseFile(path: "\(folder)/homing.db")
            let (endings, ended) = AsyncStream.makeStream(of: Bool.self)
            try await withServer(database) { _, input, _ in
                var offset: Int64 = 0
                do {
                    while let piece = try await input?.piece(at: offset), !piece.isEmpty {
                        offset += Int64(piece.count)
                    }
                    ended.yield(false)
                } catch {
                    ended.yield(true)
                }
                return CommandAnswer(status: 0, output: "", errors: "")
            } _: {
                await #expect(throws: Unreadable.self) {
                    try await ControlSocket.ask(
                        database: database, request: .keyList,
                        input: CommandInput(size: 3) { offset in
                            guard offset == 0 else { throw Unreadable() }
                            return [1, 2, 3]
                        })
                }
                for await hasFailed in endings {
                    #expect(hasFailed)
                    break
                }
            }
        }
    }

    @Test func `a command reports its progress to a watcher, and to nobody else`() async throws {
        try await withFolder { folder in
            let database = DatabaseFile(path: "\(folder)/homing.db")
            try await withServer(database) { _, _, progress in
                for task in ["one", "two"] { progress(Progress(task, done: 1, of: 2, .items)) }
                return CommandAnswer(status: 0, output: "\(progress.isSeen)", errors: "")
            } _: {
                let seen = Mutex<[String]>([])
                let answer = try await ControlSocket.ask(
                    database: database, request: .keyList,
                    progress: ProgressReporter { progress in seen.withLock { $0.append(progress.task) } })
                #expect(seen.withLock { $0 } == ["one", "two"])
                #expect(answer?.output == "true")
                #expect(try await ControlSocket.ask(database: database, request: .keyList)?.output == "false")
            }
        }
    }

    @Test func `a client of another version hears so in one line`() async throws {
        try await withFolder { folder in
            let database = DatabaseFile(path: "\(folder)/homing.db")
            try await withServer(database) { _, _, _ in
                CommandAnswer(status: 0, output: "run", errors: "")
            } _: {
                let (old, new) = (ControlSocketMessage.edition - 1, ControlSocketMessage.edition + 1)
                for request in [
                    #"{"database":"x","arguments":["key","list"]}"#,
                    #"{"edition":\#(old),"database":"x","command":["key","list"],"showsProgress":false}"#,
                    #"{"edition":\#(new),"other":true}"#,
                ] {
                    let reply = try await ask(request + "\n", at: ControlSocket.path(beside: database))
                    #expect(reply.contains("another version of homing"), "\(reply)")
                    #expect(!reply.contains("run\""))
                }
            }
        }
    }

    @Test(arguments: [
        #"{"name":"key lend","values":{"format":{"json":false}}}"#,
        #"{"name":"serve","values":{}}"#,
        #"{"name":"key list","values":{"format":{"json":false},"until":1}}"#,
        #"{"name":"key list","until":1,"values":{"format":{"json":false}}}"#,
        #"{"name":"key list","values":{"format":{}}}"#,
        #"{"name":"key list","values":{"format":{"json":false,"json":true}}}"#,
        #"{"name":"key use","values":{"format":{"json":false},"version":256}}"#,
        #"{"name":"key use","values":{"format":{"json":false},"version":"1"}}"#,
        #"{"name":"backup","values":{"format":{"json":false},"path":"/a\u0000b"}}"#,
    ])
    func `a command, a member or a value that the parser does not know is refused in one line`(
        command: String
    ) async throws {
        try await withFolder { folder in
            let database = DatabaseFile(path: "\(folder)/homing.db")
            try await withServer(database) { _, _, _ in
                CommandAnswer(status: 0, output: "run", errors: "")
            } _: {
                func reply(to command: String) async throws -> String {
                    try await ask(
                        #"{"command":\#(command),"database":"\#(folder)/homing.db","edition":"#
                            + "\(ControlSocketMessage.edition),\"showsProgress\":false}\n",
                        at: ControlSocket.path(beside: database))
                }
                let refused = try await reply(to: command)
                #expect(refused.contains("another version of homing") && !refused.contains(#""run""#), "\(refused)")
                let taken = try await reply(to: try CommandRequest.keyList.text)
                #expect(taken.contains(#""run""#), "\(taken)")
            }
        }
    }

    @Test func `only the owner can open it, and it is gone after the end`() async throws {
        try await withFolder { folder in
            let database = DatabaseFile(path: "\(folder)/homing.db")
            let path = ControlSocket.path(beside: database)
            #expect(path == "\(folder)/homing.sock")
            try await withServer(database) { _, _, _ in
                CommandAnswer(status: 0, output: "", errors: "")
            } _: {
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
                #expect(attributes[.type] as? FileAttributeType == .typeSocket)
            }
            #expect(!FileManager.default.fileExists(atPath: path))
            let answer = try await ControlSocket.ask(database: database, request: .keyList)
            #expect(answer == nil)
        }
    }

    @Test func `a second server is refused and the first goes on`() async throws {
        try await withFolder { folder in
            let database = DatabaseFile(path: "\(folder)/homing.db")
            try await withServer(database) { _, _, _ in
                CommandAnswer(status: 0, output: "first", errors: "")
            } _: {
                let error = #expect(throws: (any Error).self) {
                    try ControlSocket(database: database) { _, _, _ in CommandAnswer(status: 0, output: "", errors: "")
                    }
                }
                #expect(error.map { "\($0)" }?.contains("already listens at \(folder)/homing.sock") == true)
                let answer = try await ControlSocket.ask(database: database, request: .keyList)
                #expect(answer?.output == "first")
            }
        }
    }

    @Test func `a socket of another user gets no command`() {
        let (root, server, stranger): (UInt32, UInt32, UInt32) = (0, 1001, 1002)
        #expect(ControlSocketAddress.isTrusted(owner: server, user: server, databaseOwner: server))
        #expect(ControlSocketAddress.isTrusted(owner: root, user: server, databaseOwner: server))
        #expect(ControlSocketAddress.isTrusted(owner: server, user: root, databaseOwner: server))
        #expect(!ControlSocketAddress.isTrusted(owner: stranger, user: server, databaseOwner: server))
        #expect(!ControlSocketAddress.isTrusted(owner: stranger, user: server, databaseOwner: stranger))
        #expect(!ControlSocketAddress.isTrusted(owner: stranger, user: root, databaseOwner: server))
        #expect(!ControlSocketAddress.isTrusted(owner: stranger, user: root, databaseOwner: nil))
    }

    @Test func `root is told when the socket belongs to a stranger`() async throws {
        // Only root can give a file away; the test above covers every other user.
        guard geteuid() == 0 else { return }
        try await withFolder { folder in
            let database = DatabaseFile(path: "\(folder)/homing.db")
            try await withServer(database) { _, _, _ in
                CommandAnswer(status: 0, output: "taken", errors: "")
            } _: {
                #expect(chown(ControlSocket.path(beside: database), 65_534, 65_534) == 0)
                let error = await #expect(throws: (any Error).self) {
                    try await ControlSocket.ask(database: database, request: .keyList)
                }
                #expect(error.map { "\($0)" }?.contains("another user (uid 65534)") == true)
                #expect(chown(ControlSocket.path(beside: database), 0, 0) == 0)
            }
        }
    }

    @Test func `the socket of a dead server is nobody's and is replaced`() async throws {
        try await withFolder { folder in
            let database = DatabaseFile(path: "\(folder)/homing.db")
            try leaveDeadSocket(at: ControlSocket.path(beside: database))
            let reply = try await ControlSocket.ask(database: database, request: .keyList)
            #expect(reply == nil)
            try await withServer(database) { _, _, _ in
                CommandAnswer(status: 0, output: "new", errors: "")
            } _: {
                let answer = try await ControlSocket.ask(database: database, request: .keyList)
                #expect(answer?.output == "new")
            }
        }
    }

    @Test func `a file of that name that is no socket is left alone`() async throws {
        try await withFolder { folder in
            let database = DatabaseFile(path: "\(folder)/homing.db")
            let path = ControlSocket.path(beside: database)
            try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
            #expect(throws: (any Error).self) {
                try ControlSocket(database: database) { _, _, _ in CommandAnswer(status: 0, output: "", errors: "") }
            }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
        }
    }

    @Test func `a command for another database in the folder is not taken`() async throws {
        try await withFolder { folder in
            try await withServer(DatabaseFile(path: "\(folder)/a.db")) { _, _, _ in
                CommandAnswer(status: 0, output: "a", errors: "")
            } _: {
                let other = DatabaseFile(path: "\(folder)/b.db")
                let reply = try await ControlSocket.ask(database: other, request: .keyList)
                #expect(reply == nil)
                let same = DatabaseFile(
                    path: "\(folder)/../\(URL(fileURLWithPath: folder).lastPathComponent)/a.db")
                let answer = try await ControlSocket.ask(database: same, request: .keyList)
                #expect(answer?.output == "a")
            }
        }
    }

    @Test func `a folder whose path is longer than a socket address works`() async throws {
        try await withFolder { folder in
            let deep = folder + "/" + String(repeating: "d", count: 120) + "/" + String(repeating: "e", count: 120)
            try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
            let database = DatabaseFile(path: "\(deep)/homing.db")
            try await withServer(database) { _, _, _ in
                CommandAnswer(status: 0, output: "deep", errors: "")
            } _: {
                #expect(FileManager.default.fileExists(atPath: "\(deep)/homing.sock"))
                let reply = try await ControlSocket.ask(database: database, request: .keyList)
                #expect(reply?.output == "deep")
            }
            #expect(!FileManager.default.fileExists(atPath: "\(deep)/homing.sock"))
        }
    }

    @Test func `at the end a running command is answered and a silent client is not waited for`() async throws {
        try await withFolder { folder in
            let database = DatabaseFile(path: "\(folder)/homing.db")
            let (started, start) = AsyncStream.makeStream(of: Void.self)
            let (finishing, finish) = AsyncStream.makeStream(of: Void.self)
            let socket = try ControlSocket(database: database) { _, _, _ in
                start.finish()
                for await _ in finishing {}
                return CommandAnswer(status: 0, output: "late", errors: "")
            }
            let silent = try connectSilently(to: ControlSocket.path(beside: database))
            let group = ServiceGroup(
                configuration: .init(services: [.init(service: socket)], logger: .init(label: "test")))
            async let running: Void = group.run()
            async let answer = ControlSocket.ask(database: database, request: .keyList)
            for await _ in started {}
            await group.triggerGracefulShutdown()
            finish.finish()
            let output = try await answer?.output
            #expect(output == "late")
            try await running
            hangUp(silent)
        }
    }

    @Test func `a line that is no request is dropped and does not end the server`() async throws {
        try await withFolder { folder in
            let database = DatabaseFile(path: "\(folder)/homing.db")
            try await withServer(database) { _, _, _ in
                CommandAnswer(status: 0, output: "ok", errors: "")
            } _: {
                for garbage in ["\n", "{}\n", "[1,2\n", "{\"arguments\":\"x\"}\n", "GET / HTTP/1.1\r\n\r\n"] {
                    try speak(garbage, to: ControlSocket.path(beside: database))
                }
                let answer = try await ControlSocket.ask(database: database, request: .keyList)
                #expect(answer?.output == "ok")
            }
        }
    }
}

/// Says once that its group runs.
private struct Announcement: Service {
    let stream: AsyncStream<Void>.Continuation

    func run() async throws {
        stream.finish()
        try await gracefulShutdown()
    }
}

/// Runs a server while the body runs, and ends the server as SIGTERM does.
private func withServer(
    _ database: DatabaseFile,
    answer: @escaping ControlSocket.Answerer,
    _ body: () async throws -> Void
) async throws {
    let socket = try ControlSocket(database: database, answer: answer)
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let services: [any Service] = [socket, Announcement(stream: start)]
    let group = ServiceGroup(
        configuration: .init(services: services.map { .init(service: $0) }, logger: .init(label: "test")))
    async let running: Void = group.run()
    // A group that is told to end before it runs never runs.
    for await _ in started {}
    do {
        try await body()
    } catch {
        await group.triggerGracefulShutdown()
        try await running
        throw error
    }
    await group.triggerGracefulShutdown()
    try await running
}

private func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = "\(NSTemporaryDirectory())homing-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
}
