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
    }
}
