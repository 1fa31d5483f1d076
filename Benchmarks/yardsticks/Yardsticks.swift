// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

/// The yardsticks that `scripts/bench` holds Homing against, and the load that drives both.
@main
enum Yardsticks {
    static func main() async {
        var words = CommandLine.arguments.dropFirst()
        let name = words.popFirst() ?? ""
        do {
            let options = try Options(words)
            switch name {
            case "echo": try await Echo.serve(options)
            case "redirect": try await Redirect.serve(options)
            case "c-loop": try StatementLoop.measure(options)
            case "argon2": try Hashing.measure(options)
            case "load": try Load.measure(options)
            case "sink": try Sink.serve(options)
            default: throw Fault(usage)
            }
        } catch {
            FileHandle.standardError.write(Data("yardsticks: \(error)\n".utf8))
            exit(error is Fault ? 2 : 1)
        }
    }

    private static let usage = """
        give one of
          echo     --port P                                      bare Hummingbird: JSON decoded and encoded again
          redirect --port P                                      bare Hummingbird: 302 with the headers of a link
          c-loop   --statements FILE --database NEWFILE --batch N [--rows N] [--verbs N] [--seconds S]
          argon2   [--seconds S] [--threads N]
          load     --port P --path /… [--method M] [--host H] [--body TEXT] [--header 'A: b'] [--lines FILE]
                   [--save FILE] [--connections N] [--seconds S] [--count N] [--rate R] [--first N] [--modulus N]
                   [--seed N] [--status N]
          sink     --port P [--delay-ms N] [--hangs 1] [--http 1] [--expected N] [--save FILE]
        """
}
