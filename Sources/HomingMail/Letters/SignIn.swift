// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore

/// Signs somebody in without a password.
enum SignIn {
    static func words(in language: Language) -> LetterWords {
        switch language {
        case .english:
            LetterWords(
                subject: "Sign in to %APP_NAME%",
                heading: "Sign in to %APP_NAME%",
                paragraphs: [
                    "Use this link to sign in to %APP_NAME% as %EMAIL%. You don’t need a password."
                ],
                button: "Sign in",
                unasked:
                    "If you didn’t ask for this, you can ignore this email. Don’t forward it to anyone: whoever has "
                    + "the link can sign in as you."
            )
        case .spanish:
            LetterWords(
                subject: "Inicia sesión en %APP_NAME%",
                heading: "Inicia sesión en %APP_NAME%",
                paragraphs: [
                    "Usa este enlace para iniciar sesión en %APP_NAME% como %EMAIL%. No necesitas contraseña."
                ],
                button: "Iniciar sesión",
                unasked:
                    "Si no lo solicitaste, puedes ignorar este correo. No lo reenvíes: quien tenga el enlace podrá "
                    + "entrar en tu cuenta."
            )
        case .brazilianPortuguese:
            LetterWords(
                subject: "Seu link de acesso: %APP_NAME%",
                heading: "Entre na sua conta %APP_NAME%",
                paragraphs: [
                    "Use este link para entrar na sua conta %APP_NAME% como %EMAIL%. Você não precisa de senha."
                ],
                button: "Entrar",
                unasked:
                    "Se você não fez esse pedido, pode ignorar este e-mail. Não o encaminhe: quem tiver o link poderá "
                    + "entrar na sua conta."
            )
        case .italian:
            LetterWords(
                subject: "Accedi a %APP_NAME%",
                heading: "Accedi a %APP_NAME%",
                paragraphs: [
                    "Usa questo link per accedere a %APP_NAME% come %EMAIL%. Non ti serve una password."
                ],
                button: "Accedi",
                unasked:
                    "Se non l’hai chiesto tu, puoi ignorare questa email. Non inoltrarla: chi ha il link può entrare "
                    + "nel tuo account."
            )
        case .simplifiedChinese:
            LetterWords(
                subject: "登录 %APP_NAME%",
                heading: "登录 %APP_NAME%",
                paragraphs: [
                    "使用此链接以 %EMAIL% 的身份登录 %APP_NAME%，无需输入密码。"
                ],
                button: "登录",
                unasked: "如果这不是您本人的请求，请忽略此邮件。请勿转发：获得此链接的人可以登录您的账号。"
            )
        case .turkish:
            LetterWords(
                subject: "%APP_NAME% girişi",
                heading: "%APP_NAME% hesabınıza giriş yapın",
                paragraphs: [
                    "%EMAIL% adresiyle %APP_NAME% hesabınıza giriş yapmak için bu bağlantıyı kullanın. Şifre gerekmez."
                ],
                button: "Giriş yap",
                unasked:
                    "Bu isteği siz yapmadıysanız bu e-postayı yok sayabilirsiniz. Kimseye iletmeyin: Bağlantıya sahip "
                    + "olan kişi hesabınıza girebilir."
            )
        }
    }
}
