// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingWire
import Hummingbird
import NIOCore
import Synchronization

/// Answers every request: credentials, CORS, the operations, and the emulator's own paths.
struct EmulatorResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    private let world: SharedWorld
    private let trust: Trust

    init(_ world: SharedWorld, trust: Trust) {
        self.world = world
        self.trust = trust
    }

    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
        var response: Response
        do {
            try trust.check(host: request.head.authority)
            response =
                request.method == .options ? Response(status: .noContent) : try await answer(Self.overridden(request))
        } catch let fault as Fault {
            response = Self.json(fault.envelope, status: .init(code: fault.status))
            if !fault.allowed.isEmpty { response.headers[.allow] = fault.allowed.joined(separator: ", ") }
        }
        allowOrigin(request, &response)
        return response
    }

    // MARK: CORS

    private static let allowPrivateNetwork = HTTPField.Name("Access-Control-Allow-Private-Network")
    private static let wantsPrivateNetwork = HTTPField.Name("Access-Control-Request-Private-Network")

    /// Scripts of every page may read the answers, as in production: what only an owner may do is refused to them.
    private func allowOrigin(_ request: Request, _ response: inout Response) {
        response.headers[.vary] = "Origin"
        response.headers[.accessControlAllowOrigin] = request.headers[.origin] ?? "*"
        if let wants = Self.wantsPrivateNetwork, let allow = Self.allowPrivateNetwork, request.headers[wants] != nil,
            trust.covers(origin: request.headers[.origin])
        {
            response.headers[allow] = "true"
        }
        guard request.method == .options else { return }
        response.headers[.accessControlAllowMethods] = "GET,HEAD,PUT,PATCH,POST,DELETE"
        response.headers[.accessControlAllowHeaders] = request.headers[.accessControlRequestHeaders]
    }

    // MARK: Answers

    private static func json(_ value: JSON, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(bytes: value.write())))
    }

    private static let methodOverride = HTTPField.Name("X-HTTP-Method-Override")

    /// The request as it is meant: some clients cannot say `PATCH`, and Google's Java library then posts. It holds
    /// where Google's API has that method, for settings and tenants, as on a server of Homing.
    private static func overridden(_ request: Request) -> Request {
        guard request.method == .post, let name = methodOverride, request.headers[name] == "PATCH",
            request.uri.path.contains("/v2/projects/")
        else { return request }
        var head = request.head
        head.method = .patch
        return Request(head: head, body: request.body)
    }

    private func answer(_ request: Request) async throws -> Response {
        let path = request.uri.path
        let query = QueryString(parsingForm: request.uri.query ?? "") ?? QueryString([])
        if path == "/" {
            guard request.method == .get || request.method == .head else { throw Fault.wrongMethod(of: [.get, .head]) }
            return Self.json(Self.greeting)
        }
        let isOwn = path.hasPrefix("/emulator/")
        if isOwn || request.method == .delete { try trust.check(origin: request.headers[.origin]) }
        if isOwn { return try await own(request, path, query) }
        let match = try Routes.match(request.method, path)
        let route = match.route
        let isPrivileged = try Self.isPrivileged(request, query, keysOnly: route.takesKeysOnly)
        if isPrivileged { try trust.check(origin: request.headers[.origin]) }
        let limit = isPrivileged ? route.bodyLimit : Route.bodyLimit
        let members = try await Self.members(of: request, query, limit: limit)
        try members.checkTypes(lists: route.lists)
        return Self.json(
            try world.change { world throws(Fault) in
                let call = try Call(
                    isPrivileged: isPrivileged, project: match.project, tenant: match.tenant, body: members,
                    mask: query["updateMask"] ?? "", defaultProject: world.defaultProject)
                return try route.run(&world, call)
            })
    }

    private static let greeting: JSON = [
        "authEmulator": [
            "ready": true, "docs": "https://firebase.google.com/docs/emulator-suite",
            "apiSpec": "/emulator/openapi.json",
        ]
    ]

    // MARK: Credentials

    /// Any key and the literal `owner` are good: whoever reaches a loopback port may do anything here.
    private static func isPrivileged(_ request: Request, _ query: QueryString, keysOnly: Bool) throws(Fault) -> Bool {
        let field = request.headers[.authorization] ?? ""
        let isBearer = field.lowercased().hasPrefix("bearer ")
        if isBearer, !keysOnly {
            let token = field.dropFirst("bearer ".count).drop { $0 == " " }
            guard token.lowercased() == "owner" || token.hasPrefix("ya29.") else { throw Fault.invalidBearer }
            return true
        }
        let header = HTTPField.Name("x-goog-api-key").flatMap { request.headers[$0] } ?? ""
        guard query["key"]?.isEmpty == false || !header.isEmpty else { throw Fault.missingKey }
        return false
    }

    // MARK: Bodies

    /// The members of a body, a form's among them; a request without one has its query.
    private static func members(of request: Request, _ query: QueryString, limit: Int) async throws -> Body {
        guard request.method != .get, request.method != .delete, request.method != .head else {
            return Body(JSON.Object(query.parameters.filter { $0.name != "key" }.map { ($0.name, .string($0.value)) }))
        }
        let body = try await body(of: request, limit: limit)
        if request.headers[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true {
            guard let form = QueryString(parsingForm: String(decoding: body, as: UTF8.self)) else {
                throw Fault.payload("The form cannot be read.", reason: "parseError")
            }
            return Body(JSON.Object(form.parameters.map { ($0.name, .string($0.value)) }))
        }
        guard !body.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { return Body() }
        do {
            guard let object = try JSON.parse(body, mostValues: body.count).objectValue else {
                throw Fault.payload("The body must be object")
            }
            return Body(object)
        } catch let fault as JSONFault {
            throw Fault.payload(fault.description, reason: "parseError")
        }
    }

    private static func body(of request: Request, limit: Int = Route.bodyLimit) async throws -> [UInt8] {
        do {
            return Array(buffer: try await request.body.collect(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw Fault.tooLarge(limit: limit)
        }
    }

    // MARK: The emulator's own paths

    /// What the JavaScript SDK opens to sign in with an identity provider. Both pages need Google's scripts to speak to
    /// it.
    private static let pagesOfProviders = ["/emulator/auth/handler", "/emulator/auth/iframe"]

    private func own(_ request: Request, _ path: String, _ query: QueryString) async throws -> Response {
        let method = request.method
        if path == ActionPage.path {
            guard method == .get else { throw Fault.wrongMethod(of: [.get]) }
            let page = ActionPage(query: query)
            switch try world.change({ world throws(Fault) in try page.answer(in: &world) }) {
            case .told(let status, let value): return Self.json(value, status: status)
            case .redirect(let url): return Response(status: .seeOther, headers: [.location: Self.header(url)])
            }
        }
        guard !Self.pagesOfProviders.contains(path) else {
            throw Fault.notOffered("Signing in with identity providers, by \(path),")
        }
        if path == "/emulator/openapi.json" {
            guard method == .get else { throw Fault.wrongMethod(of: [.get]) }
            return Self.json(OpenAPI.document)
        }
        let parts = path.split(separator: "/").map { String($0) }
        guard parts.count >= 5, parts[1] == "v1", parts[2] == "projects", let project = percentDecoded(parts[3]) else {
            throw Fault.notFound
        }
        var place = Place(project: project)
        var name = parts[4]
        if parts.count == 7, name == "tenants" {
            place.tenant = percentDecoded(parts[5])
            name = parts[6]
        } else if parts.count != 5 {
            throw Fault.notFound
        }
        let body = method == .patch ? try await Self.body(of: request) : []
        return Self.json(
            try world.change { [place, name] world throws(Fault) in
                try Self.run(method, name, place, body, &world)
            })
    }

    /// A URL as a header may have it (RFC 9110 section 5.5): bytes that stand in no URL, and a `%` that encodes
    /// nothing, are percent-encoded, and all others stay.
    private static func header(_ url: String) -> String {
        let bytes = Array(url.utf8)
        return bytes.indices.reduce(into: "") { header, index in
            let byte = bytes[index]
            let encodes = bytes[(index + 1)...].prefix(2).count { Hexadecimal.value(of: $0) != nil } == 2
            if ASCII.isVisible(byte), !"\"<>`{}".utf8.contains(byte), byte != UInt8(ascii: "%") || encodes {
                header.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                let digits = [UInt8(ascii: "%"), Hexadecimal.upperDigit(byte >> 4), Hexadecimal.upperDigit(byte & 0xF)]
                header += String(decoding: digits, as: UTF8.self)
            }
        }
    }

    private static func run(
        _ method: HTTPRequest.Method, _ name: String, _ place: Place, _ body: [UInt8], _ world: inout World
    ) throws(Fault) -> JSON {
        switch (method, name) {
        case (.get, "oobCodes"): return world.oobCodes(in: place)
        case (.get, "verificationCodes"): return ["verificationCodes": []]
        case (.delete, "accounts"):
            world[place].removeAll()
            return .object(JSON.Object())
        case (.get, "config") where place.tenant == nil: return world.emulatorConfig(of: place.project)
        case (.patch, "config") where place.tenant == nil:
            let members = (try? JSON.parse(body))?.objectValue ?? JSON.Object()
            return try world.changeEmulatorConfig(of: place.project, by: Body(members))
        case (_, "oobCodes"), (_, "verificationCodes"): throw Fault.wrongMethod(of: [.get])
        case (_, "accounts"): throw Fault.wrongMethod(of: [.delete])
        case (_, "config") where place.tenant == nil: throw Fault.wrongMethod(of: [.get, .patch])
        default: throw Fault.notFound
        }
    }
}

/// The world of all requests, one at a time. What is announced goes to standard output.
final class SharedWorld: Sendable {
    private let world: Mutex<World>

    init(_ world: World) { self.world = Mutex(world) }

    /// - Parameter origin: the URL before every path.
    func begin(at origin: String) { world.withLock { $0.origin = origin } }

    func export(to folder: ExportFolder) throws -> [String] { try folder.save(world.withLock { $0 }) }

    func change<Answer: Sendable>(
        _ verb: (inout World) throws(Fault) -> Answer
    ) throws(Fault) -> Answer {
        let (result, lines) = world.withLock { world in
            let result = Result { () throws(Fault) in try verb(&world) }
            defer { world.announcements = [] }
            return (result, world.announcements)
        }
        for line in lines { say(line) }
        return try result.get()
    }
}
