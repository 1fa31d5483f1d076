// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingCore
import HomingOperations
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
