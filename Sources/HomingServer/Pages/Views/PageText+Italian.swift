// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

extension PageText {
    /// Italian.
    static let italian = PageText(
        shared: .italian,
        reset: .italian,
        resetRequest: .italian,
        confirm: .italian,
        signIn: .italian,
        done: .italian,
        dead: .italian,
        problem: .italian,
        link: .italian,
        root: PageText.Message(
            "Questo è un server Homing",
            "Apre i link che le app inviano per email o condividono. In questa pagina non c’è nulla da fare.")
    )
}

extension PageText.Shared {
    fileprivate static let italian = Self(
        continueButton: "Continua",
        leadsTo: "Ti porta su %HOST%",
        closePage: "Puoi chiudere questa pagina e tornare a %APP_NAME%.",
        unasked: "Non l’hai chiesto tu? Chiudi questa pagina e non cambierà nulla.",
        theApp: "questa app",
        languages: "Lingua",
        busy: "Un attimo…",
        error: "Errore: %TITLE%"
    )
}

extension PageText.Reset {
    fileprivate static let italian = Self(
        title: "Scegli una nuova password",
        sentence: "Per il tuo account su %APP_NAME% (%EMAIL%).",
        label: "Nuova password",
        show: "Mostra password",
        rules: "La password deve avere:",
        minimumLength: "almeno %COUNT% caratteri",
        maximumLength: "al massimo %COUNT% caratteri",
        lowercase: "una lettera minuscola",
        uppercase: "una lettera maiuscola",
        digit: "un numero",
        symbol: "un simbolo, per esempio ! o ?",
        hardToGuess:
            "qualcosa di difficile da indovinare: non una password comune, il tuo indirizzo o il nome dell’app",
        satisfied: "fatto",
        missing: "manca",
        submit: "Salva password",
        rulesProblem: "Questa password non rispetta ancora tutte le regole.",
        tooShortProblem: "Questa password è troppo corta. Scegline una più lunga.",
        tooLongProblem: "Questa password è troppo lunga. Scegline una più corta.",
        commonProblem: "Questa password è una delle più comuni, le prime che si provano. Scegline un’altra.",
        addressProblem: "Questa password è il tuo indirizzo email ed è facile da indovinare. Scegline un’altra.",
        appNameProblem: "Questa password è il nome dell’app ed è facile da indovinare. Scegline un’altra.",
        strength: PageText.Strength(
            weak: "Sicurezza: bassa. Una password più lunga è più difficile da indovinare.",
            fair: "Sicurezza: media. Qualche carattere in più la migliora.",
            strong: "Sicurezza: alta.")
    )
}

extension PageText.ResetRequest {
    fileprivate static let italian = Self(
        title: "Reimposta la tua password",
        sentence:
            "Scrivi l’indirizzo email del tuo account su %APP_NAME%. Ti invieremo un link per scegliere una nuova "
            + "password.",
        label: "Indirizzo email",
        submit: "Invia il link",
        problem: "Questo non sembra un indirizzo email. Controllalo e riprova."
    )
}

extension PageText.Confirm {
    fileprivate static let italian = Self(
        verify: PageText.Message(
            "Conferma il tuo indirizzo email",
            "Conferma che %EMAIL% è il tuo indirizzo, così potrai usarlo con %APP_NAME%."),
        verifyButton: "Conferma indirizzo",
        change: PageText.Message(
            "Cambia il tuo indirizzo email",
            "Conferma il nuovo indirizzo del tuo account su %APP_NAME%. Da quel momento, usalo per accedere."),
        changeButton: "Usa il nuovo indirizzo",
        recover: PageText.Message(
            "Ripristina il tuo indirizzo email",
            "L’indirizzo email del tuo account su %APP_NAME% è stato cambiato. Puoi tornare a usare %EMAIL%."),
        recoverButton: "Ripristina indirizzo",
        recoverUnwanted: "L’hai cambiato tu? Chiudi questa pagina e tutto resta com’è.",
        currentAddress: "Indirizzo attuale",
        newAddress: "Nuovo indirizzo"
    )
}

extension PageText.SignIn {
    fileprivate static let italian = Self(
        page: PageText.Message(
            "Accedi a %APP_NAME%",
            "Ancora un passo: continua per completare l’accesso."),
        button: "Accedi",
        openInApp: "Per completare l’accesso, apri il link della tua email sul dispositivo su cui usi %APP_NAME%.",
        unasked: "Non hai chiesto tu questo link? Chiudi questa pagina. Nessuno accede finché non continui."
    )
}

