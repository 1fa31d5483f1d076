// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

extension PageText {
    /// Chinese in simplified script.
    static let simplifiedChinese = PageText(
        shared: .simplifiedChinese,
        reset: .simplifiedChinese,
        resetRequest: .simplifiedChinese,
        confirm: .simplifiedChinese,
        signIn: .simplifiedChinese,
        done: .simplifiedChinese,
        dead: .simplifiedChinese,
        problem: .simplifiedChinese,
        link: .simplifiedChinese,
        root: PageText.Message(
            "这是一台 Homing 服务器",
            "它负责打开各个应用通过邮件发送或分享的链接。此页面无需任何操作。")
    )
}

extension PageText.Shared {
    fileprivate static let simplifiedChinese = Self(
        continueButton: "继续",
        leadsTo: "将前往 %HOST%",
        closePage: "您可以关闭此页面，返回 %APP_NAME%。",
        unasked: "不是您本人的请求？关闭此页面即可，不会有任何更改。",
        theApp: "应用",
        languages: "语言",
        busy: "请稍候…",
        error: "错误：%TITLE%"
    )
}

extension PageText.Reset {
    fileprivate static let simplifiedChinese = Self(
        title: "设置新密码",
        sentence: "用于您在 %APP_NAME% 的账号 %EMAIL%。",
        label: "新密码",
        show: "显示密码",
        rules: "密码需要满足：",
        minimumLength: "至少 %COUNT% 个字符",
        maximumLength: "最多 %COUNT% 个字符",
        lowercase: "包含小写字母",
        uppercase: "包含大写字母",
        digit: "包含数字",
        symbol: "包含符号，例如 ! 或 ?",
        hardToGuess: "不易被猜到：不能是常见密码、您的邮箱或应用名称",
        satisfied: "已满足",
        missing: "未满足",
        submit: "保存密码",
        rulesProblem: "此密码尚未满足所有要求。",
        tooShortProblem: "此密码过短，请换一个长一些的。",
        tooLongProblem: "此密码过长，请换一个短一些的。",
        commonProblem: "此密码是最常见的密码之一，最先被人尝试，请换一个。",
        addressProblem: "此密码就是您的邮箱，容易被猜到，请换一个。",
        appNameProblem: "此密码就是应用的名称，容易被猜到，请换一个。",
        strength: PageText.Strength(
            weak: "密码强度：弱。密码越长，越难被猜到。",
            fair: "密码强度：中。再多几个字符会更好。",
            strong: "密码强度：强。")
    )
}

extension PageText.ResetRequest {
    fileprivate static let simplifiedChinese = Self(
        title: "重置您的密码",
        sentence:
            "请输入您在 %APP_NAME% 的账号邮箱，我们会向您发送设置新密码的链接。",
        label: "邮箱",
        submit: "发送链接",
        problem: "这似乎不是有效的邮箱地址，请检查后重试。"
    )
}

extension PageText.Confirm {
    fileprivate static let simplifiedChinese = Self(
        verify: PageText.Message(
            "验证您的邮箱",
            "请验证 %EMAIL% 是您的邮箱，以便在 %APP_NAME% 中使用。"),
        verifyButton: "验证邮箱",
        change: PageText.Message(
            "更改您的邮箱",
            "请验证 %APP_NAME% 账号的新邮箱。验证后，请使用新邮箱登录。"),
        changeButton: "使用新邮箱",
        recover: PageText.Message(
            "恢复您的邮箱",
            "您在 %APP_NAME% 的账号邮箱已更改。您可以将其恢复为 %EMAIL%。"),
        recoverButton: "恢复邮箱",
        recoverUnwanted: "是您本人更改的？关闭此页面即可，一切保持不变。",
        currentAddress: "当前邮箱",
        newAddress: "新邮箱"
    )
}

extension PageText.SignIn {
    fileprivate static let simplifiedChinese = Self(
        page: PageText.Message(
            "登录 %APP_NAME%",
            "还差一步：继续即可完成登录。"),
        button: "登录",
        openInApp: "要完成登录，请在您使用 %APP_NAME% 的设备上打开邮件中的链接。",
        unasked: "没有请求此链接？关闭此页面即可。在您继续之前，不会登录任何账号。"
    )
}

