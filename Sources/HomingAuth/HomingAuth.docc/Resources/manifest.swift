// swift-tools-version:6.2
import PackageDescription

let package = Package(
    name: "verify",
    platforms: [.macOS(.v12)],
    dependencies: [.package(name: "homing", path: "../homing")],
    targets: [
        .executableTarget(name: "verify", dependencies: [.product(name: "HomingAuth", package: "homing")])
    ]
)
