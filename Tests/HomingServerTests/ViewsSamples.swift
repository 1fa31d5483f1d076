// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingPages
import HomingPasswords
import HomingProjects
import HomingTesting
import HomingTexts
import HomingWire
import Testing

/// Every page in every state, with the given text as each value.
struct ViewsSamples {
    struct Sample: CustomTestStringConvertible {
        let name: String
        let view: any PageView
        /// The number of forms on the page, which is also that of its submit buttons.
        let forms: Int

        var testDescription: String { name }
    }

    /// Serves as an address, a hidden field and the end of a URL.
    let value: String

    init(value: String = "ada@example.com") {
        self.value = value
    }

    static let everyRule: [PasswordRule] = [
        .minimumLength(8), .maximumLength(30), .lowercase, .uppercase, .digit, .symbol, .hardToGuess,
    ]

    static let names = ViewsSamples().all.map(\.name)

    /// Every page in English and in two languages more, by turns one of each script.
    static let inLanguages: [(name: String, language: Language)] = names.enumerated().flatMap { number, name in
        let others = Language.ofEachScript.filter { $0 != .english }
        let turns = [number, number + others.count / 2].map { others[$0 % others.count] }
        return ([.english] + turns).map { (name, $0) }
    }

    func sample(_ name: String) -> Sample? { all.first { $0.name == name } }

    func frame(_ language: Language) -> PageFrame {
        PageFrame(
            appName: value, language: language,
            choice: LanguageChoice(
                path: "/__/auth/action", parameters: [("oobCode", value)], offered: Language.allCases, likely: [],
                current: language))
    }

    private var form: PageForm {
        PageForm(action: "/__/auth/action?\(value)", fields: [.init("oobCode", value), .init(value, "b")])
    }

    private var href: String { "https://www.example.com:8443/a?state=\(value)" }

    var all: [Sample] { actions + numbers + waiting + ends + deadLinks + problems + links }

    private var actions: [Sample] {
        let rules = Self.everyRule
        return [
            Sample(name: "reset", view: ResetPasswordView(address: value, form: form, rules: rules), forms: 1),
            Sample(
                name: "reset, rules broken",
                view: ResetPasswordView(address: value, form: form, rules: rules, problem: .rules([.digit, .symbol])),
                forms: 1),
            Sample(
                name: "reset, too short",
                view: ResetPasswordView(address: value, form: form, rules: rules, problem: .weak(.short)), forms: 1),
            Sample(
                name: "reset, common",
                view: ResetPasswordView(address: value, form: form, rules: rules, problem: .weak(.common)), forms: 1),
            Sample(
                name: "reset, an address",
                view: ResetPasswordView(address: value, form: form, rules: rules, problem: .weak(.address)), forms: 1),
            Sample(
                name: "reset, a name",
                view: ResetPasswordView(address: value, form: form, rules: rules, problem: .weak(.appName)), forms: 1),
            Sample(
                name: "reset, too long",
                view: ResetPasswordView(address: value, form: form, rules: rules, problem: .tooLong), forms: 1),
            Sample(name: "reset request", view: ResetRequestView(form: form), forms: 1),
            Sample(name: "reset request, no address", view: ResetRequestView(form: form, refused: value), forms: 1),
            Sample(name: "verify", view: ConfirmView(kind: .verifyEmail(address: value), form: form), forms: 1),
            Sample(
                name: "change",
                view: ConfirmView(kind: .verifyAndChangeEmail(current: value, newAddress: value), form: form), forms: 1),
            Sample(name: "recover", view: ConfirmView(kind: .recoverEmail(address: value), form: form), forms: 1),
            Sample(name: "sign in", view: SignInView(continueHref: href), forms: 0),
            Sample(name: "sign in, nowhere to go", view: SignInView(continueHref: nil), forms: 0),
        ]
    }

