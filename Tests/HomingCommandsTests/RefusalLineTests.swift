// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCommands
import HomingCore
import HomingDatabase
import HomingLinkRules
import HomingOperations
import HomingPasswords
import HomingStore
import Testing

@Suite struct RefusalLineTests {
    @Test func `the shell names the command that mends it, and the wire does not`() {
        let refusal = Refusal.notFound("there is no project shop", remedy: .createProject("shop"))
        #expect(RefusalLine.text(refusal) == "there is no project shop: homing project create shop")
        #expect(refusal.wireMessage == "NOT_FOUND : there is no project shop")
        let sentence = "link: The URL's domain is not authorised for this project; add it"
        let link = LinkFault(parameter: "link", code: nil, reason: .unauthorizedDomain).refusal
        #expect(RefusalLine.text(link) == "UNAUTHORIZED_DOMAIN : \(sentence): homing domain add")
        #expect(link.wireMessage == "UNAUTHORIZED_DOMAIN : \(sentence)")
    }

    @Test func `where the wire has a bare code, the shell has a sentence`() {
        #expect(RefusalLine.text(.weakPassword(.empty)) == "the password is empty")
        #expect(RefusalLine.text(.weakPassword(.short)) == "Password should be at least 6 characters")
        #expect(RefusalLine.text(.userNotFound) == "there is no account with this address in the project")
        #expect(RefusalLine.text(.missingEmail) == "MISSING_EMAIL")
        #expect(RefusalLine.text(.invalidSetting("the port is taken")) == "the port is taken")
        let away = DatabaseUnavailable.commitUnknown
        #expect(RefusalLine.text(.databaseUnavailable(away)) == away.description)
        #expect(RefusalLine.text(.keyMissing) == "UNAVAILABLE : The server is busy. Try again in a moment.")
    }
}
