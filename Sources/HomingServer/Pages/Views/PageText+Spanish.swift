// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

extension PageText {
    /// Spanish, for Spain and Latin America alike.
    static let spanish = PageText(
        shared: .spanish,
        reset: .spanish,
        resetRequest: .spanish,
        confirm: .spanish,
        signIn: .spanish,
        done: .spanish,
        dead: .spanish,
        problem: .spanish,
        link: .spanish,
        root: PageText.Message(
            "Este es un servidor Homing",
            "Abre los enlaces que las aplicaciones envían por correo o comparten. En esta página no hay nada que hacer."
        )
    )
}

extension PageText.Shared {
    fileprivate static let spanish = Self(
        continueButton: "Continuar",
        leadsTo: "Te lleva a %HOST%",
        closePage: "Puedes cerrar esta página y volver a %APP_NAME%.",
        unasked: "¿No lo solicitaste? Cierra esta página y no cambiará nada.",
        theApp: "la aplicación",
        languages: "Idioma",
        busy: "Un momento…",
        error: "Hay un error: %TITLE%"
    )
}

extension PageText.Reset {
    fileprivate static let spanish = Self(
        title: "Elige una contraseña nueva",
        sentence: "Para tu cuenta de %APP_NAME% (%EMAIL%).",
        label: "Contraseña nueva",
        show: "Mostrar contraseña",
        rules: "Tu contraseña debe tener:",
        minimumLength: "al menos %COUNT% caracteres",
        maximumLength: "como máximo %COUNT% caracteres",
        lowercase: "una letra minúscula",
        uppercase: "una letra mayúscula",
        digit: "un número",
        symbol: "un símbolo, por ejemplo ! o ?",
        hardToGuess:
            "algo difícil de adivinar: ni una contraseña común, ni tu dirección, ni el nombre de la aplicación",
        satisfied: "cumplido",
        missing: "falta",
        submit: "Guardar contraseña",
        rulesProblem: "Esta contraseña aún no cumple todos los requisitos.",
        tooShortProblem: "Esta contraseña es demasiado corta. Elige una más larga.",
        tooLongProblem: "Esta contraseña es demasiado larga. Elige una más corta.",
        commonProblem: "Esta contraseña es una de las más comunes, las primeras que se prueban. Elige otra.",
        addressProblem: "Esta contraseña es tu correo electrónico y es fácil de adivinar. Elige otra.",
        appNameProblem: "Esta contraseña es el nombre de la aplicación y es fácil de adivinar. Elige otra.",
        strength: PageText.Strength(
            weak: "Seguridad: baja. Una contraseña más larga es más difícil de adivinar.",
            fair: "Seguridad: media. Con unos caracteres más será mejor.",
            strong: "Seguridad: alta.")
    )
}

extension PageText.ResetRequest {
    fileprivate static let spanish = Self(
        title: "Restablece tu contraseña",
        sentence:
            "Escribe el correo electrónico de tu cuenta de %APP_NAME%. Te enviaremos un enlace para elegir una "
            + "contraseña nueva.",
        label: "Correo electrónico",
        submit: "Enviar enlace",
        problem: "Esto no parece un correo electrónico. Revísalo e inténtalo de nuevo."
    )
}

extension PageText.Confirm {
    fileprivate static let spanish = Self(
        verify: PageText.Message(
            "Confirma tu correo electrónico",
            "Confirma que %EMAIL% es tu dirección para poder usarla en %APP_NAME%."),
        verifyButton: "Confirmar dirección",
        change: PageText.Message(
            "Cambia tu correo electrónico",
            "Confirma la nueva dirección de tu cuenta de %APP_NAME%. A partir de ese momento, inicia sesión con ella."),
        changeButton: "Usar la nueva dirección",
        recover: PageText.Message(
            "Restaura tu correo electrónico",
            "Se ha cambiado el correo electrónico de tu cuenta de %APP_NAME%. Puedes volver a usar %EMAIL%."),
        recoverButton: "Restaurar dirección",
        recoverUnwanted: "¿Lo cambiaste tú? Cierra esta página y todo seguirá igual.",
        currentAddress: "Dirección actual",
        newAddress: "Dirección nueva"
    )
}

extension PageText.SignIn {
    fileprivate static let spanish = Self(
        page: PageText.Message(
            "Inicia sesión en %APP_NAME%",
            "Falta un paso: continúa para terminar de iniciar sesión."),
        button: "Iniciar sesión",
        openInApp:
            "Para terminar de iniciar sesión, abre el enlace de tu correo en el dispositivo donde usas "
            + "%APP_NAME%.",
        unasked: "¿No solicitaste este enlace? Cierra esta página. No se inicia ninguna sesión hasta que continúes."
    )
}