    private var numbers: [Sample] {
        let device = Device(browser: .chrome, system: .windows)
        let elsewhere = NumberField.Place.askingDevice(
            AskedFacts(AskedFrom(device: device, network: value), secondsAgo: 190))
        let asked = NumberField(place: elsewhere)
        let wrong = NumberField(place: elsewhere, given: value, problem: .wrong(triesLeft: 1))
        let ofMail = NumberField(place: .mail, given: value)
        let rules = Self.everyRule
        return [
            Sample(
                name: "number to reset",
                view: ResetPasswordView(address: value, form: form, rules: rules, number: asked, declineForm: form),
                forms: 2),
            Sample(
                name: "number to reset, refused",
                view: ResetPasswordView(address: value, form: form, rules: rules, number: wrong, declineForm: form),
                forms: 2),
            Sample(
                name: "number to reset, password refused",
                view: ResetPasswordView(
                    address: value, form: form, rules: rules, problem: .weak(.short), number: ofMail), forms: 1),
            Sample(
                name: "number to verify",
                view: ConfirmView(
                    kind: .verifyEmail(address: value), form: form,
                    number: NumberField(place: .askingDevice(AskedFacts(nil, secondsAgo: 1))),
                    declineForm: form), forms: 2),
            Sample(
                name: "number to change, refused",
                view: ConfirmView(
                    kind: .verifyAndChangeEmail(current: value, newAddress: value), form: form,
                    number: NumberField(place: elsewhere, problem: .missing), declineForm: form), forms: 2),
            Sample(
                name: "number to sign in",
                view: SignInView(
                    continueHref: href, question: .init(number: asked, form: form, declineForm: form)), forms: 2),
            Sample(
                name: "number to sign in, refused",
                view: SignInView(
                    continueHref: nil, question: .init(number: wrong, form: form, declineForm: form)), forms: 2),
            Sample(
                name: "number in the mail to sign in",
                view: SignInView(continueHref: href, question: .init(number: ofMail, form: form)), forms: 1),
        ]
    }

    private var waiting: [Sample] {
        let device = Device(browser: nil, system: .android)
        let facts = AskedFacts(AskedFrom(device: device, network: value), secondsAgo: 7300)
        func pending(_ number: String?, _ news: WaitView.News? = nil) -> WaitView {
            WaitView(
                state: .pending(
                    .init(
                        number: number, facts: facts, codeForm: form, resendForm: form,
                        againHref: "/__/auth/wait?\(value)",
                        lookHref: "/__/auth/wait?\(value)&look=1", news: news)), backHref: href)
        }
        return [
            Sample(name: "waiting", view: pending(value), forms: 2),
            Sample(name: "waiting without a number", view: pending(nil, .resent), forms: 2),
            Sample(name: "waiting, no code, refused", view: pending(value, .codeMissing), forms: 2),
            Sample(name: "waiting, wrong code, refused", view: pending(value, .codeWrong(triesLeft: 4)), forms: 2),
            Sample(name: "waiting, dead code, refused", view: pending(value, .codeWrong(triesLeft: 0)), forms: 2),
            Sample(name: "waiting, too soon, refused", view: pending(value, .resendLater(seconds: 240)), forms: 2),
            Sample(name: "waiting elsewhere", view: WaitView(state: .elsewhere(facts)), forms: 0),
            Sample(name: "finished, go on", view: WaitView(state: .finished, backHref: href), forms: 0),
            Sample(name: "finished", view: WaitView(state: .finished), forms: 0),
            Sample(name: "request declined", view: WaitView(state: .declined, backHref: href), forms: 0),
            Sample(name: "request expired", view: WaitView(state: .expired), forms: 0),
        ]
    }

    private var ends: [Sample] {
        [
            Sample(name: "password reset", view: DoneView(kind: .passwordReset, continueHref: href), forms: 0),
            Sample(name: "password reset, stay", view: DoneView(kind: .passwordReset), forms: 0),
            Sample(
                name: "verified", view: DoneView(kind: .emailVerified(address: value), continueHref: href), forms: 0),
            Sample(name: "changed", view: DoneView(kind: .emailChanged(address: value), continueHref: href), forms: 0),
            Sample(name: "recovered", view: DoneView(kind: .emailRecovered(address: value, resetForm: form)), forms: 1),
            Sample(
                name: "recovered, go on",
                view: DoneView(kind: .emailRecovered(address: value, resetForm: form), continueHref: href), forms: 1),
            Sample(
                name: "recovered, no reset", view: DoneView(kind: .emailRecovered(address: value, resetForm: nil)),
                forms: 0),
            Sample(name: "reset mail sent", view: DoneView(kind: .resetMailSent), forms: 0),
            Sample(name: "reset requested", view: DoneView(kind: .resetRequested(address: value)), forms: 0),
            Sample(name: "new link sent", view: DoneView(kind: .newLinkSent), forms: 0),
            Sample(name: "new link sent, go on", view: DoneView(kind: .newLinkSent, continueHref: href), forms: 0),
            Sample(name: "already sent", view: DoneView(kind: .alreadySent), forms: 0),
            Sample(name: "approved", view: DoneView(kind: .approved(declineForm: form)), forms: 1),
            Sample(
                name: "declined by its person",
                view: DoneView(kind: .declined(ofChange: false, resetHref: "/__/auth/reset?\(value)")), forms: 0),
            Sample(
                name: "change declined by its person",
                view: DoneView(kind: .declined(ofChange: true, resetHref: nil)), forms: 0),
            Sample(name: "already sent, go on", view: DoneView(kind: .alreadySent, continueHref: href), forms: 0),
        ]
    }

