// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What a command reads: a file or the standard input of whoever typed it, wherever the command runs.
///
/// It is read in pieces, from any place and as often as the command likes, so that nobody holds it whole: a server that
/// runs the command asks for each piece through the socket, and stops when the one who typed it goes away.
package struct CommandInput: Sendable {
    package static let pieceSize = 256 << 10

    /// In bytes, as far as was known when the command began.
    package let size: Int64
    private let read: @Sendable (Int64) async throws -> [UInt8]

    package init(size: Int64, piece read: @escaping @Sendable (_ offset: Int64) async throws -> [UInt8]) {
        self.size = size
        self.read = read
    }

    package init(_ bytes: [UInt8]) {
        self.init(size: Int64(bytes.count)) { offset in
            Array(bytes.dropFirst(Int(offset)).prefix(Self.pieceSize))
        }
    }

    /// The bytes from an offset on, at most about ``pieceSize`` of them; none at the end.
    package func piece(at offset: Int64) async throws -> [UInt8] {
        try await read(offset)
    }

    /// All of a short one.
    func whole(atMost limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let piece = try await piece(at: Int64(bytes.count))
            guard !piece.isEmpty else { return bytes }
            bytes += piece
        }
        throw Refusal.invalidSetting("the input has more than \(limit) bytes")
    }
}

enum InputSource: Sendable {
    case nothing
    case standardInput
    case file(String)

    /// Opens it where the operator typed.
    func open() throws -> CommandInput? {
        switch self {
        case .nothing: nil
        case .standardInput: try InputFile(STDIN_FILENO, name: "standard input").input
        case .file(let path): try InputFile(path: path).input
        }
    }
}

/// An open file. What comes from a pipe is kept: in memory as long as it is short, else in a file without a name that
/// ends with the process.
private final class InputFile: Sendable {
    private static let longestInMemory = 1 << 20

    private let descriptor: CInt
    private let name: String
    /// The start of it, where that has left the pipe; the rest, if there is one, is in the file.
    private let kept: [UInt8]
    private let size: Int64

    convenience init(path: String) throws {
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw Refusal.notFound(
                "\(path) cannot be read (\(String(cString: strerror(errno)))): give the path of a file")
        }
        try self.init(descriptor, name: path)
    }

    /// - Parameter descriptor: is closed in the end.
    init(_ descriptor: CInt, name: String) throws {
        self.name = name
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        if isKnown, status.st_mode & S_IFMT == S_IFREG {
            (self.descriptor, kept, size) = (descriptor, [], Int64(status.st_size))
            return
        }
        defer { close(descriptor) }
        guard isKnown, status.st_mode & S_IFMT != S_IFDIR else {
            throw Refusal.notFound("\(name) cannot be read: give the path of a file")
        }
        var kept: [UInt8] = []
        while kept.count < Self.longestInMemory {
            let piece = try Self.read(descriptor, name)
            if piece.isEmpty {
                (self.descriptor, self.kept, size) = (-1, kept, Int64(kept.count))
                return
            }
            kept += piece
        }
        let file = try Self.namelessFile()
        self.descriptor = file
        self.kept = []
        do {
            var size: Int64 = 0
            while !kept.isEmpty {
                if let reason = Descriptor.write(kept, to: file) { throw Self.full(reason) }
                size += Int64(kept.count)
                kept = try Self.read(descriptor, name)
            }
            self.size = size
        } catch {
            self.size = 0
            throw error
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    var input: CommandInput {
        CommandInput(size: size) { [self] offset in
            guard descriptor >= 0 else {
                return Array(kept.dropFirst(Int(offset)).prefix(CommandInput.pieceSize))
            }
            return try Self.piece {
                pread(descriptor, $0.baseAddress, $0.count, off_t(offset))
            } fault: { reason in
                Self.unreadable(name, reason)
            }
        }
    }

    private static func read(_ descriptor: CInt, _ name: String) throws -> [UInt8] {
        try piece {
            Foundation.read(descriptor, $0.baseAddress, $0.count)
        } fault: {
            unreadable(name, $0)
        }
    }

    private static func piece(
        _ read: (UnsafeMutableRawBufferPointer) -> Int, fault: (CInt) -> Refusal
    ) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: CommandInput.pieceSize) { buffer, count in
            repeat { count = read(UnsafeMutableRawBufferPointer(buffer)) } while count < 0 && errno == EINTR
            guard count >= 0 else {
                let reason = errno
                count = 0
                throw fault(reason)
            }
        }
    }

    private static func namelessFile() throws -> CInt {
        var path = Array("\(NSTemporaryDirectory())homing-input-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw full(errno) }
        unlink(path)
        return descriptor
    }

    private static func unreadable(_ name: String, _ reason: CInt) -> Refusal {
        .invalidSetting("\(name) cannot be read to its end (\(String(cString: strerror(reason))))")
    }

    private static func full(_ reason: CInt) -> Refusal {
        .invalidSetting(
            "the input cannot be kept in \(NSTemporaryDirectory()) (\(String(cString: strerror(reason)))): "
                + "put it into a file and give its path, or set TMPDIR")
    }
}
