// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPasswords
import HomingStore
import HomingTesting
import HomingTransfer
import Testing

@Suite struct `Accounts of other systems` {
    private static let bcrypt = "$2a$10$abcdefghijklmnopqrstuuxmM2LWfxFfsw7CBLfyuCzOrhaxxlSDy"

    @Test func `Supabase's rows say the same as CSV and as JSON`() throws {
        let columns =
            "instance_id,id,aud,role,email,encrypted_password,email_confirmed_at,last_sign_in_at,raw_app_meta_data,"
            + "raw_user_meta_data,is_super_admin,created_at,phone,banned_until,deleted_at,is_anonymous"
        let csv = """
            \(columns)
            0,9f1a,authenticated,authenticated,Ada@Shop.Example,\(Self.bcrypt),2023-01-02 03:04:05.678901+00,\
            2023-01-02 05:04:05.6+02,"{""provider"": ""email"", ""providers"": [""email"", ""google""]}",\
            "{""full_name"": ""Ada L."", ""avatar_url"": ""https://x.example/a"", ""theme"": ""dark""}",,\
            2023-01-01 00:00:00+00,49301234,2999-01-01 00:00:00+00,,f
            0,9f1b,authenticated,authenticated,,,,,{},{},,2023-01-01 00:00:00+00,,2023-01-01 00:00:00+00,,t

            """
        let ada = """
            {"id": "9f1a", "email": "Ada@Shop.Example", "encrypted_password": "\(Self.bcrypt)",
             "email_confirmed_at": "2023-01-02T03:04:05.678901+00:00", "last_sign_in_at": "2023-01-02T03:04:05.6Z",
             "raw_app_meta_data": {"provider": "email", "providers": ["email", "google"]},
             "raw_user_meta_data": {"full_name": "Ada L.", "avatar_url": "https://x.example/a", "theme": "dark"},
             "created_at": "2023-01-01T00:00:00", "phone": "49301234", "banned_until": "infinity", "deleted_at": null}
            """
        let bob = #"{"id": "9f1b", "email": null, "encrypted_password": "", "banned_until": "2023-01-01 00:00:00+00"}"#
        for text in [csv, "[\(ada),\n\(bob)]", "\(ada)\n\(bob)\n"] {
            let rows = try accounts(text, from: .supabase)
            let people = try rows.map { try $0.account.get() }
            #expect(people.map(\.id) == ["9f1a", "9f1b"])
            #expect(people[0].email?.text == "ada@shop.example" && people[0].isEmailVerified && people[0].isDisabled)
            #expect(people[0].scheme == .bcrypt(cost: 10))
            #expect(people[0].displayName == "Ada L." && people[0].photoURL == "https://x.example/a")
            #expect(people[0].createdAt == Moment(milliseconds: 1_672_531_200_000))
            #expect(people[0].lastLoginAt == Moment(milliseconds: 1_672_628_645_600))
            #expect(people[0].phoneNumber == "+49301234")
            #expect(people[0].notKept == ["google", "raw_user_meta_data"])
            #expect(people[1].email == nil && !people[1].hasPassword && !people[1].isDisabled)
            #expect(people[1].notKept.isEmpty)
        }
    }

