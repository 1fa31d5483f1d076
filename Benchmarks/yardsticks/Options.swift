// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// What makes a yardstick stop, in one sentence.
struct Fault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// `--name value` pairs; a name may be given several times.
struct Options {
    private var values: [String: [String]] = [:]

    init(_ words: some Sequence<String>) throws {
        var name: String?
        for word in words {
            if let given = name {
                values[given, default: []].append(word)
                name = nil
            } else if word.hasPrefix("--") {
                name = String(word.dropFirst(2))
            } else {
                throw Fault("\(word): expected --name value")
            }
        }
        if let name { throw Fault("--\(name) wants a value") }
    }

    func all(_ name: String) -> [String] {
        values[name] ?? []
    }

    func text(_ name: String, default standard: String? = nil) throws -> String {
        guard let text = values[name]?.last ?? standard else { throw Fault("--\(name) is missing") }
        return text
    }

    func number<Number: LosslessStringConvertible>(_ name: String, default standard: Number? = nil) throws -> Number {
        guard let text = values[name]?.last else {
            guard let standard else { throw Fault("--\(name) is missing") }
            return standard
        }
        guard let number = Number(text) else { throw Fault("--\(name) \(text): not a number") }
        return number
    }
}
