// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
// swift-format-ignore-file

// What shapes stand in: as much of an app and of UIKit and SwiftUI as they need.

import Foundation
import HomingAuth

@MainActor class UIViewController {
    func show(_ text: String) {}
    func performSegue(withIdentifier identifier: String, sender: Any?) {}
    func viewDidLoad() {}
    func viewWillAppear(_ animated: Bool) {}
    func viewWillDisappear(_ animated: Bool) {}
}

@MainActor final class UITextField {
    var text: String? = ""
}

@MainActor final class UIButton {
    var isEnabled = true
}

final class NSUserActivity: @unchecked Sendable {
    var webpageURL: URL?
    var activityType = ""
}

protocol ObservableObject: AnyObject {}

@propertyWrapper struct Published<Value> {
    var wrappedValue: Value
    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

struct Profile: Sendable {
    let uid: String
    let email: String?
}

final class Store: @unchecked Sendable {
    static let shared = Store()
    var email: String?
    var token: String?
}

let settings: ActionCodeSettings = {
    let settings = ActionCodeSettings()
    settings.url = URL(string: "https://www.example.com/finish?cart=1")
    settings.handleCodeInApp = true
    return settings
}()