    @Test func `Auth0's profiles and its password hashes are read, alone and together`() throws {
        let profile = """
            {"user_id":"auth0|5dea","email":"ada@shop.example","email_verified":true,"name":"ada@shop.example",\
            "picture":"https://x.example/a","created_at":"2019-12-06T18:36:12.412Z","last_login":"2020-01-01T00:00:00.000Z",\
            "blocked":true,"identities":[{"provider":"auth0"},{"provider":"google-oauth2"}],"user_metadata":{"a":1},\
            "app_metadata":{}}
            {"user_id":"google-oauth2|7","email":"bob@shop.example","name":"Bob"}
            """
        let people = try accounts(profile, from: .auth0).map { try $0.account.get() }
        #expect(people.map(\.id) == ["auth0|5dea", "google-oauth2|7"])
        #expect(people[0].isEmailVerified && people[0].isDisabled && people[0].displayName == nil)
        #expect(people[0].photoURL == "https://x.example/a")
        #expect(people[0].createdAt == Moment(milliseconds: 1_575_657_372_412))
        #expect(people[0].notKept == ["google-oauth2", "user_metadata"])
        #expect(people[1].notKept == ["google-oauth2"] && people[1].displayName == "Bob")

        let hashes = """
            {"_id":{"$oid":"5dea"},"email_verified":false,"email":"ada@shop.example","passwordHash":"\(Self.bcrypt)",\
            "password_set_date":{"$date":"2019-12-06T18:36:12.412Z"},"tenant":"t","connection":"c","_tmp_is_unique":true}
            {"_id":{"$oid":"5deb"},"alt_id":"euclid","passwordHash":"\(Self.bcrypt)",\
            "identifiers":[{"type":"email","value":"euclid@shop.example","verified":true}]}
            """
        let others = try accounts(hashes, from: .auth0).map { try $0.account.get() }
        #expect(others.map(\.id) == ["auth0|5dea", "auth0|euclid"])
        #expect(others.map { $0.email?.text } == ["ada@shop.example", "euclid@shop.example"])
        #expect(others.map(\.isEmailVerified) == [false, true])
        #expect(others.map(\.scheme) == [.bcrypt(cost: 10), .bcrypt(cost: 10)])

        let csv = "user_id,email,email_verified,blocked\nauth0|1,ada@shop.example,true,\n"
        #expect(try accounts(csv, from: .auth0).map { try $0.account.get().isEmailVerified } == [true])
    }

    @Test func `Cognito's users come as CSV and as list-users wrote them`() throws {
        let csv = """
            name,given_name,family_name,email,email_verified,phone_number,cognito:mfa_enabled,cognito:username,custom:tier
            ,Ada,L.,ada@shop.example,TRUE,+49301234,TRUE,ada,gold
            """
        let json = """
            {"Users": [{"Username": "ada", "Attributes": [{"Name": "sub", "Value": "1b2c"},
              {"Name": "email", "Value": "ada@shop.example"}, {"Name": "email_verified", "Value": "true"},
              {"Name": "given_name", "Value": "Ada"}, {"Name": "family_name", "Value": "L."},
              {"Name": "phone_number", "Value": "+49301234"}, {"Name": "custom:tier", "Value": "gold"}],
              "UserCreateDate": 1500000000.25, "Enabled": false, "UserStatus": "CONFIRMED",
              "MFAOptions": [{"DeliveryMedium": "SMS"}]}]}
            """
        for (text, id) in [(csv, "ada"), (json, "1b2c")] as [(String, AccountID)] {
            let person = try #require(try accounts(text, from: .cognito).first).account.get()
            #expect(person.id == id && person.email?.text == "ada@shop.example" && person.isEmailVerified)
            #expect(person.displayName == "Ada L." && !person.hasPassword)
            #expect(person.isDisabled == (id == "1b2c"))
            #expect(person.phoneNumber == "+49301234")
            #expect(person.notKept == ["mfaInfo", "custom:tier"])
        }
        let person = try #require(try accounts(json, from: .cognito).first).account.get()
        #expect(person.createdAt == Moment(milliseconds: 1_500_000_000_250))
    }

