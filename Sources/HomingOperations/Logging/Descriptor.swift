// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Writes to standard output and standard error. (Foundation's file handles end the process where that fails.)
package enum Descriptor {
    package static let output = STDOUT_FILENO
    package static let errors = STDERR_FILENO

    /// Writes all of a text, and waits where the reader is slow.
    ///
    /// - Returns: the value of `errno` for a failed write; nil when all is written.
    @discardableResult
    package static func write(_ text: String, to descriptor: CInt) -> CInt? {
        write(Array(text.utf8), to: descriptor)
    }

    /// The same for what a command says: a terminal shows it in its styles and is not controlled by it otherwise, a file
    /// and a pipe get it as it is.
    @discardableResult
    package static func show(
        _ text: String, _ parts: [TerminalStyle.Part] = [], on descriptor: CInt
    ) -> CInt? {
        let isTerminal = isatty(descriptor) == 1
        let plain: (String) -> String = { isTerminal ? Printable.terminal($0) : $0 }
        guard !parts.isEmpty, TerminalStyle.isShown(onTerminal: isTerminal) else {
            return write(plain(text), to: descriptor)
        }
        return write(TerminalStyle.painted(text, parts, plain: plain), to: descriptor)
    }

    @discardableResult
    package static func show(_ line: StyledLine, on descriptor: CInt) -> CInt? {
        show(line.text, line.parts, on: descriptor)
    }

    @discardableResult
    package static func write(_ bytes: [UInt8], to descriptor: CInt) -> CInt? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno == EAGAIN {
                // Another process may have made the descriptor non-blocking, such as on a shared terminal.
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waiting, 1, 1000)
            } else if count < 0, errno != EINTR {
                return errno
            }
        }
        return nil
    }

    private static func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
            return Glibc.write(descriptor, bytes, count)
        #else
            return Darwin.write(descriptor, bytes, count)
        #endif
    }
}
