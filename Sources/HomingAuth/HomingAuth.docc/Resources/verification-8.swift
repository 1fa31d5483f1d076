import Foundation
import HomingAuth

@main
enum Verify {
    static func main() async throws {
        guard let server = URL(string: "http://127.0.0.1:9099") else { return }
        HomingApp.configure(
            endpoint: server, apiKey: "the key that project create has printed", sessionStore: FileSessionStore())

        let email = "ann@example.com"
        let user = try await Auth.auth().createUser(withEmail: email, password: "keeper of the light").user
        print("Signed up as \(user.uid)")

        let settings = ActionCodeSettings()
        settings.url = URL(string: "https://www.example.com/?email=\(email)")
        settings.iOSBundleID = Bundle.main.bundleIdentifier
        settings.setAndroidPackageName("com.example.android", installIfNotAvailable: true, minimumVersion: "12")
        settings.handleCodeInApp = true

        try await user.sendEmailVerification(with: settings)
        print("A mail is on its way to \(email)")

        print("Paste the link of the mail:")
        guard let line = readLine(), let link = ActionCodeURL(link: line) else {
            print("This is not a link from the mail.")
            return
        }
        print("It is about: \(link.operation)")

        do {
            try await Auth.auth().applyActionCode(link.code ?? "")
        } catch AuthErrorCode.expiredActionCode, AuthErrorCode.invalidActionCode {
            print("This link is not good any more.")
            return
        } catch {
            throw error
        }

        try await user.reload()
        print(user.isEmailVerified ? "Verified" : "Not verified")
        if let place = link.continueURL { print("Back to \(place.absoluteString)") }
    }
}
