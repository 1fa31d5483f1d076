// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingClient

@_cdecl("homing_app_configure")
package func homingAppConfigure(
    _ name: UnsafePointer<CChar>?, _ endpoint: UnsafePointer<CChar>?, _ apiKey: UnsafePointer<CChar>?
) {
    // What is no URL is not passed over: the first call says what is wrong.
    HomingApp.configure(
        name: optionalText(name) ?? HomingApp.defaultName, endpoint: url(endpoint) ?? URL(fileURLWithPath: "/"),
        apiKey: text(apiKey))
}

/// Configures from a file, or from the main bundle's without one. Answers nothing or the error.
@_cdecl("homing_app_configure_file")
package func homingAppConfigureFile(
    _ name: UnsafePointer<CChar>?, _ path: UnsafePointer<CChar>?
) -> UnsafeMutableRawPointer? {
    do throws(HomingConfigurationError) {
        if let path = optionalText(path) {
            try HomingApp.configure(
                contentsOf: URL(fileURLWithPath: path), name: optionalText(name) ?? HomingApp.defaultName)
        } else {
            try HomingApp.configure()
        }
        return nil
    } catch {
        return retained(Box<any Error>(error))
    }
}

@_cdecl("homing_app_exists")
package func homingAppExists(_ name: UnsafePointer<CChar>?) -> Bool {
    HomingApp.app(name: optionalText(name) ?? HomingApp.defaultName) != nil
}

@_cdecl("homing_app_default_name")
package func homingAppDefaultName() -> UnsafeMutablePointer<CChar>? { copied(HomingApp.defaultName) }
