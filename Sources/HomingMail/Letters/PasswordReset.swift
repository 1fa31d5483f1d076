// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore

/// Brings somebody who forgot a password to the page where they choose a new one.
enum PasswordReset {
    static func words(in language: Language) -> LetterWords {
        switch language {
        case .english:
            LetterWords(
                subject: "Reset your password for %APP_NAME%",
                heading: "Reset your password",
                paragraphs: [
                    "We received a request to reset the password for your account at %APP_NAME% (%EMAIL%)."
                ],
                button: "Choose a new password",
                unasked: "If you didn’t ask for this, you can ignore this email. Your password stays as it is."
            )
        case .spanish:
            LetterWords(
                subject: "Restablece tu contraseña de %APP_NAME%",
                heading: "Restablece tu contraseña",
                paragraphs: [
                    "Hemos recibido una solicitud para restablecer la contraseña de tu cuenta de %APP_NAME% (%EMAIL%)."
                ],
                button: "Elegir una contraseña nueva",
                unasked: "Si no lo solicitaste, puedes ignorar este correo. Tu contraseña seguirá siendo la misma."
            )
        case .brazilianPortuguese:
            LetterWords(
                subject: "Redefina a senha da sua conta %APP_NAME%",
                heading: "Redefina sua senha",
                paragraphs: [
                    "Recebemos um pedido para redefinir a senha da sua conta %APP_NAME% (%EMAIL%)."
                ],
                button: "Escolher uma nova senha",
                unasked: "Se você não fez esse pedido, pode ignorar este e-mail. Sua senha continua a mesma."
            )
        case .italian:
            LetterWords(
                subject: "Reimposta la tua password per %APP_NAME%",
                heading: "Reimposta la tua password",
                paragraphs: [
                    "Abbiamo ricevuto una richiesta di reimpostare la password del tuo account su %APP_NAME% "
                        + "(%EMAIL%)."
                ],
                button: "Scegli una nuova password",
                unasked: "Se non l’hai chiesto tu, puoi ignorare questa email. La tua password resta la stessa."
            )
        case .simplifiedChinese:
            LetterWords(
                subject: "重置您在 %APP_NAME% 的密码",
                heading: "重置您的密码",
                paragraphs: [
                    "我们收到一个请求，要重置您在 %APP_NAME% 的账号 %EMAIL% 的密码。"
                ],
                button: "设置新密码",
                unasked: "如果这不是您本人的请求，请忽略此邮件，您的密码不会改变。"
            )
        case .turkish:
            LetterWords(
                subject: "%APP_NAME% hesabınızın şifresini sıfırlayın",
                heading: "Şifrenizi sıfırlayın",
                paragraphs: [
                    "%EMAIL% adresli %APP_NAME% hesabınızın şifresinin sıfırlanması için bir istek aldık."
                ],
                button: "Yeni şifre belirle",
                unasked: "Bu isteği siz yapmadıysanız bu e-postayı yok sayabilirsiniz. Şifreniz aynı kalır."
            )
        }
    }
}