extension PageText.Done {
    fileprivate static let spanish = Self(
        passwordReset: PageText.Message(
            "Se ha cambiado tu contraseña",
            "A partir de ahora, inicia sesión con tu contraseña nueva."),
        emailVerified: PageText.Message(
            "Se ha confirmado tu correo electrónico",
            "Gracias. %EMAIL% está confirmado para tu cuenta de %APP_NAME%."),
        emailChanged: PageText.Message(
            "Se ha cambiado tu correo electrónico",
            "A partir de ahora, inicia sesión en %APP_NAME% con %EMAIL%."),
        emailRecovered: PageText.Message(
            "Se ha restaurado tu correo electrónico",
            "%EMAIL% vuelve a ser la dirección de tu cuenta de %APP_NAME%."),
        resetOffer:
            "Si no cambiaste tú la dirección, es posible que alguien conozca tu contraseña. Para mayor seguridad, "
            + "elige también una contraseña nueva.",
        resetButton: "Enviarme un enlace por correo",
        resetMailSent: PageText.Message(
            "Revisa tu correo",
            "Te hemos enviado un enlace para elegir una contraseña nueva. Puede tardar unos minutos; revisa "
                + "también la carpeta de spam."),
        resetRequested: PageText.Message(
            "Revisa tu correo",
            "Si %EMAIL% pertenece a una cuenta de %APP_NAME%, te llegará un enlace para elegir una contraseña "
                + "nueva. Puede tardar unos minutos; revisa también la carpeta de spam."),
        newLinkSent: PageText.Message(
            "Revisa tu correo",
            "Si tu cuenta aún lo necesita, te llegará un enlace nuevo. Puede tardar unos minutos; revisa "
                + "también la carpeta de spam."),
        alreadySent: PageText.Message(
            "Ya hay un enlace en camino",
            "No hace falta solicitarlo otra vez: si tu cuenta aún lo necesita, te lo enviamos hace poco. "
                + "Puede tardar unos minutos; revisa también la carpeta de spam.")
    )
}

extension PageText.Dead {
    fileprivate static let spanish = Self(
        expired: PageText.Message(
            "Este enlace ha caducado",
            "Por tu seguridad, los enlaces solo funcionan durante un tiempo limitado."),
        used: PageText.Message(
            "Este enlace ya se ha usado",
            "Cada enlace funciona una sola vez."),
        replaced: PageText.Message(
            "Hay un enlace más reciente",
            "Te hemos enviado otro enlace después de este. Solo funciona el último: abre el correo más reciente "
                + "de tu bandeja de entrada."),
        malformed: PageText.Message(
            "Este enlace está incompleto",
            "Es posible que se haya perdido una parte. Abre de nuevo el correo y pulsa el botón, o copia el "
                + "enlace completo."),
        accountDisabled: PageText.Message(
            "Esta cuenta está desactivada",
            "Los responsables de la aplicación la han desactivado. Si crees que es un error, contacta con su soporte."),
        accountGone: PageText.Message(
            "Esta cuenta ya no existe",
            "Es posible que se haya eliminado o que haya cambiado su correo electrónico. Vuelve a la "
                + "aplicación para iniciar sesión o crear una cuenta nueva."),
        addressTaken: PageText.Message(
            "Esta dirección ya está en uso",
            "Otra cuenta tiene este correo electrónico. Inicia sesión con esa cuenta o elige otra dirección "
                + "en la aplicación."),
        secondFactorNotOffered: PageText.Message(
            "Esto no se puede deshacer aquí",
            "Con este enlace no se puede quitar la verificación en dos pasos. Si no la activaste tú, cambia "
                + "tu contraseña y contacta con el soporte de la aplicación."),
        pageExpired: PageText.Message(
            "Esta página estuvo abierta demasiado tiempo",
            "No se ha cambiado nada. Abre de nuevo el enlace de tu correo e inténtalo otra vez."),
        next: PageText.Next(
            reset: "Para recibir uno nuevo, vuelve a la aplicación y solicita otra vez restablecer tu contraseña.",
            verify: "Para recibir uno nuevo, vuelve a la aplicación y solicita otra vez confirmar tu dirección.",
            signIn: "Para recibir uno nuevo, vuelve a la aplicación y solicita otro enlace de inicio de sesión.",
            change: "Para recibir uno nuevo, vuelve a la aplicación e inicia de nuevo el cambio de dirección.",
            recover: "Si no puedes entrar en tu cuenta, contacta con el soporte de la aplicación.",
            any: "Para recibir uno nuevo, vuelve a la aplicación y empieza de nuevo."),
        nextAfterUse: PageText.Next(
            reset:
                "Si ya has elegido una contraseña nueva, inicia sesión con ella. Si no, solicita un enlace nuevo "
                + "en la aplicación.",
            verify: "Si ya has confirmado tu dirección, no tienes que hacer nada más. Vuelve a la aplicación.",
            signIn: "Si no has iniciado sesión, solicita otro enlace de inicio de sesión en la aplicación.",
            change: "Si ya has confirmado tu nueva dirección, inicia sesión con ella.",
            recover:
                "Si ya has restaurado tu dirección, inicia sesión con ella. Si no puedes, contacta con el soporte "
                + "de la aplicación.",
            any: "Si funcionó la primera vez, no tienes que hacer nada más. Vuelve a la aplicación."),
        renewOffer: "Podemos enviar uno nuevo a la misma dirección.",
        renewButton: "Enviar un enlace nuevo"
    )
}

