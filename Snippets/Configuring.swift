// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import HomingAuth

func configureAtLaunch() {
    // snippet.one
    HomingApp.configure(endpoint: URL(string: "https://auth.example.com")!, apiKey: "hk_…")
    // snippet.end
}

func configureTwo() {
    // snippet.several
    HomingApp.configure(name: "staff", endpoint: URL(string: "https://auth.example.com")!, apiKey: "hk_…")
    let staff = Auth.auth(app: HomingApp.app(name: "staff")!)
    // snippet.end
    _ = staff
}
