// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    internal import HomingAuth
    internal import SwiftUI

    /// Address and password.
    struct SignInScreen: View {
        let observed: ObservedFlow

        var body: some View {
            let (flow, words) = (observed.flow, observed.words)
            Heading(title: words(.signInTitle))
            AddressField(observed: observed) { await flow.signIn() }
            PasswordField(observed: observed, isNew: false) { await flow.signIn() }
            MainButton(title: words(.signIn), observed: observed) { await flow.signIn() }
            OtherButton(title: words(.forgotten), observed: observed) { flow.go(to: .forgotten) }
            if flow.options.canSignInByEmail {
                OtherButton(title: words(.signInByEmail), observed: observed) { flow.go(to: .signInByEmail) }
            }
            if flow.options.offersAccounts {
                OtherButton(title: words(.newHere), observed: observed) { flow.go(to: .signUp) }
            }
        }
    }

    /// Address and password of a new account.
    struct SignUpScreen: View {
        let observed: ObservedFlow

        var body: some View {
            let (flow, words) = (observed.flow, observed.words)
            Heading(title: words(.createTitle), sentence: words(.createSentence))
            AddressField(observed: observed) { await flow.signUp() }
            PasswordField(observed: observed, isNew: true) { await flow.signUp() }
            MainButton(title: words(.create), observed: observed) { await flow.signUp() }
            OtherButton(title: words(.knownHere), observed: observed) { flow.go(to: .signIn) }
        }
    }

    /// An address alone: for a mail, or for a link that came.
    struct AddressScreen: View {
        let observed: ObservedFlow

        var body: some View {
            Heading(title: words(texts.title), sentence: texts.sentence.map { words($0) })
            AddressField(observed: observed) { await act() }
            MainButton(title: words(texts.button), observed: observed) { await act() }
            if observed.flow.options.offersPasswords {
                OtherButton(title: words(.knownHere), observed: observed) { observed.flow.go(to: .signIn) }
            }
        }

        private var words: Words { observed.words }

        private var texts: (title: Sentence, sentence: Sentence?, button: Sentence) {
            switch observed.state.screen {
            case .forgotten: (.resetTitle, .resetSentence, .sendLink)
            case .whichAddress: (.signInTitle, .whichAddress, .signIn)
            default: (.signInTitle, .signInByEmailSentence, .sendEmail)
            }
        }

        private func act() async {
            switch observed.state.screen {
            case .forgotten: await observed.flow.sendPasswordReset()
            case .whichAddress: await observed.flow.signInWithAddress()
            default: await observed.flow.sendSignInLink()
            }
        }
    }

    /// A new password, by a link or a code.
    struct NewPasswordScreen: View {
        let observed: ObservedFlow
        let email: String

        var body: some View {
            let (flow, words) = (observed.flow, observed.words)
            Heading(title: words(.newPasswordTitle), sentence: words(.newPasswordSentence, email: email))
            PasswordField(observed: observed, isNew: true) { await flow.setPassword() }
            MainButton(title: words(.savePassword), observed: observed) { await flow.setPassword() }
        }
    }

    /// Somebody is signed in, and the address is not verified.
    struct VerifyScreen: View {
        let observed: ObservedFlow

        var body: some View {
            let (flow, words) = (observed.flow, observed.words)
            Heading(
                title: words(.verifyTitle), sentence: words(.verifySentence, email: flow.auth.currentUser?.email ?? ""))
            MainButton(title: words(.sendEmail), observed: observed) { await flow.sendVerification() }
            if flow.isThrough {
                OtherButton(title: words(.continue), observed: observed) { flow.skipVerification() }
            }
            OtherButton(title: words(.signOut), observed: observed) { await flow.signOut() }
        }
    }
#endif
