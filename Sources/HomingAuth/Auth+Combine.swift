// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(Combine)
    public import Combine
    internal import HomingClient

    // The names of FirebaseAuthCombineSwift.
    extension Auth {
        /// Who is signed in now, and again whenever that is somebody else, on the main queue.
        public func authStateDidChangePublisher() -> AnyPublisher<User?, Never> { publisher(.nothing) }

        /// The same, and again when the user has a new ID token.
        public func idTokenDidChangePublisher() -> AnyPublisher<User?, Never> { publisher(.tokens) }

        /// Each subscriber has a listener of its own, so that none misses the first value.
        private func publisher(_ interest: StateListener.Interest) -> AnyPublisher<User?, Never> {
            Deferred {
                let subject = PassthroughSubject<User?, Never>()
                let listener = MainQueueHandler { (user: User?) in subject.send(user) }
                let handle = self.add(interest) { _, user in listener.kept?(user) }
                return subject.handleEvents(receiveCancel: { self.removeStateDidChangeListener(handle) })
            }
            .eraseToAnyPublisher()
        }

        /// ``updateCurrentUser(_:)`` as a publisher, which asks at once.
        @discardableResult
        public func updateCurrentUser(_ user: User) -> Future<Void, any Error> {
            future { self.updateCurrentUser(user, completion: $0) }
        }

        /// ``signInAnonymously()`` as a publisher, which asks at once.
        @discardableResult
        public func signInAnonymously() -> Future<AuthDataResult, any Error> {
            future { self.signInAnonymously(completion: $0) }
        }

        /// ``createUser(withEmail:password:)`` as a publisher, which asks at once.
        @discardableResult
        public func createUser(withEmail email: String, password: String) -> Future<AuthDataResult, any Error> {
            future { self.createUser(withEmail: email, password: password, completion: $0) }
        }

        /// ``signIn(withEmail:password:)`` as a publisher, which asks at once.
        @discardableResult
        public func signIn(withEmail email: String, password: String) -> Future<AuthDataResult, any Error> {
            future { self.signIn(withEmail: email, password: password, completion: $0) }
        }

        /// ``signIn(withEmail:link:)-(_,String)`` as a publisher, which asks at once.
        @discardableResult
        public func signIn(withEmail email: String, link: String) -> Future<AuthDataResult, any Error> {
            future { self.signIn(withEmail: email, link: link, completion: $0) }
        }

        /// ``signIn(with:)`` as a publisher, which asks at once.
        @discardableResult
        public func signIn(with credential: AuthCredential) -> Future<AuthDataResult, any Error> {
            future { self.signIn(with: credential, completion: $0) }
        }

        /// ``signIn(withCustomToken:)`` as a publisher, which asks at once.
        @discardableResult
        public func signIn(withCustomToken token: String) -> Future<AuthDataResult, any Error> {
            future { self.signIn(withCustomToken: token, completion: $0) }
        }

        /// ``sendSignInLink(toEmail:actionCodeSettings:)`` as a publisher, which asks at once.
        @discardableResult
        public func sendSignInLink(toEmail email: String, actionCodeSettings: ActionCodeSettings) -> Future<
            Void, any Error
        > {
            future { self.sendSignInLink(toEmail: email, actionCodeSettings: actionCodeSettings, completion: $0) }
        }

        /// ``sendPasswordReset(withEmail:)`` as a publisher, which asks at once.
        @discardableResult
        public func sendPasswordReset(withEmail email: String) -> Future<Void, any Error> {
            future { self.sendPasswordReset(withEmail: email, completion: $0) }
        }

        /// ``sendPasswordReset(withEmail:actionCodeSettings:)`` as a publisher, which asks at once.
        @discardableResult
        public func sendPasswordReset(withEmail email: String, actionCodeSettings: ActionCodeSettings) -> Future<
            Void, any Error
        > {
            future { self.sendPasswordReset(withEmail: email, actionCodeSettings: actionCodeSettings, completion: $0) }
        }

        /// ``confirmPasswordReset(withCode:newPassword:)`` as a publisher, which asks at once.
        @discardableResult
        public func confirmPasswordReset(withCode code: String, newPassword: String) -> Future<Void, any Error> {
            future { self.confirmPasswordReset(withCode: code, newPassword: newPassword, completion: $0) }
        }

        /// ``verifyPasswordResetCode(_:)-(String)`` as a publisher, which asks at once.
        @discardableResult
        public func verifyPasswordResetCode(_ code: String) -> Future<String, any Error> {
            future { self.verifyPasswordResetCode(code, completion: $0) }
        }

        /// ``checkActionCode(_:)-(String)`` as a publisher, which asks at once.
        @discardableResult
        public func checkActionCode(code: String) -> Future<ActionCodeInfo, any Error> {
            future { self.checkActionCode(code, completion: $0) }
        }

        /// ``applyActionCode(_:)-(String)`` as a publisher, which asks at once.
        @discardableResult
        public func applyActionCode(code: String) -> Future<Void, any Error> {
            future { self.applyActionCode(code, completion: $0) }
        }
    }

    extension User {
        /// ``link(with:)`` as a publisher, which asks at once.
        @discardableResult
        public func link(with credential: AuthCredential) -> Future<AuthDataResult, any Error> {
            future { self.link(with: credential, completion: $0) }
        }

        /// ``reauthenticate(with:)`` as a publisher, which asks at once.
        @discardableResult
        public func reauthenticate(with credential: AuthCredential) -> Future<AuthDataResult, any Error> {
            future { self.reauthenticate(with: credential, completion: $0) }
        }

        /// ``sendEmailVerification()`` as a publisher, which asks at once.
        @discardableResult
        public func sendEmailVerification() -> Future<Void, any Error> {
            future { self.sendEmailVerification(completion: $0) }
        }

        /// ``sendEmailVerification(with:)`` as a publisher, which asks at once.
        @discardableResult
        public func sendEmailVerification(with actionCodeSettings: ActionCodeSettings) -> Future<Void, any Error> {
            future { self.sendEmailVerification(with: actionCodeSettings, completion: $0) }
        }
    }

    /// The answer of a call with a completion handler.
    private func future<Answer>(
        _ call: @escaping (@escaping (Answer?, (any Error)?) -> Void) -> Void
    ) -> Future<Answer, any Error> {
        Future { promise in
            call { answer, error in
                if let answer { promise(.success(answer)) } else if let error { promise(.failure(error)) }
            }
        }
    }

    /// The end of a call with a completion handler that answers nothing.
    private func future(_ call: @escaping (@escaping ((any Error)?) -> Void) -> Void) -> Future<Void, any Error> {
        Future { promise in
            call { error in
                if let error { promise(.failure(error)) } else { promise(.success(())) }
            }
        }
    }
#endif
