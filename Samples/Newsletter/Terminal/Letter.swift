// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth

/// The second situation: a letter is for readers who are signed in. Whoever forgot the password comes back to the same
/// part of the same letter.
extension Lighthouse {
    func read() async throws {
        terminal.title("Letters")
        terminal.say("  keeper   The keeper who wrote to everyone, in three parts\n  fog      What a fog signal says")
        let words = try await terminal.ask("Which letter, and from which part? [keeper 1]").split(separator: " ")
        try await read(String(words.first ?? "keeper"), from: words.dropFirst().first.flatMap { Int($0) } ?? 1)
    }

    func read(_ name: String, from part: Int) async throws {
        var letter = try await letter(name)
        if letter.letters == nil {
            terminal.title(letter.title)
            terminal.say("\(letter.teaser ?? "")\n\nSign in to read on.")
            _ = try await signedIn(for: .letter(name: name, part: part))
            letter = try await self.letter(name)
        }
        guard let parts = letter.letters else { throw Site.Fault.signInFirst }
        show(letter, parts, from: part)
    }

    private func letter(_ name: String) async throws -> Site.Letter {
        try await site.letter(name, idToken: try await auth.currentUser?.getIDToken())
    }

    private func show(_ letter: Site.Letter, _ parts: [Site.Letter.Part], from part: Int) {
        let first = min(max(part, 1), parts.count)
        terminal.title([letter.issue, letter.title].compactMap { $0 }.joined(separator: ": "))
        if first > 1 { terminal.say("(From part \(first).)") }
        for part in parts.dropFirst(first - 1) {
            terminal.title(part.heading)
            for paragraph in part.text { terminal.say(paragraph) }
        }
    }
}
