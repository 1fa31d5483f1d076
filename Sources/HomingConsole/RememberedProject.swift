// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingProjects
import HomingServer
import HomingStore
import HomingWire
import Hummingbird

/// The project that somebody saw last, in a cookie of the console: pages of the whole server keep it in their
/// navigation. The cookie opens nothing. Another service on this host can write it (``AdminCookie``), so that it only
/// chooses among the projects that the person may see anyway.
struct RememberedProject {
    private let name: String
    private let attributes: String

    init(_ homing: Homing) {
        let isSecure = homing.consoleURL?.utf8.starts(with: "https://".utf8) ?? false
        name = isSecure ? "__Secure-homing_project" : "homing_project"
        attributes = "; Path=/console; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    }

    /// Nil where there is none, or none that the person may see.
    func project(of headers: HTTPFields, for person: Operator, in homing: Homing) -> Project? {
        let pairs = headers[values: .cookie].flatMap { $0.split(separator: ";") }
        let values = pairs.compactMap { pair -> Substring? in
            let pair = pair.drop { $0 == " " }.utf8
            return pair.starts(with: "\(name)=".utf8) ? Substring(pair.dropFirst(name.utf8.count + 1)) : nil
        }
        guard let value = values.first, value.utf8.count <= 400, let scope = percentDecoded(value),
            let project = homing.projects.projectOrTenant(Scope(scope)), person.sees(project.projectID)
        else { return nil }
        return project
    }

    /// The header that remembers a project until the browser is closed.
    func setting(_ project: Project) -> HTTPField {
        HTTPField(name: .setCookie, value: "\(name)=\(percentEncoded(project.scope.text))\(attributes)")
    }
}
