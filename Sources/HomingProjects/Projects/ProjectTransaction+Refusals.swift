// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore

/// The refusals of rows that exist already, which the transaction throws.
extension Refusal {
    package static let emailExists = Refusal("EMAIL_EXISTS")
    package static let duplicateLocalID = Refusal("DUPLICATE_LOCAL_ID")
    package static let phoneNumberExists = Refusal("PHONE_NUMBER_EXISTS")
    /// An identity of another provider that another account has.
    package static let federatedIDExists = Refusal(
        "FEDERATED_USER_ID_ALREADY_LINKED", "This credential is already associated with a different user account.")
}
