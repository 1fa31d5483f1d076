// swift-tools-version:6.2
// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import PackageDescription

let package = Package(
    name: "Newsletter",
    platforms: [.macOS(.v12)],
    dependencies: [
        // In an app of your own: .package(url: "https://…/homing.git", from: "0.1.0"); docs/swift-package.md
        .package(name: "homing", path: "../..")
    ],
    targets: [
        /** Lighthouse Letters in a terminal. Xcode/ has the same with SwiftUI, on the same Shared/. */
        .executableTarget(
            name: "newsletter",
            dependencies: [.product(name: "HomingAuth", package: "homing")],
            path: ".",
            exclude: ["README.md", "Xcode"],
            sources: ["Shared", "Terminal"]
        )
    ]
)