    private var deadLinks: [Sample] {
        let modes: [ActionMode?] = ActionMode.allCases + [nil]
        return DeadLinkView.Reason.allCases.flatMap { reason in
            modes.map { mode in
                Sample(
                    name: "\(reason) \(mode?.rawValue ?? "unknown")", view: DeadLinkView(reason: reason, kind: mode),
                    forms: 0)
            } + [
                Sample(
                    name: "\(reason), renewable",
                    view: DeadLinkView(reason: reason, kind: .verifyEmail, renewForm: form), forms: 1)
            ]
        } + [
            Sample(
                name: "used, go on", view: DeadLinkView(reason: .used, kind: .verifyEmail, continueHref: href), forms: 0
            ),
            Sample(
                name: "used, go on or ask again",
                view: DeadLinkView(reason: .used, kind: .signIn, renewForm: form, continueHref: href), forms: 1),
            Sample(
                name: "approved, not collected",
                view: DeadLinkView(reason: .approved, kind: .signIn, declineForm: form), forms: 1),
            Sample(
                name: "pageExpired, again",
                view: DeadLinkView(reason: .pageExpired, kind: .verifyEmail, againHref: "/__/auth/action?\(value)"),
                forms: 0),
        ]
    }

    private var problems: [Sample] {
        ProblemView.Reason.allCases.map { Sample(name: "\($0)", view: ProblemView(reason: $0), forms: 0) }
            + [Sample(name: "root", view: RootView(), forms: 0)]
    }

    private var links: [Sample] {
        let opening = OpenAppView(
            openHref: href, linkTitle: value, linkDescription: value, otherwise: .appStore(href: href))
        return [
            Sample(name: "open app", view: opening, forms: 0),
            Sample(
                name: "open app or browse", view: OpenAppView(openHref: href, otherwise: .browser(href: href)), forms: 0
            ),
            Sample(name: "open app only", view: OpenAppView(openHref: "com.example.app://google/link/?a"), forms: 0),
            Sample(
                name: "no way into the app", view: OpenAppView(openHref: nil, otherwise: .browser(href: href)), forms: 0
            ),
            Sample(name: "only in the app", view: OpenAppView(openHref: nil), forms: 0),
            Sample(name: "in another app on an iPhone", view: inAnotherApp(.appleAppWindow, nil), forms: 0),
            Sample(
                name: "in another app, with a scheme",
                view: inAnotherApp(.appleAppWindow, "com.example.app://google/link/?a"), forms: 0),
            Sample(
                name: "in another app on Android",
                view: inAnotherApp(
                    .androidAppWindow,
                    "intent://a.example/b#Intent;scheme=https;package=c.d;S.browser_fallback_url=https%3A%2F%2Fe;end"),
                forms: 0),
            Sample(name: "only in the app, to be copied", view: OpenAppView(openHref: nil, copyHref: href), forms: 0),
            Sample(name: "Mac or iPad", view: MacOrIPadView(iPad: opening, desktopHref: href + "2"), forms: 0),
            Sample(name: "Mac or iPad, same address", view: MacOrIPadView(iPad: opening, desktopHref: href), forms: 0),
            Sample(name: "link report", view: report(warnings: [.init(code: value, sentence: value)]), forms: 0),
            Sample(name: "link report, no warnings", view: report(warnings: []), forms: 0),
            Sample(name: "invalid link", view: LinkProblemView(reason: .invalid, detail: value), forms: 0),
            Sample(name: "unknown link", view: LinkProblemView(reason: .notFound), forms: 0),
            Sample(name: "link that has ended", view: LinkProblemView(reason: .ended), forms: 0),
            Sample(name: "deleted link", view: LinkProblemView(reason: .deleted), forms: 0),
        ]
    }

    private func inAnotherApp(_ place: OpenPage.Place, _ openHref: String?) -> OpenAppView {
        let otherwise: OpenAppView.Otherwise =
            place == .appleAppWindow ? .appStore(href: href + "2") : .store(href: href + "2")
        var view = OpenAppView(openHref: openHref, linkTitle: value, otherwise: otherwise, copyHref: href)
        view.place = place
        view.banner = AppBanner(
            RegisteredApp(platform: .apple, id: "a.b", appStoreID: value, clipBundleID: openHref == nil ? nil : value))
        return view
    }

    /// Every platform and every outcome at least once.
    private func report(warnings: [LinkReportView.Warning]) -> LinkReportView {
        let outcomes = LinkReportOutcome.allCases
        let rows = LinkReportPlatform.allCases.enumerated().map { index, platform in
            LinkReportView.Row(
                platform, app: platform == .desktop ? nil : value, outcomes[index % outcomes.count],
                url: platform == .crawler ? nil : href,
                next: platform == .iPhoneAbsent ? .appStore : nil)
        }
        return LinkReportView(link: href, rows: rows, warnings: warnings)
    }
}
