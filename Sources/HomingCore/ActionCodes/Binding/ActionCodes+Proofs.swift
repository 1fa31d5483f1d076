// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingProjects
package import HomingStore

extension ActionCodes {
    /// Says all of a proof that can be said before the code's row is known.
    func judge(
        _ proof: CodeProof, of sealed: SealedID, _ kind: ActionCodeKind, in project: Project, on device: Device?
    ) throws(Refusal) -> JudgedProof {
        switch proof {
        case .none: return .none
        case .verifier(let verifier): return JudgedProof(challenge: CodeChallenge(of: verifier))
        case .number(let text):
            let numbers = numbers(of: sealed, kind, in: project)
            var judged = JudgedProof(
                ofAskingDevice: Self.judge(text, by: try numbers.matchNumber()), device: device)
            if project.settings.asksPressNumber(of: kind) {
                judged.ofMail = Self.judge(text, by: try numbers.pressNumber())
            }
            return judged
        }
    }

    private static func judge(_ text: String, by number: String?) -> JudgedProof.Number {
        guard let digits = TypedDigits.read(text, count: 2) else { return .unreadable }
        return number.map { $0.utf8.elementsEqual(digits.utf8) } == true ? .right : .wrong
    }

    /// What a code's request can be named and finished by.
    package func numbers(of sealed: SealedID, _ kind: ActionCodeKind, in project: Project) -> FinishNumbers {
        FinishNumbers(of: sealed, kind: kind, project: project.scope, ring: store.ring)
    }

    /// The code that a client's request made, by the id that the client was told. Never asks the database.
    ///
    /// - Throws: ``Refusal/invalidRequestID`` for one that is forged, or of another project or tenant.
    package func request(
        withID text: String, in project: Project
    ) throws(Refusal) -> (sealed: SealedID, kind: ActionCodeKind) {
        let kinds = ActionCodeKind.requested
        let contexts = kinds.map { ActionCode.context($0, project: project.scope) }
        guard let opened = try SealedID.open(text, for: .codeRequest, contexts: contexts, ring: store.ring) else {
            throw .invalidRequestID
        }
        return (opened.sealed, kinds[opened.context])
    }

    /// What the page has to ask for before a tap counts.
    package func question(of code: ActionCode, in project: Project) -> NumberQuestion? {
        if code.isBound { return .ofAskingDevice }
        return code.hasPressNumber && project.settings.asksPressNumber(of: code.kind) ? .ofMail : nil
    }
}
