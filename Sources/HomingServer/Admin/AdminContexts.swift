// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire
import Hummingbird

/// The operator's own back end, which the gate of the admin listener has let in.
package struct AdminContext: Sendable {
    let homing: Homing
    /// By what it was let in.
    let backEnd: BackEnd
    let fields: Fields

    init(_ call: AdminCall<BackEnd>, fields: Fields = Fields(), homing: Homing) {
        self.homing = homing
        backEnd = call.caller
        self.fields = fields
    }
}

/// The same for the one project that the path names.
package struct AdminProjectContext: Sendable {
    let homing: Homing
    let project: Project
    let fields: Fields
    /// The language tag of the request, else the project's.
    let language: String

    /// - Throws: ``Refusal/projectNotFound``.
    init(_ request: Request, _ call: AdminCall<BackEnd>, fields: Fields, homing: Homing) throws(Refusal) {
        guard let name = call.parameters.get("project"), let id = percentDecoded(name),
            let project = homing.projects.project(id)
        else { throw .projectNotFound }
        self.homing = homing
        self.project = project
        self.fields = fields
        language = ProjectContext.language(of: request, project: project)
    }
}

/// Whoever reads a page of the admin listener: a person at a browser, or the operator's back end.
package struct AdminPageContext: Sendable {
    let homing: Homing
    /// Nil when a back end reads the page with its key.
    let person: Person?

    init(_ call: AdminCall<some PageReader>, homing: Homing) {
        self.homing = homing
        person = call.caller.person
    }
}

/// Who may read the pages.
protocol PageReader: Sendable {
    var person: Person? { get }
}

extension Person: PageReader {
    var person: Person? { self }
}

extension BackEnd: PageReader {
    var person: Person? { nil }
}