extension PageText.Done {
    fileprivate static let italian = Self(
        passwordReset: PageText.Message(
            "La tua password è stata cambiata",
            "D’ora in poi accedi con la tua nuova password."),
        emailVerified: PageText.Message(
            "Il tuo indirizzo email è stato confermato",
            "Grazie. %EMAIL% è confermato per il tuo account su %APP_NAME%."),
        emailChanged: PageText.Message(
            "Il tuo indirizzo email è stato cambiato",
            "D’ora in poi accedi a %APP_NAME% con %EMAIL%."),
        emailRecovered: PageText.Message(
            "Il tuo indirizzo email è stato ripristinato",
            "%EMAIL% è di nuovo l’indirizzo del tuo account su %APP_NAME%."),
        resetOffer:
            "Se non hai cambiato tu l’indirizzo, qualcuno potrebbe conoscere la tua password. Per sicurezza, "
            + "scegli anche una nuova password.",
        resetButton: "Inviami un link via email",
        resetMailSent: PageText.Message(
            "Controlla la posta",
            "Ti abbiamo inviato un link per scegliere una nuova password. Può volerci qualche minuto; guarda "
                + "anche nello spam."),
        resetRequested: PageText.Message(
            "Controlla la posta",
            "Se %EMAIL% appartiene a un account su %APP_NAME%, un link per scegliere una nuova password è in "
                + "arrivo. Può volerci qualche minuto; guarda anche nello spam."),
        newLinkSent: PageText.Message(
            "Controlla la posta",
            "Se il tuo account ne ha ancora bisogno, un nuovo link è in arrivo. Può volerci qualche minuto; "
                + "guarda anche nello spam."),
        alreadySent: PageText.Message(
            "Un link è già in arrivo",
            "Non serve chiederlo di nuovo: se il tuo account ne ha ancora bisogno, è stato inviato poco fa. "
                + "Può volerci qualche minuto; guarda anche nello spam.")
    )
}

extension PageText.Dead {
    fileprivate static let italian = Self(
        expired: PageText.Message(
            "Questo link è scaduto",
            "Per la tua sicurezza, i link funzionano solo per un tempo limitato."),
        used: PageText.Message(
            "Questo link è già stato usato",
            "Ogni link funziona una sola volta."),
        replaced: PageText.Message(
            "C’è un link più recente",
            "Ti abbiamo inviato un altro link dopo questo. Funziona solo l’ultimo: apri l’email più recente "
                + "che hai ricevuto."),
        malformed: PageText.Message(
            "Questo link è incompleto",
            "Forse una parte è andata persa. Apri di nuovo l’email e tocca il pulsante, oppure copia il link intero."),
        accountDisabled: PageText.Message(
            "Questo account è disattivato",
            "Lo hanno disattivato i gestori dell’app. Se pensi che sia un errore, contatta l’assistenza."),
        accountGone: PageText.Message(
            "Questo account non esiste più",
            "Forse è stato eliminato, oppure il suo indirizzo email è cambiato. Torna all’app per accedere o "
                + "creare un nuovo account."),
        addressTaken: PageText.Message(
            "Questo indirizzo è già in uso",
            "Un altro account ha questo indirizzo email. Accedi con quell’account o scegli un indirizzo "
                + "diverso nell’app."),
        secondFactorNotOffered: PageText.Message(
            "Non si può annullare qui",
            "Con questo link non è possibile rimuovere la verifica in due passaggi. Se non l’hai aggiunta tu, "
                + "cambia la password e contatta l’assistenza dell’app."),
        pageExpired: PageText.Message(
            "Questa pagina è rimasta aperta troppo a lungo",
            "Non è cambiato nulla. Apri di nuovo il link della tua email e riprova."),
        next: PageText.Next(
            reset: "Per riceverne uno nuovo, torna all’app e chiedi di nuovo di reimpostare la password.",
            verify: "Per riceverne uno nuovo, torna all’app e chiedi di nuovo di confermare il tuo indirizzo.",
            signIn: "Per riceverne uno nuovo, torna all’app e chiedi un altro link di accesso.",
            change: "Per riceverne uno nuovo, torna all’app e avvia di nuovo il cambio di indirizzo.",
            recover: "Se non riesci ad accedere al tuo account, contatta l’assistenza dell’app.",
            any: "Per riceverne uno nuovo, torna all’app e ricomincia."),
        nextAfterUse: PageText.Next(
            reset: "Se hai già scelto una nuova password, accedi con quella. Altrimenti chiedi un nuovo link nell’app.",
            verify: "Se hai già confermato il tuo indirizzo, non devi fare altro. Torna all’app.",
            signIn: "Se non hai effettuato l’accesso, chiedi un nuovo link di accesso nell’app.",
            change: "Se hai già confermato il tuo nuovo indirizzo, usalo per accedere.",
            recover:
                "Se hai già ripristinato il tuo indirizzo, usalo per accedere. Se non riesci, contatta "
                + "l’assistenza dell’app.",
            any: "Se ha funzionato la prima volta, non devi fare altro. Torna all’app."),
        renewOffer: "Possiamo inviarne uno nuovo allo stesso indirizzo.",
        renewButton: "Invia un nuovo link"
    )
}

