// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    internal import Foundation
    internal import HomingAuth
    internal import HomingWire
    internal import SwiftUI

    /// A mail is on its way: the number for other devices, the field for its code, and ways to the mail.
    struct CheckMailScreen: View {
        @ObservedObject var observed: ObservedFlow
        let mail: AuthFlow.Mail
        @Environment(\.homingFonts) private var fonts

        var body: some View {
            let (flow, words) = (observed.flow, observed.words)
            Heading(title: words(.checkMail), sentence: words(.checkMailSentence))
            Text(mail.email)
            if let number = mail.number {
                numberView(number)
                codeView
                Text(words(.fraud)).font(fonts.note).foregroundColor(.secondary)
            }
            MailPrograms(words: words)
            ways
                .task(id: mail) { await flow.wait() }
        }

        private func numberView(_ number: String) -> some View {
            VStack(alignment: .leading, spacing: 4) {
                Text(observed.words(.numberLabel))
                Text(number).font(fonts.number)
                    // Digit by digit: the page on the other device asks for two digits.
                    .accessibilityLabel(number.map(String.init).joined(separator: " "))
                Text(observed.words(.numberHint)).font(fonts.note).foregroundColor(.secondary)
            }
            .accessibilityElement(children: .combine)
        }

        private var codeView: some View {
            VStack(alignment: .leading, spacing: 8) {
                Text(observed.words(.codeLabel))
                TextField("1234 5678", text: $observed.fields.code)
                    .codeKeyboard()
                    .textFieldStyle(.roundedBorder)
                    .accessibilityLabel(observed.words(.codeLabel))
                    .onSubmit { Task { await observed.flow.typeCode() } }
                MainButton(title: observed.words(.useCode), observed: observed) { await observed.flow.typeCode() }
            }
        }

        private var ways: some View {
            VStack(alignment: .leading, spacing: 12) {
                OtherButton(title: observed.words(.resend), observed: observed) { await observed.flow.resend() }
                if mail.operation == .verifyEmail {
                    if mail.number == nil {
                        OtherButton(title: observed.words(.lookAgain), observed: observed) {
                            await observed.flow.lookAgain()
                        }
                    }
                    if observed.flow.isThrough {
                        OtherButton(title: observed.words(.continue), observed: observed) {
                            observed.flow.skipVerification()
                        }
                    }
                    OtherButton(title: observed.words(.signOut), observed: observed) { await observed.flow.signOut() }
                } else {
                    OtherButton(title: observed.words(.changeAddress), observed: observed) {
                        observed.flow.changeAddress()
                    }
                }
            }
        }
    }

    /// Opens a program in which mails are read; in the browser where its app is not.
    private struct MailPrograms: View {
        let words: Words
        @Environment(\.openURL) private var openURL

        var body: some View {
            Menu(words(.openMail)) {
                Button("Mail") { open("message://", otherwise: nil) }
                ForEach(MailProgram.all, id: \.name) { program in
                    Button(program.name) { open(program.app ?? program.page, otherwise: program.page) }
                }
            }
        }

        private func open(_ text: String, otherwise page: String?) {
            guard let url = URL(string: text) else { return }
            openURL(url) { isOpen in
                guard !isOpen, let page, let url = URL(string: page) else { return }
                openURL(url)
            }
        }
    }
#endif
