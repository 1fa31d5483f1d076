// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

extension PageText {
    /// Portuguese of Brazil.
    static let brazilianPortuguese = PageText(
        shared: .brazilianPortuguese,
        reset: .brazilianPortuguese,
        resetRequest: .brazilianPortuguese,
        confirm: .brazilianPortuguese,
        signIn: .brazilianPortuguese,
        done: .brazilianPortuguese,
        dead: .brazilianPortuguese,
        problem: .brazilianPortuguese,
        link: .brazilianPortuguese,
        root: PageText.Message(
            "Este é um servidor Homing",
            "Ele abre os links que os aplicativos enviam por e-mail ou compartilham. Não há nada a fazer nesta página.")
    )
}

extension PageText.Shared {
    fileprivate static let brazilianPortuguese = Self(
        continueButton: "Continuar",
        leadsTo: "Leva você para %HOST%",
        closePage: "Você pode fechar esta página e voltar para sua conta %APP_NAME%.",
        unasked: "Não foi você quem pediu? Feche esta página e nada será alterado.",
        theApp: "do aplicativo",
        languages: "Idioma",
        busy: "Só um momento…",
        error: "Erro: %TITLE%"
    )
}

extension PageText.Reset {
    fileprivate static let brazilianPortuguese = Self(
        title: "Escolha uma nova senha",
        sentence: "Para sua conta %APP_NAME% (%EMAIL%).",
        label: "Nova senha",
        show: "Mostrar senha",
        rules: "Sua senha precisa ter:",
        minimumLength: "pelo menos %COUNT% caracteres",
        maximumLength: "no máximo %COUNT% caracteres",
        lowercase: "uma letra minúscula",
        uppercase: "uma letra maiúscula",
        digit: "um número",
        symbol: "um símbolo, como ! ou ?",
        hardToGuess: "algo difícil de adivinhar: nem uma senha comum, nem seu e-mail, nem o nome do aplicativo",
        satisfied: "pronto",
        missing: "falta",
        submit: "Salvar senha",
        rulesProblem: "Esta senha ainda não atende a todas as regras.",
        tooShortProblem: "Esta senha é curta demais. Escolha uma mais longa.",
        tooLongProblem: "Esta senha é longa demais. Escolha uma mais curta.",
        commonProblem: "Esta senha é uma das mais comuns, as primeiras que se testam. Escolha outra.",
        addressProblem: "Esta senha é o seu e-mail e é fácil de adivinhar. Escolha outra.",
        appNameProblem: "Esta senha é o nome do aplicativo e é fácil de adivinhar. Escolha outra.",
        strength: PageText.Strength(
            weak: "Força: fraca. Uma senha mais longa é mais difícil de adivinhar.",
            fair: "Força: média. Mais alguns caracteres a tornam melhor.",
            strong: "Força: alta.")
    )
}

extension PageText.ResetRequest {
    fileprivate static let brazilianPortuguese = Self(
        title: "Redefina sua senha",
        sentence:
            "Digite o e-mail da sua conta %APP_NAME%. Enviaremos um link para você escolher uma nova senha.",
        label: "E-mail",
        submit: "Enviar link",
        problem: "Isto não parece um e-mail. Confira e tente novamente."
    )
}

extension PageText.Confirm {
    fileprivate static let brazilianPortuguese = Self(
        verify: PageText.Message(
            "Confirme seu e-mail",
            "Confirme que %EMAIL% é o seu endereço para usá-lo na sua conta %APP_NAME%."),
        verifyButton: "Confirmar e-mail",
        change: PageText.Message(
            "Altere seu e-mail",
            "Confirme o novo endereço da sua conta %APP_NAME%. A partir daí, use-o para entrar."),
        changeButton: "Usar novo e-mail",
        recover: PageText.Message(
            "Restaure seu e-mail",
            "O e-mail da sua conta %APP_NAME% foi alterado. Você pode voltar a usar %EMAIL%."),
        recoverButton: "Restaurar e-mail",
        recoverUnwanted: "Foi você quem alterou? Feche esta página e tudo continua como está.",
        currentAddress: "E-mail atual",
        newAddress: "Novo e-mail"
    )
}

extension PageText.SignIn {
    fileprivate static let brazilianPortuguese = Self(
        page: PageText.Message(
            "Entre na sua conta %APP_NAME%",
            "Falta só um passo: continue para concluir o acesso."),
        button: "Entrar",
        openInApp:
            "Para concluir o acesso, abra o link do seu e-mail no dispositivo em que você usa sua conta "
            + "%APP_NAME%.",
        unasked: "Não pediu este link? Feche esta página. Ninguém entra na conta até você continuar."
    )
}

