// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingProjects
import HomingTesting
import HomingTexts
import Testing

/// One complete message, so that a diff shows every change of its texts or of its layout.
@Suite struct LetterSampleTests {
    @Test func `a notice in Italian`() {
        let facts = LetterFacts(
            appName: "Lighthouse", address: "ada@example.com", displayName: "Ada",
            link: "https://auth.example/__/auth/action?mode=x&oobCode=abc&lang=en", language: .italian, lifetime: 3600,
            sentAt: 1_795_228_560, device: Device(browser: .chrome, system: .windows))
        let letter = Letter(.passwordChanged, about: facts)
        #expect(letter.subject == "La tua password per Lighthouse è stata cambiata (02:36:00 UTC)")
        let text = """
            La tua password è stata cambiata

            Ciao Ada,

            La password del tuo account su Lighthouse (ada@example.com) è stata cambiata.

            Data e ora: 21 novembre 2026, 02:36 UTC

            Dispositivo: Chrome su Windows

            Se non hai fatto tu questa modifica, qualcun altro potrebbe avere accesso al tuo account. Reimposta \
            subito la password e contatta l’assistenza di Lighthouse.

            Reimposta la mia password:
            https://auth.example/__/auth/action?mode=x&oobCode=abc&lang=en

            Il link funziona una sola volta e scade tra 1 ora.

            Se hai fatto tu questa modifica, puoi ignorare questa email.

            --\u{20}
            Il team di Lighthouse

            """
        #expect(letter.text == text)
    }
}
