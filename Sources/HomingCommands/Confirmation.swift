// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingCore

/// A command that takes away what nobody can bring back.
///
/// On a terminal it asks for the name of what goes; elsewhere it wants `--yes`.
protocol IrreversibleCommand: DatabaseCommand {
    var consent: Consent { get }
    /// What the command removes, as it stands behind "This removes".
    var loss: String { get }
    /// What the operator has to type.
    var lossName: String { get }
}

/// `--yes`.
struct Consent: ParsableArguments, Encodable {
    @Flag(name: .shortAndLong, help: "Do not ask; without a terminal it has to be given.")
    var yes = false
}

extension IrreversibleCommand {
    /// - Throws: when nobody can be asked, and when the answer is not ``lossName``.
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
