// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingClient
import HomingWire
import Testing

/// Links of the shop of a test's app, in every form in which they may reach the app.
enum LinkSamples {
    static let apiKey = "hk_key_of_the_shop"
    static let code = "ATy5QmXk2vR8wJp0Zs1NcLhB7dGfUoVaEi3xK9tMlPqCrYbWnSgDzH"
    /// A continue URL with all parameters of an action link.
    static let state = "https://www.shop.example/articles/7?cart=12&mode=signIn&oobCode=theirs&apiKey=theirs&lang=xx"
    static let domain = "https://links.shop.example"
    static let scheme = "example.shop.ios"

    static func action(
        _ mode: ActionMode = .signIn, order: ActionLink.Order = .inApp, state: String? = state, apiKey: String = apiKey
    ) -> String {
        ActionLink(
            handler: "https://auth.shop.example/__/auth/action", mode: mode, code: code, apiKey: apiKey,
            continueURL: state, language: "pt-BR"
        ).url(order: order)
    }

    static func hop(_ link: String) -> String { "\(scheme)://google/link/?deep_link_id=\(percentEncoded(link))" }

    static func dynamic(_ link: String, base: String = domain) -> String {
        WrappedLink.dynamicLink(
            link, base: base,
            apps: WrappedLink.Apps(
                androidPackageName: "com.example.android", androidMinimumVersion: "12", iosBundleID: scheme))
    }

    /// A link alone and in all wrappers of link domains and schemes.
    static func forms(of link: String) -> [String] {
        let wrapped = WrappedLink.authLink(link, base: domain)
        return [
            link, link + "#top", wrapped, dynamic(link), "\(domain)?link=\(percentEncoded(link))", hop(link),
            hop(wrapped),
            "\(domain)/?link=\(percentEncoded(hop(link)))", WrappedLink.authLink(wrapped, base: domain),
            // As Firebase's own service wrote links: only characters that would end the parameter are encoded.
            "\(domain)/__/auth/links?link="
                + link.replacingOccurrences(of: "%", with: "%25").replacingOccurrences(of: "=", with: "%3D")
                .replacingOccurrences(of: "&", with: "%26").replacingOccurrences(of: "#", with: "%23"),
        ]
    }

    /// The forms of a link behind mail scanners.
    static func scanned(_ link: String) -> [String] {
        let encoded = percentEncoded(link)
        let safe =
            "https://nam02.safelinks.protection.outlook.com/?url=\(encoded)&data=05%7C02%7C%7C&sdata=x%3D&reserved=0"
        let second = proofpoint2(link)
        return [
            safe, "https://eur05.safelinks.protection.outlook.com/ap/t-59584e83/?url=\(encoded)&data=x",
            "https://urldefense.proofpoint.com/v1/url?u=\(encoded)&k=oIvRg1%2BdGAgOoM1BIlLLqw%3D%3D%0A", second,
            proofpoint3(link), proofpoint3(link, runs: true),
            "https://www.google.com/url?q=\(encoded)&sa=D&ust=1&usg=A",
            "https://www.google.com/url?sa=t&url=\(encoded)",
            "https://linkprotect.cudasvc.com/url?a=\(encoded)&c=E,1,x&typo=1",
            "https://secure-web.cisco.com/1dpW8_x-y/\(encoded)",
            "https://nam02.safelinks.protection.outlook.com/?url=\(percentEncoded(second))&data=x",
        ]
    }

    private static func proofpoint2(_ link: String) -> String {
        let value = link.utf8.map { byte -> String in
            let character = Character(UnicodeScalar(byte))
            if character == "/" { return "_" }
            return character.isLetter || character.isNumber || character == "."
                ? String(character)
                : "-" + String(byte, radix: 16, uppercase: true)
        }
        return "https://urldefense.proofpoint.com/v2/url?u=\(value.joined())&d=DwMFaQ&c=euGZ&r=x&m=y&s=z&e="
    }

    private static func proofpoint3(_ link: String, runs: Bool = false) -> String {
        var text = ""
        var replaced = ""
        // The characters that its rules replace here: percents, and two letters so that there are runs.
        for character in link.replacingOccurrences(of: "%3A%2F%2F", with: "\u{1}") {
            switch character {
            case "\u{1}" where runs:
                text += "**H"
                replaced += "%3A%2F%2F"
            case "\u{1}":
                text += "*3A*2F*2F"
                replaced += "%%%"
            case "%", "*", "+":
                text += "*"
                replaced.append(character)
            default: text.append(character)
            }
        }
        let bytes = Data(replaced.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        return "https://urldefense.com/v3/__\(text)__;\(bytes)!!Ab-1_cd!x_y-z$"
    }

    /// An app of the shop.
    static func auth(
        _ transport: ScriptedTransport = ScriptedTransport(), domains: [String] = [domain, "https://shop.example/app"]
    ) throws -> Auth {
        let app = HomingApp(
            endpoint: try #require(URL(string: "https://auth.shop.example")), apiKey: apiKey, transport: transport,
            sessionStore: MemorySessionStore())
        app.linkDomains = LinkDomains(domains, schemes: [scheme])
        return Auth.auth(app: app)
    }
}
