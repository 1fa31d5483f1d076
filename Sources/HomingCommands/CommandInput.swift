// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingCore
internal import HomingOperations
import HomingStore

#if canImport(Glibc)
    // Where Foundation's C part is loaded first, the compiler takes it for the home of `stat`.
    internal import CoreFoundation
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The input of a command: a file or the standard input of the operator's process, wherever the command runs.
///
/// The input is read in pieces, from any offset and as often as the command likes, so that no process holds all of it:
/// a server that runs the command asks for each piece through the socket, and stops when the client goes away.
package struct CommandInput: Sendable {
    package static let pieceSize = 256 << 10

    /// In bytes, as far as the size was known when the command began.
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

    /// All bytes of a short input.
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
    /// So many bytes of it. The others are read, too, so that whoever writes them is not cut off.
    case startOfStandardInput(Int)
    case file(String)
    /// Short texts, by name and path (``InputFiles``).
    case files([(name: String, path: String)])
    /// The short texts in a folder.
    case folder(String)

    /// Opens the input in the operator's process.
    func open() throws -> CommandInput? {
        switch self {
        case .nothing: nil
        // From the present position: a script may have read the start of it.
        case .standardInput: CommandInput(Array(FileHandle.standardInput.readDataToEndOfFile()))
        case .startOfStandardInput(let limit):
            try CommandInput(Self.start(of: FileHandle.standardInput, limit))
        case .file(let path): try InputFile(path: path).input
        case .files(let files): try InputFiles.input(files)
        case .folder(let path): try InputFiles.input(folder: path)
        }
    }
}

extension InputSource {
    private static func start(of handle: FileHandle, _ limit: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try handle.read(upToCount: CommandInput.pieceSize), !piece.isEmpty {
            bytes += piece.prefix(limit - bytes.count)
        }
        return bytes
    }
}

/// An open file. Input from a pipe is stored in a file without a name, which ends with the process.
private final class InputFile: Sendable {
    private let descriptor: CInt
    private let path: String
    private let size: Int64

    init(path: String) throws {
        self.path = path
        let opened = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { throw Self.missing(path, errno) }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            close(opened)
            throw Self.missing(path, EISDIR)
        }
        if status.st_mode & S_IFMT == S_IFREG {
            (descriptor, size) = (opened, Int64(status.st_size))
            return
        }
        defer { close(opened) }
        let file = try Self.namelessFile()
        do {
            size = try Self.copy(opened, to: file, path)
        } catch {
            close(file)
            throw error
        }
        descriptor = file
    }

    deinit {
        close(descriptor)
    }

    var input: CommandInput {
        CommandInput(size: size) { [self] offset in
            try Self.piece(of: path) { pread(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
        }
    }

    private static func copy(_ source: CInt, to file: CInt, _ path: String) throws -> Int64 {
        var size: Int64 = 0
        while true {
            let piece = try piece(of: path) { Foundation.read(source, $0.baseAddress, $0.count) }
            guard !piece.isEmpty else { return size }
            if let reason = Descriptor.write(piece, to: file) { throw full(reason) }
            size += Int64(piece.count)
        }
    }

    private static func piece(of path: String, _ read: (UnsafeMutableRawBufferPointer) -> Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: CommandInput.pieceSize) { buffer, count in
            repeat { count = read(UnsafeMutableRawBufferPointer(buffer)) } while count < 0 && errno == EINTR
            guard count >= 0 else {
                let reason = errno
                count = 0
                throw Refusal.invalidSetting(
                    "\(path) cannot be read to its end (\(String(cString: strerror(reason))))")
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

    private static func missing(_ path: String, _ reason: CInt) -> Refusal {
        .notFound("\(path) cannot be read (\(String(cString: strerror(reason)))): give the path of a file")
    }

    private static func full(_ reason: CInt) -> Refusal {
        .invalidSetting(
            "the input cannot be kept in \(NSTemporaryDirectory()) (\(String(cString: strerror(reason)))): "
                + "put it into a file and give its path, or set TMPDIR")
    }
}
