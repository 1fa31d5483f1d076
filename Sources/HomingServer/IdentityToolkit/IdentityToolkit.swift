// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

/// Firebase's Identity Toolkit, client and admin operations: one file each, named as on the wire.
enum IdentityToolkit {
    static func kind(_ name: String) -> JSON { .string("identitytoolkit#\(name)") }

    static func tokenMembers(_ tokens: Tokens?) -> [(String, JSON?)] {
        guard let tokens else { return [] }
        return [
            ("idToken", .string(tokens.idToken)), ("refreshToken", .string(tokens.refreshToken)),
            ("expiresIn", .string(String(tokens.expiresIn))),
        ]
    }
}