extension PageText.Done {
    fileprivate static let simplifiedChinese = Self(
        passwordReset: PageText.Message(
            "您的密码已更改",
            "从现在起，请使用新密码登录。"),
        emailVerified: PageText.Message(
            "您的邮箱已验证",
            "谢谢。您在 %APP_NAME% 的账号邮箱 %EMAIL% 已验证。"),
        emailChanged: PageText.Message(
            "您的邮箱已更改",
            "从现在起，请使用 %EMAIL% 登录 %APP_NAME%。"),
        emailRecovered: PageText.Message(
            "您的邮箱已恢复",
            "您在 %APP_NAME% 的账号邮箱已恢复为 %EMAIL%。"),
        resetOffer: "如果邮箱不是您本人更改的，可能有人知道您的密码。为了安全，请同时设置新密码。",
        resetButton: "发送重置密码邮件",
        resetMailSent: PageText.Message(
            "请查看收件箱",
            "我们已向您发送设置新密码的链接。邮件可能需要几分钟才能送达，也请查看垃圾邮件文件夹。"),
        resetRequested: PageText.Message(
            "请查看收件箱",
            "如果 %EMAIL% 是 %APP_NAME% 账号的邮箱，设置新密码的链接即将送达。邮件可能需要几分钟才能送达，也请查看垃圾邮件文件夹。"),
        newLinkSent: PageText.Message(
            "请查看收件箱",
            "如果您的账号仍然需要，新的链接即将送达。邮件可能需要几分钟才能送达，也请查看垃圾邮件文件夹。"),
        alreadySent: PageText.Message(
            "链接已在发送途中",
            "无需再次请求：如果您的账号仍然需要，链接刚刚已发送。邮件可能需要几分钟才能送达，也请查看垃圾邮件文件夹。")
    )
}

extension PageText.Dead {
    fileprivate static let simplifiedChinese = Self(
        expired: PageText.Message(
            "此链接已过期",
            "为了您的安全，链接仅在有限时间内有效。"),
        used: PageText.Message(
            "此链接已被使用",
            "每个链接只能使用一次。"),
        replaced: PageText.Message(
            "已有更新的链接",
            "在此链接之后，我们又向您发送了新的链接。只有最新的链接有效，请打开收件箱中最新的邮件。"),
        malformed: PageText.Message(
            "此链接不完整",
            "链接的一部分可能已丢失。请重新打开邮件并点击按钮，或复制完整的链接。"),
        accountDisabled: PageText.Message(
            "此账号已被停用",
            "应用的运营方停用了此账号。如果您认为这是误操作，请联系应用客服。"),
        accountGone: PageText.Message(
            "此账号已不存在",
            "账号可能已被删除，或其邮箱已更改。请返回应用登录或注册新账号。"),
        addressTaken: PageText.Message(
            "此邮箱已被使用",
            "另一个账号正在使用此邮箱。请登录该账号，或在应用中选择其他邮箱。"),
        secondFactorNotOffered: PageText.Message(
            "无法在此处撤销",
            "此链接无法移除两步验证。如果不是您本人添加的，请更改密码并联系应用客服。"),
        pageExpired: PageText.Message(
            "此页面打开时间过长",
            "没有做任何更改。请重新打开邮件中的链接，然后再试一次。"),
        next: PageText.Next(
            reset: "如需新链接，请返回应用，重新请求重置密码。",
            verify: "如需新链接，请返回应用，重新请求验证邮箱。",
            signIn: "如需新链接，请返回应用，重新请求登录链接。",
            change: "如需新链接，请返回应用，重新更改邮箱。",
            recover: "如果您无法登录账号，请联系应用客服。",
            any: "如需新链接，请返回应用，重新操作。"),
        nextAfterUse: PageText.Next(
            reset: "如果您已设置新密码，请用它登录。如果没有，请在应用中请求新的链接。",
            verify: "如果您已验证邮箱，则无需再做任何操作，请返回应用。",
            signIn: "如果您尚未登录，请在应用中请求新的登录链接。",
            change: "如果您已验证新邮箱，请用它登录。",
            recover: "如果您已恢复邮箱，请用它登录。如果无法登录，请联系应用客服。",
            any: "如果第一次已成功，则无需再做任何操作，请返回应用。"),
        renewOffer: "我们可以向同一邮箱发送新的链接。",
        renewButton: "发送新链接"
    )
}