    @Test func `Keycloak's realm has people, and accounts of services that are none`() throws {
        let realm = """
            {"realm": "shop", "roles": {"realm": [{"name": "users"}]}, "users": [
              {"id": "a1", "username": "ada", "email": "ada@shop.example", "emailVerified": true, "enabled": false,
               "firstName": "Ada", "lastName": "L.", "createdTimestamp": 1500000000000, "attributes": {"tier": ["gold"]},
               "credentials": [{"type": "otp", "secretData": "{}"}, {"type": "password-history"}],
               "federatedIdentities": [{"identityProvider": "github", "userId": "7"}], "requiredActions": []},
              {"id": "s1", "username": "service-account-x", "serviceAccountClientId": "x"}], "clients": []}
            """
        let rows = try accounts(realm, from: .keycloak)
        #expect(rows.map(\.line) == [2])
        let person = try #require(rows.first).account.get()
        #expect(person.id == "a1" && person.isEmailVerified && person.isDisabled && person.displayName == "Ada L.")
        #expect(person.createdAt == Moment(milliseconds: 1_500_000_000_000))
        #expect(person.notKept == ["otp", "github", "username", "attributes"])
    }

    @Test func `of Django's objects those that are users are taken`() throws {
        let dump = """
            [{"model": "contenttypes.contenttype", "pk": 1, "fields": {"app_label": "auth"}},
             {"model": "auth.user", "pk": 7, "fields": {"password": "!unusable", "last_login": null, "is_superuser": true,
               "username": "ada", "first_name": "Ada", "last_name": "L.", "email": "Ada@Shop.Example", "is_staff": false,
               "is_active": false, "date_joined": "2017-07-14T02:40:00Z", "groups": [], "user_permissions": [1]}},
             {"model": "people.person", "pk": "b2", "fields": {"password": "", "email": "bob@shop.example"}}]
            """
        let people = try accounts(dump, from: .django).map { try $0.account.get() }
        #expect(people.map(\.id) == ["7", "b2"])
        #expect(people[0].email?.text == "ada@shop.example" && !people[0].isEmailVerified && people[0].isDisabled)
        #expect(!people[0].hasPassword && people[0].displayName == "Ada L.")
        #expect(people[0].createdAt == Moment(milliseconds: 1_500_000_000_000))
        #expect(people[0].notKept == ["username", "is_superuser", "user_permissions"])
        #expect(people[1].notKept.isEmpty)
    }

    @Test func `plain CSV has columns of any name, and hashes that say what they are or that the operator names`()
        throws
    {
        let csv = """
            user_id,mail,pw,since,tier,email
            7,Ada@Shop.Example,\(Self.bcrypt),1500000000,gold,other
            """
        let named = "id=user_id,email=mail,passwordHash=pw,createdAt=since"
        let person = try #require(try accounts(csv, from: .csv, columns: named).first).account.get()
        #expect(person.id == "7" && person.email?.text == "ada@shop.example" && person.scheme == .bcrypt(cost: 10))
        #expect(person.createdAt == Moment(milliseconds: 1_500_000_000_000))
        #expect(person.notKept == ["tier", "column email"])
        let plain =
            "id,email,emailVerified,passwordHash,salt\n1,ada@shop.example,yes,\(String(repeating: "a", count: 32)),TmFDbA==\n"
        let scheme = PasswordScheme.digest(.md5, rounds: 1, isSaltFirst: true)
        #expect(try accounts(plain, from: .csv, scheme: scheme).first?.account.get().scheme == scheme)
    }

