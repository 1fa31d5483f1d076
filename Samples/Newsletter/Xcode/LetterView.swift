// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI)
    import HomingAuth
    import HomingAuthUI
    import SwiftUI

    /// The second situation: a letter is for readers who are signed in. Whoever forgot the password comes back to the
    /// same part of the same letter.
    struct LetterView: View {
        @EnvironmentObject private var reader: Reader
        @State private var name = "keeper"
        /// How far somebody has read.
        @State private var part = 1
        /// Where a link leads in the letter, until it is there.
        @State private var target: Int?
        @State private var letter: Site.Letter?
        @State private var isSigningIn = false

        var body: some View {
            ScrollViewReader { scroll in
                List {
                    if let letter {
                        Text(letter.title).font(.title)
                        if let teaser = letter.teaser { Text(teaser) }
                        ForEach(Array((letter.letters ?? []).enumerated()), id: \.offset) { index, section in
                            VStack(alignment: .leading, spacing: 8) {
                                Text(section.heading).font(.headline)
                                Text(section.text.joined(separator: "\n\n"))
                            }
                            .id(index + 1)
                            .onAppear { part = index + 1 }
                        }
                    }
                    if reader.user == nil { Button("Sign in to read on") { isSigningIn = true } }
                }
                .sheet(isPresented: $isSigningIn) {
                    HomingSignInView(options: reader.options(backTo: place.url(on: reader.site.url))) { _ in
                        isSigningIn = false
                    }
                }
                .task(id: [name, reader.user?.uid]) {
                    await load()
                    goOn(scroll)
                }
                .onAppear(perform: comeBack)
                .onChange(of: reader.arrival) { _ in
                    comeBack()
                    goOn(scroll)
                }
            }
        }

        private var place: Place { .letter(name: name, part: target ?? part) }

        private func comeBack() {
            if case .letter(let name, let part) = reader.arrival?.place { (self.name, target) = (name, part) }
        }

        /// To the part where somebody was, once the whole letter is here.
        private func goOn(_ scroll: ScrollViewProxy) {
            guard let part = target, letter?.letters != nil else { return }
            scroll.scrollTo(part, anchor: .top)
            target = nil
        }

        private func load() async {
            await reader.attempt {
                let token = try await reader.user?.getIDToken()
                letter = try await reader.site.letter(name, idToken: token)
                // The site did not know the reader: Homing says what became of them.
                if letter?.letters == nil { try await reader.user?.reload() }
            }
        }
    }
#endif
