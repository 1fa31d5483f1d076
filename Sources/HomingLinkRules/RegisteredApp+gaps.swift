// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

extension RegisteredApp {
    /// Something that a registration lacks, so that links do less with the app than they could.
    package enum Gap: Sendable, CaseIterable {
        case teamID, fingerprint, appStoreID

        /// As a field is called.
        package var name: String {
            switch self {
            case .teamID: "team id"
            case .fingerprint: "SHA-256 fingerprint"
            case .appStoreID: "App Store id"
            }
        }

        /// What comes of it, as the end of a sentence.
        package var consequence: String {
            switch self {
            case .teamID, .fingerprint: "no link opens it"
            case .appStoreID: "no link leads to the store"
            }
        }

        /// Whether links do not open the app before it is filled.
        package var keepsAppClosed: Bool { self != .appStoreID }
    }

    /// What is missing, the worst first.
    package var gaps: [Gap] {
        switch platform {
        case .apple: (teamID == nil ? [.teamID] : []) + (appStoreID == nil ? [.appStoreID] : [])
        case .android: sha256.isEmpty ? [.fingerprint] : []
        }
    }

    /// What keeps links from opening the app: a sentence that names it; nil where nothing does.
    package var problem: String? {
        gaps.first { $0.keepsAppClosed }.map { "\(id) has no \($0.name), so that \($0.consequence)" }
    }
}
