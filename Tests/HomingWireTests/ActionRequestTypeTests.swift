// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Testing

@Suite struct ActionRequestTypeTests {
    @Test(arguments: [
        ("PASSWORD_RESET", 1, "resetPassword"), ("OLD_EMAIL_AGREE", 2, nil), ("NEW_EMAIL_ACCEPT", 3, nil),
        ("VERIFY_EMAIL", 4, "verifyEmail"), ("RECOVER_EMAIL", 5, "recoverEmail"), ("EMAIL_SIGNIN", 6, "signIn"),
        ("VERIFY_AND_CHANGE_EMAIL", 7, "verifyAndChangeEmail"),
        ("REVERT_SECOND_FACTOR_ADDITION", 8, "revertSecondFactorAddition"),
    ])
    func `a type has a name, a number and a mode`(name: String, number: Int, mode: String?) throws {
        let type = try #require(ActionRequestType(name: name))
        #expect(type.rawValue == number)
        #expect(type.name == name)
        #expect(type.mode?.rawValue == mode)
        #expect(type.mode.map(\.requestType) == type.mode.map { _ in type })
        #expect(ActionRequestType(.string(name)) == type)
        #expect(ActionRequestType(.int(Int64(number))) == type)
    }

    @Test(arguments: [
        JSON.string("OOB_REQ_TYPE_UNSPECIFIED"), .int(0), .int(9), .int(-1), .int(.max), .double(1.5), "password_reset",
        "1", "", .null, true, ["PASSWORD_RESET"],
    ])
    func `anything else is no type`(value: JSON) {
        #expect(ActionRequestType(value) == nil)
    }

    @Test(arguments: ActionMode.allCases)
    func `every mode is some type's mode`(mode: ActionMode) {
        #expect(mode.requestType.mode == mode)
        #expect(ActionMode(rawValue: mode.rawValue.uppercased()) == nil)
    }
}