extension PageText.Problem {
    fileprivate static let spanish = Self(
        tooManyAttempts: PageText.Message(
            "Demasiados intentos",
            "Espera un rato y vuelve a intentarlo."),
        unknownApp: PageText.Message(
            "No conocemos esta aplicación",
            "El enlace corresponde a una aplicación que no está configurada aquí. Abre de nuevo el enlace de "
                + "tu correo o contacta con el soporte de la aplicación."),
        badRequest: PageText.Message(
            "Falta algo",
            "Esta dirección está incompleta. Abre de nuevo el enlace de tu correo."),
        notFound: PageText.Message(
            "Aquí no hay nada",
            "Esta página no existe. Abre de nuevo el enlace de tu correo o vuelve a la aplicación."),
        serverFault: PageText.Message(
            "Algo salió mal",
            "No es culpa tuya y no se ha cambiado nada. Inténtalo de nuevo en unos minutos.")
    )
}

extension PageText.Link {
    fileprivate static let spanish = Self(
        open: .spanish,
        report: .spanish,
        platform: .spanish,
        outcome: .spanish,
        invalid: PageText.LinkFault(
            documentTitle: "Dynamic Link no válido",
            message: PageText.Message(
                "Este enlace no funciona",
                "Está incompleto o lleva a un sitio que no está permitido. Pide uno nuevo a quien te lo envió.")),
        notFound: PageText.LinkFault(
            documentTitle: "Dynamic Link no encontrado",
            message: PageText.Message(
                "Este enlace no existe",
                "Puede que esté mal escrito o que lo hayan retirado. Revisa la dirección o pregunta a quien "
                    + "te lo envió.")),
        forDeveloper: "Para quien desarrolla"
    )
}

extension PageText.Open {
    fileprivate static let spanish = Self(
        title: "Abrir en %APP_NAME%",
        sentence: "Un toque te lleva al lugar correcto en %APP_NAME%.",
        button: "Abrir %APP_NAME%",
        appStoreButton: "Descargar %APP_NAME% en el App Store",
        browserButton: "Continuar en el navegador",
        computerButton: "Continuar en este equipo",
        appOnly: "Este enlace solo funciona en %APP_NAME%. Ábrelo en un dispositivo que tenga instalada la aplicación."
    )
}

extension PageText.Report {
    fileprivate static let spanish = Self(
        title: "Qué hace este enlace",
        sentence: "En cada dispositivo, con la configuración actual. Ver esta página no cuenta como clic.",
        platformColumn: "Dónde",
        outcomeColumn: "Qué pasa",
        warnings: "Advertencias",
        noWarnings: "Sin advertencias."
    )
}

extension PageText.Platform {
    fileprivate static let spanish = Self(
        iPhoneInstalled: "iPhone con la aplicación",
        iPhoneAbsent: "iPhone sin la aplicación",
        oldIPhone: "iPhone anterior a iOS 9",
        iPadInstalled: "iPad con la aplicación",
        iPadAbsent: "iPad sin la aplicación",
        androidInstalled: "Android con la aplicación",
        androidAbsent: "Android sin la aplicación",
        androidWebView: "Android, dentro de otra aplicación (web view)",
        desktop: "Equipo de escritorio o portátil",
        crawler: "Aplicación de mensajería que pide una vista previa"
    )
}

extension PageText.Outcome {
    fileprivate static let spanish = Self(
        opensApp: "Abre la aplicación",
        openPage: "Muestra una página con un botón que abre la aplicación",
        appStore: "Va al App Store",
        playStore: "Va a Play Store",
        webFallback: "Va a la página web para quien no tiene la aplicación",
        link: "Va al propio enlace, como página web",
        appOnly: "Muestra una página que dice que el enlace solo funciona en la aplicación",
        preview: "Recibe el título, el texto y la imagen de la vista previa",
        customScheme: "Abre la aplicación con su propio esquema de URL"
    )
}
