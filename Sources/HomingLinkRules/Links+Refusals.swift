// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore

extension Refusal {
    /// A dynamic link that is neither made nor followed; the code is Firebase's warning code where there is one.
    package static func invalidDynamicLink(
        code: String, _ sentence: String, remedy: Remedy? = nil
    ) -> Refusal {
        Refusal(Code("INVALID_DYNAMIC_LINK", says: code), sentence, status: .invalidArgument, remedy: remedy)
    }
}
