// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore

/// Shows whether mail arrives, how letters look, and which server and relay it came from (`homing mail test`).
enum TestMail {
    static func words(in language: Language) -> LetterWords {
        switch language {
        case .english:
            LetterWords(
                subject: "Test email from %APP_NAME%",
                heading: "This is a test email",
                paragraphs: [
                    "Whoever runs this server has sent it with “homing mail test”.",
                    "Homing server: %SERVER%",
                    "Mail relay: %RELAY%",
                ],
                unasked: "If you didn’t ask for this, you can ignore this email."
            )
        case .spanish:
            LetterWords(
                subject: "Correo de prueba de %APP_NAME%",
                heading: "Este es un correo de prueba",
                paragraphs: [
                    "Lo ha enviado quien administra este servidor, con «homing mail test».",
                    "Servidor Homing: %SERVER%",
                    "Servidor de correo: %RELAY%",
                ],
                unasked: "Si no lo solicitaste, puedes ignorar este correo."
            )
        case .brazilianPortuguese:
            LetterWords(
                subject: "E-mail de teste: %APP_NAME%",
                heading: "Este é um e-mail de teste",
                paragraphs: [
                    "Foi enviado por quem administra este servidor, com “homing mail test”.",
                    "Servidor Homing: %SERVER%",
                    "Servidor de e-mail: %RELAY%",
                ],
                unasked: "Se você não fez esse pedido, pode ignorar este e-mail."
            )
        case .italian:
            LetterWords(
                subject: "Email di prova: %APP_NAME%",
                heading: "Questa è un’email di prova",
                paragraphs: [
                    "L’ha inviata chi gestisce questo server, con “homing mail test”.",
                    "Server Homing: %SERVER%",
                    "Server di posta: %RELAY%",
                ],
                unasked: "Se non l’hai chiesto tu, puoi ignorare questa email."
            )
        case .simplifiedChinese:
            LetterWords(
                subject: "%APP_NAME% 测试邮件",
                heading: "这是一封测试邮件",
                paragraphs: [
                    "此邮件由此服务器的管理员通过“homing mail test”发送。",
                    "Homing 服务器：%SERVER%",
                    "邮件服务器：%RELAY%",
                ],
                unasked: "如果这不是您本人的请求，请忽略此邮件。"
            )
        case .turkish:
            LetterWords(
                subject: "%APP_NAME% deneme e-postası",
                heading: "Bu bir deneme e-postası",
                paragraphs: [
                    "Bu sunucuyu yönetenler tarafından “homing mail test” ile gönderildi.",
                    "Homing sunucusu: %SERVER%",
                    "Posta sunucusu: %RELAY%",
                ],
                unasked: "Bu isteği siz yapmadıysanız bu e-postayı yok sayabilirsiniz."
            )
        }
    }
}