extension PageText.Done {
    fileprivate static let brazilianPortuguese = Self(
        passwordReset: PageText.Message(
            "Sua senha foi alterada",
            "A partir de agora, entre com sua nova senha."),
        emailVerified: PageText.Message(
            "Seu e-mail foi confirmado",
            "Obrigado! %EMAIL% está confirmado na sua conta %APP_NAME%."),
        emailChanged: PageText.Message(
            "Seu e-mail foi alterado",
            "A partir de agora, entre na sua conta %APP_NAME% com %EMAIL%."),
        emailRecovered: PageText.Message(
            "Seu e-mail foi restaurado",
            "%EMAIL% voltou a ser o endereço da sua conta %APP_NAME%."),
        resetOffer:
            "Se não foi você quem alterou o endereço, alguém pode saber sua senha. Por segurança, escolha "
            + "também uma nova senha.",
        resetButton: "Receber um link por e-mail",
        resetMailSent: PageText.Message(
            "Confira seu e-mail",
            "Enviamos um link para você escolher uma nova senha. Pode levar alguns minutos; veja também a "
                + "pasta de spam."),
        resetRequested: PageText.Message(
            "Confira seu e-mail",
            "Se %EMAIL% for o e-mail de uma conta %APP_NAME%, um link para escolher uma nova senha está a caminho. "
                + "Pode levar alguns minutos; veja também a pasta de spam."),
        newLinkSent: PageText.Message(
            "Confira seu e-mail",
            "Se sua conta ainda precisar, um novo link está a caminho. Pode levar alguns minutos; veja também "
                + "a pasta de spam."),
        alreadySent: PageText.Message(
            "Um link já está a caminho",
            "Não é preciso pedir de novo: se sua conta ainda precisar, ele foi enviado há pouco. Pode levar "
                + "alguns minutos; veja também a pasta de spam.")
    )
}

extension PageText.Dead {
    fileprivate static let brazilianPortuguese = Self(
        expired: PageText.Message(
            "Este link expirou",
            "Para sua segurança, os links funcionam apenas por um tempo limitado."),
        used: PageText.Message(
            "Este link já foi usado",
            "Cada link funciona uma única vez."),
        replaced: PageText.Message(
            "Há um link mais recente",
            "Enviamos outro link depois deste. Só o último funciona: abra o e-mail mais recente na sua caixa "
                + "de entrada."),
        malformed: PageText.Message(
            "Este link está incompleto",
            "Uma parte dele pode ter se perdido. Abra o e-mail novamente e toque no botão ou copie o link inteiro."),
        accountDisabled: PageText.Message(
            "Esta conta está desativada",
            "Os responsáveis pelo aplicativo a desativaram. Se você acha que é um engano, fale com o suporte."),
        accountGone: PageText.Message(
            "Esta conta não existe mais",
            "Ela pode ter sido excluída ou ter mudado de e-mail. Volte ao aplicativo para entrar ou criar uma "
                + "nova conta."),
        addressTaken: PageText.Message(
            "Este endereço já está em uso",
            "Outra conta tem este e-mail. Entre com essa conta ou escolha outro endereço no aplicativo."),
        secondFactorNotOffered: PageText.Message(
            "Não é possível desfazer isso aqui",
            "Este link não pode remover a verificação em duas etapas. Se não foi você quem a ativou, altere sua "
                + "senha e fale com o suporte do aplicativo."),
        pageExpired: PageText.Message(
            "Esta página ficou aberta por tempo demais",
            "Nada foi alterado. Abra novamente o link do seu e-mail e tente outra vez."),
        next: PageText.Next(
            reset: "Para receber um novo, volte ao aplicativo e peça novamente para redefinir sua senha.",
            verify: "Para receber um novo, volte ao aplicativo e peça novamente para confirmar seu e-mail.",
            signIn: "Para receber um novo, volte ao aplicativo e peça outro link de acesso.",
            change: "Para receber um novo, volte ao aplicativo e comece de novo a alteração do e-mail.",
            recover: "Se você não consegue entrar na sua conta, fale com o suporte do aplicativo.",
            any: "Para receber um novo, volte ao aplicativo e comece de novo."),
        nextAfterUse: PageText.Next(
            reset: "Se você já escolheu uma nova senha, entre com ela. Se não, peça um novo link no aplicativo.",
            verify: "Se você já confirmou seu e-mail, não precisa fazer mais nada. Volte ao aplicativo.",
            signIn: "Se você ainda não entrou na conta, peça um novo link de acesso no aplicativo.",
            change: "Se você já confirmou seu novo e-mail, entre com ele.",
            recover:
                "Se você já restaurou seu e-mail, entre com ele. Se não conseguir, fale com o suporte do "
                + "aplicativo.",
            any: "Se funcionou da primeira vez, não precisa fazer mais nada. Volte ao aplicativo."),
        renewOffer: "Podemos enviar um novo para o mesmo endereço.",
        renewButton: "Enviar novo link"
    )
}