extension PageText.Problem {
    fileprivate static let simplifiedChinese = Self(
        tooManyAttempts: PageText.Message(
            "尝试次数过多",
            "请稍候片刻，然后重试。"),
        unknownApp: PageText.Message(
            "无法识别此应用",
            "链接中的应用未在此处设置。请重新打开邮件中的链接，或联系应用客服。"),
        badRequest: PageText.Message(
            "缺少信息",
            "此地址不完整。请重新打开邮件中的链接。"),
        notFound: PageText.Message(
            "这里没有内容",
            "此页面不存在。请重新打开邮件中的链接，或返回应用。"),
        serverFault: PageText.Message(
            "出了点问题",
            "这不是您的问题，也没有做任何更改。请几分钟后重试。")
    )
}

extension PageText.Link {
    fileprivate static let simplifiedChinese = Self(
        open: .simplifiedChinese,
        report: .simplifiedChinese,
        platform: .simplifiedChinese,
        outcome: .simplifiedChinese,
        invalid: PageText.LinkFault(
            documentTitle: "Dynamic Link 无效",
            message: PageText.Message(
                "此链接无法使用",
                "链接不完整，或指向了不允许的位置。请向发送者索取新的链接。")),
        notFound: PageText.LinkFault(
            documentTitle: "找不到 Dynamic Link",
            message: PageText.Message(
                "此链接不存在",
                "链接可能有误，或已被撤回。请检查地址，或询问发送者。")),
        forDeveloper: "开发者信息"
    )
}

extension PageText.Open {
    fileprivate static let simplifiedChinese = Self(
        title: "在 %APP_NAME% 中打开",
        sentence: "轻点一下，即可前往 %APP_NAME% 中的相应位置。",
        button: "打开 %APP_NAME%",
        appStoreButton: "前往 App Store 获取 %APP_NAME%",
        browserButton: "在浏览器中继续",
        computerButton: "在这台电脑上继续",
        appOnly: "此链接只能在 %APP_NAME% 中打开。请在已安装该应用的设备上打开。"
    )
}

extension PageText.Report {
    fileprivate static let simplifiedChinese = Self(
        title: "此链接的效果",
        sentence: "以下是按当前设置在各类设备上的效果。查看此页面不计入点击次数。",
        platformColumn: "设备",
        outcomeColumn: "结果",
        warnings: "警告",
        noWarnings: "没有警告。"
    )
}

extension PageText.Platform {
    fileprivate static let simplifiedChinese = Self(
        iPhoneInstalled: "iPhone，已安装应用",
        iPhoneAbsent: "iPhone，未安装应用",
        oldIPhone: "iPhone，iOS 9 之前的版本",
        iPadInstalled: "iPad，已安装应用",
        iPadAbsent: "iPad，未安装应用",
        androidInstalled: "Android，已安装应用",
        androidAbsent: "Android，未安装应用",
        androidWebView: "Android，在其他应用内（WebView）",
        desktop: "电脑",
        crawler: "请求预览的聊天应用"
    )
}

extension PageText.Outcome {
    fileprivate static let simplifiedChinese = Self(
        opensApp: "打开应用",
        openPage: "显示一个页面，其中的按钮可打开应用",
        appStore: "前往 App Store",
        playStore: "前往 Play 商店",
        webFallback: "前往为未安装应用的用户准备的网页",
        link: "以网页形式打开链接本身",
        appOnly: "显示一个页面，说明此链接只能在应用中打开",
        preview: "获取预览的标题、文字和图片",
        customScheme: "通过应用自己的 URL scheme 打开应用"
    )
}
