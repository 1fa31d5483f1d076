// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
internal import HomingCurl
package import HomingPasswords
package import HomingStore
internal import Logging

/// Asks an old system over https: five seconds in all, no redirects, no proxy, a certificate that this machine trusts.
package struct OldSystemCall: OldSystemAsker {
    private static let seconds = 5

    package func ask(_ question: OldSystemQuestion) -> OldSystemReply {
        let answer = CurlTransfer.ask(
            question.system.url, posting: question.body, as: "application/json", with: question.system.key,
            wantsBody: true, by: Version.agent, trusting: nil, seconds: Self.seconds,
            bodyLimit: OldSystemReply.mostBytes)
        switch answer {
        case .success(let transfer): return .answered(status: transfer.status, body: transfer.body)
        case .failure(let failure): return .failed(failure.text)
        }
    }

    package func note(_ reason: String, about system: OldSystem, of project: Scope) {
        // Each line makes its logger, because a command may ask before the log is set up.
        Logger(label: "homing.accounts").warning(
            "the old system does not say whether a password is right: sign-ins that need it are put off",
            metadata: ["project": "\(project)", "url": "\(system.place)", "reason": "\(reason)"])
    }
}
