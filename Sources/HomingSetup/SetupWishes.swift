// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingOperations
package import HomingStore

/// What somebody wants of `homing setup`, beside the settings.
package struct SetupWishes: Sendable {
    /// The first project, as `homing project create` makes it.
    package var project: ProjectID?
    package var projectName: String?
    package var authorizedDomains: [String] = []
    package var linkDomains: [String] = []
    package var locale: String?
    /// The address of the first operator.
    package var person: String?
    /// Where a test mail goes.
    package var testMail: String?
    /// The first line of this file is the relay's password; `-` is standard input.
    package var smtpPasswordFile: String?
    package var asksNothing = false
    /// Whether nobody else may be asked.
    package var isOffline = false
    package var startsNothing = false

    package init() {}
}

/// What setup cannot do by itself: it reaches the server and its commands through the program that it is a part of.
package protocol SetupProgram: Sendable {
    /// Has the server that owns the file make what is wished for.
    ///
    /// - Returns: what there is; nil when no server answers.
    func make(_ wishes: SetupWishes, inServerOf file: DatabaseFile) async throws -> SetupStanding?

    /// Runs another command while a server runs.
    ///
    /// - Returns: the lines of its answer.
    func tell(_ words: [String], _ settings: Settings) async throws -> [String]

    /// The bytes of a short file; of standard input for `-`.
    func read(_ file: String, atMost limit: Int) async throws -> [UInt8]?
}

/// The command line says what cannot be.
package struct SetupUsage: Error {
    package let sentence: String

    init(_ sentence: String) { self.sentence = sentence }
}
