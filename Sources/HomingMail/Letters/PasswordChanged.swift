// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore

/// Tells somebody that the password of their account is a new one.
enum PasswordChanged {
    static func words(in language: Language) -> LetterWords {
        switch language {
        case .english:
            LetterWords(
                subject: "Your password for %APP_NAME% has been changed",
                heading: "Your password has been changed",
                paragraphs: [
                    "The password for your account at %APP_NAME% (%EMAIL%) has been changed."
                ],
                alarm:
                    "If this wasn’t you, someone else may have access to your account. Reset your password right away "
                    + "and contact support at %APP_NAME%.",
                button: "Reset my password",
                unasked: "If you made this change, you can ignore this email."
            )
        case .spanish:
            LetterWords(
                subject: "Se ha cambiado tu contraseña de %APP_NAME%",
                heading: "Se ha cambiado tu contraseña",
                paragraphs: [
                    "Se ha cambiado la contraseña de tu cuenta de %APP_NAME% (%EMAIL%)."
                ],
                alarm:
                    "Si no fuiste tú, es posible que otra persona tenga acceso a tu cuenta. Restablece tu contraseña "
                    + "de inmediato y contacta con el soporte de %APP_NAME%.",
                button: "Restablecer mi contraseña",
                unasked: "Si hiciste tú este cambio, puedes ignorar este correo."
            )
        case .brazilianPortuguese:
            LetterWords(
                subject: "A senha da sua conta %APP_NAME% foi alterada",
                heading: "Sua senha foi alterada",
                paragraphs: [
                    "A senha da sua conta %APP_NAME% (%EMAIL%) foi alterada."
                ],
                alarm:
                    "Se não foi você, outra pessoa pode ter acesso à sua conta. Redefina sua senha imediatamente e "
                    + "fale com a equipe de suporte %APP_NAME%.",
                button: "Redefinir minha senha",
                unasked: "Se foi você quem fez essa alteração, pode ignorar este e-mail."
            )
        case .italian:
            LetterWords(
                subject: "La tua password per %APP_NAME% è stata cambiata",
                heading: "La tua password è stata cambiata",
                paragraphs: [
                    "La password del tuo account su %APP_NAME% (%EMAIL%) è stata cambiata."
                ],
                alarm:
                    "Se non hai fatto tu questa modifica, qualcun altro potrebbe avere accesso al tuo account. "
                    + "Reimposta subito la password e contatta l’assistenza di %APP_NAME%.",
                button: "Reimposta la mia password",
                unasked: "Se hai fatto tu questa modifica, puoi ignorare questa email."
            )
        case .simplifiedChinese:
            LetterWords(
                subject: "您在 %APP_NAME% 的密码已更改",
                heading: "您的密码已更改",
                paragraphs: [
                    "您在 %APP_NAME% 的账号 %EMAIL% 的密码已更改。"
                ],
                alarm: "如果不是您本人更改的，其他人可能有权访问您的账号。请立即重置密码，并联系 %APP_NAME% 客服。",
                button: "重置我的密码",
                unasked: "如果是您本人更改的，请忽略此邮件。"
            )
        case .turkish:
            LetterWords(
                subject: "%APP_NAME% hesabınızın şifresi değiştirildi",
                heading: "Şifreniz değiştirildi",
                paragraphs: [
                    "%EMAIL% adresli %APP_NAME% hesabınızın şifresi değiştirildi."
                ],
                alarm:
                    "Bu değişikliği siz yapmadıysanız hesabınıza başka birinin erişimi olabilir. Şifrenizi hemen "
                    + "sıfırlayın ve %APP_NAME% destek ekibiyle iletişime geçin.",
                button: "Şifremi sıfırla",
                unasked: "Bu değişikliği siz yaptıysanız bu e-postayı yok sayabilirsiniz."
            )
        }
    }
}
