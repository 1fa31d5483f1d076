// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
internal import HomingWire

extension Refusal {
    package static let apiKeyInvalid = Refusal(
        Code("API_KEY_INVALID", says: nil), "API key not valid. Please pass a valid API key.",
        status: .invalidArgument)
    package static let apiKeyMissing = Refusal(
        Code("API_KEY_MISSING", says: nil), "The request is missing a valid API key.", status: .permissionDenied)
    package static let projectNotFound = Refusal("PROJECT_NOT_FOUND", status: .notFound)
    /// A `tenantId` that the project has not.
    package static let invalidTenantID = Refusal(
        "INVALID_TENANT_ID", "The project has no tenant of this tenantId.")
    /// A tenant in a back end's path that the project has not.
    package static let tenantNotFound = Refusal("TENANT_NOT_FOUND", status: .notFound)
    /// A tenant whose people are all kept out.
    package static let projectDisabled = Refusal("PROJECT_DISABLED")

    /// A setting that there is not, of a project or a tenant.
    ///
    /// - Parameter sentence: up to the name.
    static func noSetting(_ name: String, _ sentence: String, among settings: [ProjectSetting]) -> Refusal {
        let names = ["displayName"] + settings.map(\.name)
        let sentence = "\(sentence) \(Printable.given(name))"
        guard let meant = Spelling.nearest(to: name, among: names) else {
            return .invalidSetting("\(sentence); there are: \(names.joined(separator: ", "))")
        }
        return .invalidSetting(sentence, remedy: .meant(meant))
    }
}