extension PageText.Problem {
    fileprivate static let brazilianPortuguese = Self(
        tooManyAttempts: PageText.Message(
            "Muitas tentativas",
            "Aguarde um pouco e tente novamente."),
        unknownApp: PageText.Message(
            "Não conhecemos este aplicativo",
            "O link é de um aplicativo que não está configurado aqui. Abra novamente o link do seu e-mail ou "
                + "fale com o suporte do aplicativo."),
        badRequest: PageText.Message(
            "Está faltando algo",
            "Este endereço está incompleto. Abra novamente o link do seu e-mail."),
        notFound: PageText.Message(
            "Não há nada aqui",
            "Esta página não existe. Abra novamente o link do seu e-mail ou volte ao aplicativo."),
        serverFault: PageText.Message(
            "Algo deu errado",
            "A culpa não é sua e nada foi alterado. Tente novamente em alguns minutos.")
    )
}

extension PageText.Link {
    fileprivate static let brazilianPortuguese = Self(
        open: .brazilianPortuguese,
        report: .brazilianPortuguese,
        platform: .brazilianPortuguese,
        outcome: .brazilianPortuguese,
        invalid: PageText.LinkFault(
            documentTitle: "Dynamic Link inválido",
            message: PageText.Message(
                "Este link não funciona",
                "Ele está incompleto ou leva a um lugar que não é permitido. Peça um novo a quem o enviou.")),
        notFound: PageText.LinkFault(
            documentTitle: "Dynamic Link não encontrado",
            message: PageText.Message(
                "Este link não existe",
                "Ele pode estar escrito errado ou ter sido removido. Confira o endereço ou pergunte a quem o enviou.")),
        forDeveloper: "Para quem desenvolve"
    )
}

extension PageText.Open {
    fileprivate static let brazilianPortuguese = Self(
        title: "Abrir no aplicativo %APP_NAME%",
        sentence: "Um toque leva você ao lugar certo no aplicativo %APP_NAME%.",
        button: "Abrir o aplicativo %APP_NAME%",
        appStoreButton: "Baixar o aplicativo %APP_NAME% na App Store",
        browserButton: "Continuar no navegador",
        computerButton: "Continuar neste computador",
        appOnly: "Este link só funciona no aplicativo %APP_NAME%. Abra-o em um dispositivo com o aplicativo instalado."
    )
}

extension PageText.Report {
    fileprivate static let brazilianPortuguese = Self(
        title: "O que este link faz",
        sentence: "Em cada dispositivo, com a configuração atual. Ver esta página não conta como clique.",
        platformColumn: "Onde",
        outcomeColumn: "O que acontece",
        warnings: "Avisos",
        noWarnings: "Nenhum aviso."
    )
}

extension PageText.Platform {
    fileprivate static let brazilianPortuguese = Self(
        iPhoneInstalled: "iPhone com o aplicativo",
        iPhoneAbsent: "iPhone sem o aplicativo",
        oldIPhone: "iPhone anterior ao iOS 9",
        iPadInstalled: "iPad com o aplicativo",
        iPadAbsent: "iPad sem o aplicativo",
        androidInstalled: "Android com o aplicativo",
        androidAbsent: "Android sem o aplicativo",
        androidWebView: "Android, dentro de outro aplicativo (web view)",
        desktop: "Computador",
        crawler: "Aplicativo de mensagens que pede uma prévia"
    )
}

extension PageText.Outcome {
    fileprivate static let brazilianPortuguese = Self(
        opensApp: "Abre o aplicativo",
        openPage: "Mostra uma página com um botão que abre o aplicativo",
        appStore: "Vai para a App Store",
        playStore: "Vai para a Play Store",
        webFallback: "Vai para a página da web para quem não tem o aplicativo",
        link: "Vai para o próprio link, como página da web",
        appOnly: "Mostra uma página que diz que o link só funciona no aplicativo",
        preview: "Recebe o título, o texto e a imagem da prévia",
        customScheme: "Abre o aplicativo pelo esquema de URL dele"
    )
}
