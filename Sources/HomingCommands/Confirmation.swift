// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingOperations
import HomingShortLinks
import HomingStore

/// A command that removes data which nobody can bring back.
///
/// On a terminal the command asks for the name of the data; elsewhere it needs `--yes`.
protocol IrreversibleCommand: DatabaseCommand {
    var consent: Consent { get }
    /// The data that the command removes, as the sentence after "This removes" names it.
    var loss: String { get }
    /// The text that the operator has to type.
    var lossName: String { get }
}

/// `--yes`.
struct Consent: ParsableArguments, Encodable {
    @Flag(name: .shortAndLong, help: "Do not ask; without a terminal it has to be given.")
    var yes = false
}

extension IrreversibleCommand {
    /// - Throws: when there is no terminal to ask on, and when the answer is not ``lossName``.
    func askForConsent() throws(Refusal) {
        guard !consent.yes else { return }
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw .invalidSetting("this removes \(loss), for ever: add --yes to do it")
        }
        Descriptor.write(
            "This removes \(loss), for ever.\nType \(lossName) to go on: ", to: Descriptor.errors)
        guard let typed = readLine(), typed.utf8.elementsEqual(lossName.utf8) else {
            throw .invalidSetting("nothing was removed: that was not \(lossName)")
        }
    }
}

/// A command that is run at once where no link dies by it, and else only by somebody who has heard how many do: on a
/// terminal it asks, elsewhere it needs `--yes`.
protocol LinkEndingCommand: DatabaseCommand {
    var consent: Consent { get set }
}

extension LinkEndingCommand {
    /// - Throws: ``Refusal/linksWouldDie(_:)`` where links would notice and nobody has agreed.
    func agree(to deaths: LinkDeaths) throws(Refusal) {
        guard !consent.yes, let sentence = deaths.sentence else { return }
        throw .linksWouldDie("\(sentence); nothing was changed: add --yes to do it all the same")
    }

    /// The command again, with the consent of the person at the terminal; nil where there is none to ask, and nothing
    /// to ask for.
    ///
    /// - Throws: when the person does not agree.
    func agreed(after answer: CommandAnswer) throws(Refusal) -> Self? {
        guard answer.status != 0, answer.code == Refusal.Code.linksWouldDie.word, isatty(STDIN_FILENO) == 1,
            isatty(STDERR_FILENO) == 1
        else { return nil }
        Descriptor.write("\(answer.errors)\nType yes to go on: ", to: Descriptor.errors)
        guard let typed = readLine(), typed.utf8.elementsEqual("yes".utf8) else {
            throw .invalidSetting("nothing was changed: that was not yes")
        }
        var command = self
        command.consent.yes = true
        return command
    }
}