    @Test(arguments: [
        (AccountSource.csv, "mail\nx", "the first row names no column id"), (.csv, "id,id\n", "names a column twice"),
        (.csv, "[]", "csv reads CSV"), (.django, "id,email\n", "it is no JSON"), (.keycloak, "id\n", "it is no JSON"),
        (.supabase, "email\nx@y.example\n", "the first row names no column id"), (.auth0, "", "the file is empty"),
        (.auth0, #"{"user_id":"a"}{"user_id":"#, "ends in the middle"), (.auth0, #"{"user_id":"a"},"#, "outside"),
        (.cognito, #"{"users": []}"#, "has no \"Users\""), (.django, #"[{"pk": 1}"#, "ends in the middle"),
        (.supabase, "id,email\n1,\"open", "never closed"),
    ])
    func `a file that is broken, or of another system, is refused whole`(
        source: AccountSource, text: String, reason: String
    ) {
        do {
            _ = try accounts(text, from: source)
            Issue.record("\(text) was read")
        } catch {
            #expect("\(error)".contains(reason), "\(error)")
        }
    }

    private static let long = String(repeating: "x", count: 2_049)

    @Test(arguments: [
        (
            AccountSource.supabase,
            #"{"id":"1","email":"ada@shop.example","created_at":"yesterday","last_sign_in_at":"never","phone":"ext. 7","#
                + #""raw_user_meta_data":{"name":"\#(long)","picture":"\#(long)"}}"#,
            ["displayName", "photoUrl", "createdAt", "lastSignedInAt", "phoneNumber"]
        ),
        (
            .auth0,
            #"{"user_id":"1","email":"ada@shop.example","name":"\#(long)","picture":["x"],"created_at":"yesterday","#
                + #""last_login":"never","phone_number":true}"#,
            ["displayName", "photoUrl", "createdAt", "lastSignedInAt", "phoneNumber"]
        ),
        (
            .cognito,
            #"{"Users":[{"Username":"1","UserCreateDate":"yesterday","Attributes":[{"Name":"email","Value":"#
                + #""ada@shop.example"},{"Name":"given_name","Value":"\#(long)"},"#
                + #"{"Name":"picture","Value":"\#(long)"}]}]}"#,
            ["displayName", "photoUrl", "createdAt"]
        ),
        (
            .keycloak,
            #"{"users":[{"id":"1","email":"ada@shop.example","firstName":"\#(long)","createdTimestamp":"yesterday"}]}"#,
            ["displayName", "createdAt"]
        ),
        (
            .django,
            #"{"pk":1,"fields":{"email":"ada@shop.example","last_name":"\#(long)","date_joined":"yesterday","#
                + #""last_login":"never"}}"#,
            ["displayName", "createdAt", "lastSignedInAt"]
        ),
        (
            .firebase,
            #"{"users":[{"localId":"1","email":"ada@shop.example","displayName":"\#(long)","photoUrl":"\#(long)","#
                + #""phoneNumber":"12","createdAt":"yesterday","lastSignedInAt":"never","providerUserInfo":"#
                + #"[{"providerId":"google.com"}]}]}"#,
            ["displayName", "photoUrl", "phoneNumber", "createdAt", "lastSignedInAt", "providerUserInfo"]
        ),
        (
            .firebase,
            "1,ada@shop.example,,,,\(long),\(long)" + String(repeating: ",", count: 17) + "yesterday,never,12,,\n",
            ["displayName", "photoUrl", "createdAt", "lastSignedInAt", "phoneNumber"]
        ),
    ])
    func `what only says more about somebody keeps nobody out, and is counted`(
        source: AccountSource, text: String, missing: [String]
    ) throws {
        let person = try accounts(text, from: source)[0].account.get()
        #expect(person.id == "1" && person.email?.text == "ada@shop.example")
        #expect(person.notKept.sorted() == missing.sorted())
        #expect(person.displayName == nil && person.photoURL == nil && person.phoneNumber == nil)
        #expect(person.createdAt == nil && person.lastLoginAt == nil && person.identities.isEmpty)
    }

    @Test(arguments: [
        (AccountSource.supabase, "id,email\n1\n", "there are 1 columns, where the first row names 2"),
        (.supabase, #"{"id":"1","encrypted_password":"$6$salt$hash"}"#, "sha512crypt, which Homing does not verify"),
        (.supabase, #"{"id":"1","encrypted_password":"{\"kid\":1}"}"#, "an algorithm that it does not name"),
        (.supabase, #"{"id":"1","deleted_at":"2023-01-01 00:00:00+00"}"#, "was deleted"),
        (.supabase, #"{"id":"1","banned_until":"some day"}"#, "banned_until is no time"),
        (
            .supabase, #"{"id":"1","encrypted_password":"$fbscrypt$v=1,n=40,r=8,p=1,ss=,sk=AAAA$AAAA$AAAA"}"#,
            "memory cost"
        ),
        (.auth0, #"{"email":"ada@shop.example"}"#, "user_id is missing"),
        (.auth0, #"{"user_id":"a","custom_password_hash":{"algorithm":"ldap"}}"#, "ldap (custom_password_hash), which"),
        (
            .auth0, #"{"user_id":"a","passwordHash":"$2b$31$abcdefghijklmnopqrstuuxmM2LWfxFfsw7CBLfyuCzOrhaxxlSDy"}"#,
            "cost of 15"
        ),
        (.cognito, #"{"Users":[{"Username":"\#(String(repeating: "a", count: 129))"}]}"#, "more than 128 bytes"),
        (.django, #"{"pk":1,"fields":{"password":"pbkdf2_sha256$9223372036854775807$s$AAAA"}}"#, "rounds can be 1 to"),
        (
            .django, #"{"pk":1,"fields":{"password":"pbkdf2_sha1$2000000$s$\#(String(repeating: "A", count: 120))"}}"#,
            "costs too much"
        ),
        (.django, #"{"pk":1,"fields":{"password":"scrypt$1048576$s$8$1$AAAA"}}"#, "64 MiB"),
        (.django, #"{"pk":1,"fields":{"password":"pbkdf2_wrapped_md5$1$s$AAAA"}}"#, "pbkdf2_wrapped_md5, which"),
        (
            .django,
            #"{"pk":1,"fields":{"password":"argon2$argon2id$v=19$m=4194304,t=2,p=1$c2Vhc2FsdHNhbHQ$AAAAAAAA"}}"#,
            "128 MiB"
        ),
        (
            .django, #"{"pk":1,"fields":{"password":"0123456789abcdef0123456789abcdef"}}"#,
            "an algorithm that it does not name"
        ),
        (.keycloak, keycloak("pbkdf2-md4", 1000), "pbkdf2-md4, which Homing does not verify"),
        (.keycloak, keycloak("pbkdf2", 0), "rounds can be 1 to"), (.keycloak, keycloak("argon2", 5), "other than 1.3"),
        (.csv, "id,disabled\n1,maybe\n", "disabled is neither true nor false"),
    ])
    func `an account that cannot be taken says why, and names the algorithm`(
        source: AccountSource, text: String, reason: String
    ) throws {
        let row = try #require(try accounts(text, from: source).first)
        do {
            _ = try row.account.get()
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.description.contains(reason), "\(error)")
            #expect(!error.description.contains("0123456789abcdef"))
        }
    }

    /// A realm with one password.
    private static func keycloak(_ algorithm: String, _ rounds: Int) -> String {
        #"{"users":[{"id":"1","credentials":[{"type":"password","secretData":"{\"value\":\"AAAAAAAAAAAAAAAAAAAAAA==\",\"salt\":\"AAAA\"}","#
            + #""credentialData":"{\"hashIterations\":\#(rounds),\"algorithm\":\"\#(algorithm)\"}"}]}]}"#
    }

    @Test func `an account whose password cannot be verified is taken without it where that is asked for`() throws {
        let text = #"{"pk":1,"fields":{"email":"ada@shop.example","password":"crypt$$ab01FAX.bQRSU"}}"#
        #expect(throws: ImportedAccount.Fault.self) { try accounts(text, from: .django)[0].account.get() }
        let person = try accounts(text, from: .django, takesWithoutPassword: true)[0].account.get()
        #expect(person.email?.text == "ada@shop.example" && !person.hasPassword && person.notKept == ["password"])
        // It is about the password alone.
        #expect(throws: ImportedAccount.Fault.self) {
            try accounts(#"{"pk":1,"fields":{"email":"x"}}"#, from: .django, takesWithoutPassword: true)[0].account
                .get()
        }
    }
}