extension PageText.Problem {
    fileprivate static let italian = Self(
        tooManyAttempts: PageText.Message(
            "Troppi tentativi",
            "Aspetta un po’ e riprova."),
        unknownApp: PageText.Message(
            "Non conosciamo questa app",
            "Il link riguarda un’app che qui non è configurata. Apri di nuovo il link della tua email o "
                + "contatta l’assistenza dell’app."),
        badRequest: PageText.Message(
            "Manca qualcosa",
            "Questo indirizzo è incompleto. Apri di nuovo il link della tua email."),
        notFound: PageText.Message(
            "Qui non c’è nulla",
            "Questa pagina non esiste. Apri di nuovo il link della tua email o torna all’app."),
        serverFault: PageText.Message(
            "Qualcosa è andato storto",
            "Non è colpa tua e non è cambiato nulla. Riprova tra qualche minuto.")
    )
}

extension PageText.Link {
    fileprivate static let italian = Self(
        open: .italian,
        report: .italian,
        platform: .italian,
        outcome: .italian,
        invalid: PageText.LinkFault(
            documentTitle: "Dynamic Link non valido",
            message: PageText.Message(
                "Questo link non funziona",
                "È incompleto o porta in un posto non consentito. Chiedine uno nuovo a chi te l’ha mandato.")),
        notFound: PageText.LinkFault(
            documentTitle: "Dynamic Link non trovato",
            message: PageText.Message(
                "Questo link non esiste",
                "Forse è scritto male o è stato ritirato. Controlla l’indirizzo o chiedi a chi te l’ha mandato.")),
        forDeveloper: "Per chi sviluppa"
    )
}

extension PageText.Open {
    fileprivate static let italian = Self(
        title: "Apri nell’app %APP_NAME%",
        sentence: "Un tocco ti porta nel punto giusto dell’app %APP_NAME%.",
        button: "Apri l’app %APP_NAME%",
        appStoreButton: "Scarica l’app %APP_NAME% dall’App Store",
        browserButton: "Continua nel browser",
        computerButton: "Continua su questo computer",
        appOnly: "Questo link funziona solo nell’app %APP_NAME%. Aprilo su un dispositivo su cui è installata."
    )
}

extension PageText.Report {
    fileprivate static let italian = Self(
        title: "Che cosa fa questo link",
        sentence: "Su ogni dispositivo, con la configurazione attuale. Guardare questa pagina non conta come clic.",
        platformColumn: "Dove",
        outcomeColumn: "Che cosa succede",
        warnings: "Avvisi",
        noWarnings: "Nessun avviso."
    )
}

extension PageText.Platform {
    fileprivate static let italian = Self(
        iPhoneInstalled: "iPhone con l’app",
        iPhoneAbsent: "iPhone senza l’app",
        oldIPhone: "iPhone con iOS precedente alla versione 9",
        iPadInstalled: "iPad con l’app",
        iPadAbsent: "iPad senza l’app",
        androidInstalled: "Android con l’app",
        androidAbsent: "Android senza l’app",
        androidWebView: "Android, dentro un’altra app (web view)",
        desktop: "Computer fisso o portatile",
        crawler: "App di messaggistica che chiede un’anteprima"
    )
}

extension PageText.Outcome {
    fileprivate static let italian = Self(
        opensApp: "Apre l’app",
        openPage: "Mostra una pagina con un pulsante che apre l’app",
        appStore: "Apre l’App Store",
        playStore: "Apre il Play Store",
        webFallback: "Apre la pagina web per chi non ha l’app",
        link: "Apre il link stesso, come pagina web",
        appOnly: "Mostra una pagina che dice che il link funziona solo nell’app",
        preview: "Riceve titolo, testo e immagine dell’anteprima",
        customScheme: "Apre l’app con il suo schema URL"
    )
}
