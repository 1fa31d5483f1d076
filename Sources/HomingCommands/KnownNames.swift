// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingStore
import HomingWire

/// The names that a shell proposes: of the projects, with their apps and domains.
package struct KnownNames: Sendable {
    package struct OfProject: Sendable {
        package let id: String
        package let apps: [String]
        package let domains: [String]
        package let linkDomains: [String]
    }

    package let projects: [OfProject]

    /// Those of the request for a completion that runs; the parser's closures take nothing with them.
    @TaskLocal static var current = KnownNames(projects: [])

    init(projects: [OfProject]) { self.projects = projects }

    /// - Parameter list: what `homing project list --json` prints.
    package init(of list: some Collection<UInt8>) throws {
        func texts(_ value: JSON?, _ text: (JSON) -> String?) -> [String] {
            (value?.arrayValue ?? []).compactMap(text).filter(Self.isPlain)
        }
        projects = (try JSON.parse(list).arrayValue ?? []).compactMap { entry in
            guard let project = entry.objectValue, let id = project["id"]?.stringValue, Self.isPlain(id) else {
                return nil
            }
            return OfProject(
                id: id, apps: texts(project["apps"]) { $0.objectValue?["id"]?.stringValue },
                domains: texts(project["authorizedDomains"], \.stringValue),
                linkDomains: texts(project["linkDomains"], \.stringValue))
        }
    }

    /// Whether a shell takes a name as it is: bash expands what is proposed to it, and would run what stands in `$()`.
    private static func isPlain(_ name: String) -> Bool { Printable.shellWord(name).utf8.elementsEqual(name.utf8) }

    /// What the project that stands among the words has; of all projects where none does.
    fileprivate func names(of part: KeyPath<OfProject, [String]>, among words: [String]) -> [String] {
        let named = projects.filter { project in words.contains { $0.utf8.elementsEqual(project.id.utf8) } }
        return (named.isEmpty ? projects : named).flatMap { $0[keyPath: part] }
    }
}

extension CompletionKind {
    static let projects = custom { _, _, _ in KnownNames.current.projects.map(\.id) }
    static let apps = ofProject(\.apps)
    static let domains = ofProject(\.domains)
    static let linkDomains = ofProject(\.linkDomains)

    private static func ofProject(
        _ part: any KeyPath<KnownNames.OfProject, [String]> & Sendable
    ) -> CompletionKind {
        custom { words, _, _ in KnownNames.current.names(of: part, among: words) }
    }
}
