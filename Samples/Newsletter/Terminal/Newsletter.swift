// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth

@main
struct Newsletter {
    static func main() async {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            if options.wantsHelp { return print(Options.usage) }
            try await start(options).run()
        } catch let mistake as Options.Mistake {
            fail("newsletter: \(mistake.words). Try newsletter --help", status: 64)
        } catch {
            fail("newsletter: \(words(for: error))", status: 1)
        }
    }

    /// Says which Homing keeps the readers, before anything asks who is signed in.
    private static func start(_ options: Options) async throws -> Lighthouse {
        let folder = Folder(options.folder)
        let site = Site(url: URL(string: options.site) ?? URL(fileURLWithPath: "/"))
        let settings = try await settings(of: site, folder)
        HomingApp.configure(
            endpoint: settings.homing, apiKey: settings.apiKey, linkDomains: LinkDomains([settings.linkDomain]),
            sessionStore: FileSessionStore(folder: folder.url.appendingPathComponent("sessions")))
        if let language = options.language {
            Auth.auth().languageCode = language
        } else {
            Auth.auth().useAppLanguage()
        }
        return Lighthouse(auth: Auth.auth(), site: site, settings: settings, folder: folder, terminal: Terminal())
    }

    /// The site knows them; without it those of the last time do.
    private static func settings(of site: Site, _ folder: Folder) async throws -> Site.Settings {
        do {
            let settings = try await site.settings()
            try folder.keep(settings)
            return settings
        } catch Site.Fault.unreachable {
            if let last = folder.settings { return last }
            fail(
                "newsletter: there is no newsletter at \(site.url). Start one with scripts/demo, and give the address "
                    + "that it prints: newsletter --site URL", status: 1)
        }
    }

    private static func fail(_ words: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("\(words)\n".utf8))
        exit(status)
    }
}
