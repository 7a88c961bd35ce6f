import Chronology
import Foundation
import IdentityTestSupport
import Localization
import Storage
import StorageTestSupport
import Testing

@testable import Identity

/// taxi.md R101, R102, R105; SB12.
@Suite("Profiles")
struct ProfileTests {
    private let now = TestCity.start

    @Test(
        "every field changes; what is wrong changes nothing (SB12, R102)",
        arguments: TestEngine.allCases
    )
    func changes(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            let mario = try await city.person("mario")
            var change = ProfileChange()
            change.name = " Màrio "
            change.surname = ""
            #expect(
                try await refusal { try await city.accounts.change(change, of: mario, at: now) }
                    == .invalid([FieldProblem(.surname, .missing)])
            )
            #expect(try await city.accounts.profile(of: mario).name == "Nomemario")
            change.surname = "Rossi"
            change.address = ""
            change.phone = "0039 02 1234567"
            change.language = .italian
            change.preferences = Preferences(
                channels: [.sms],
                quiet: Preferences.Quiet(from: 1_320, until: 420)
            )
            try await city.accounts.change(change, of: mario, at: now)
            let profile = try await city.accounts.profile(of: mario)
            #expect(profile.name == "Màrio" && profile.surname == "Rossi")
            #expect(profile.address.isEmpty && profile.language == .italian)
            #expect(profile.preferences == change.preferences)
            #expect(
                try await refusal {
                    try await city.accounts.change(change, of: PersonNumber(rawValue: 1), at: now)
                } == .noSuchPerson
            )
        }
    }

    @Test("preferences are read as they were written, and nothing else is")
    func preferences() {
        let quiet = Preferences.Quiet(from: 1_320, until: 420)
        for preferences in [
            Preferences(), Preferences(channels: []), Preferences(channels: [.sms, .mail]),
            Preferences(quiet: quiet),
            Preferences(quiet: quiet, choices: ["offer": [.push], "password-old": []]),
        ] {
            for program in Preferences.Navigation.allCases {
                var preferences = preferences
                preferences.navigation = program
                #expect(Preferences(preferences.text) == preferences)
                preferences.navigationOpens = true
                #expect(Preferences(preferences.text) == preferences)
            }
        }
        #expect(quiet?.contains(minute: 1_439) == true && quiet?.contains(minute: 420) == false)
        for text in [
            "", "mail", "fax;;", "mail;;;built-in", "mail;;;stars", "mail;;;waze;", "mail;1-2;;",
            "mail;;;waze ", "mail;;;waze itself ", "mail;;;waze self", "mail;;;itself",
            "mail;1;", "mail;1-1;", "mail;-1-5;",
            "mail;0-1440;", "mail;;offer", "mail;;Offer=mail", "mail;;offer=fax", "mail;;=mail",
            "mail;;a=mail,", "mail;;" + String(repeating: "a", count: 41) + "=mail",
        ] {
            #expect(Preferences(text) == nil)
        }
    }

    @Test(
        "an e-mail address holds until the new one is confirmed (R102)",
        arguments: TestEngine.allCases
    )
    func email(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            let mario = try await city.person("mario")
            let grant = try await city.logIn("mario")
            let change = { (text: String, moment: Moment) in
                try await city.accounts.changeEmail(
                    to: text,
                    by: grant.session,
                    from: TestCity.home,
                    at: moment
                )
            }
            let late = now.adding(seconds: 600)
            #expect(try await refusal { try await change("a@b.org", late) } == .passwordNeeded)
            try await change("wrong@example.org", now)
            let first = try await city.token(.confirmNewEmail)
            try await change("new@example.org", now)
            #expect(try await city.mails().last?.contents.to == "new@example.org")
            #expect(
                try await refusal {
                    try await city.accounts.confirmChange(.email, first, at: now)
                } == .badToken,
                "a link proves the address that it was sent to"
            )
            _ = try await city.logIn("mario@example.org")
            try await change("new@example.org", now)
            let token = try await city.token(.confirmNewEmail)
            #expect(try await city.accounts.profile(of: mario).pendingEmail == "new@example.org")
            try await city.accounts.forgotPassword(of: "mario", from: TestCity.home, at: now)
            let reset = try await city.token(.resetPassword)
            try await city.accounts.confirmChange(.email, token, at: now)
            _ = try await city.logIn("new@example.org")
            #expect(
                try await refusal { _ = try await city.logIn("mario@example.org") }
                    == .wrongCredentials
            )
            #expect(
                try await refusal {
                    _ = try await city.accounts.beginReset(reset, device: "", at: now)
                } == .badToken,
                "links that went to the old address are void"
            )
            #expect(try await city.accounts.profile(of: mario).pendingEmail == nil)
            #expect(try await city.count(.emailChanging) == 3)
        }
    }

    @Test("a change to a known address tells its owner only, and may be aborted (R102)")
    func knownEmail() async throws {
        try await TestCity.with(.sqlite) { city in
            let mario = try await city.person("mario")
            try await city.person("luigi")
            let grant = try await city.logIn("mario")
            try await city.accounts.changeEmail(
                to: "LUIGI@example.org",
                by: grant.session,
                from: TestCity.home,
                at: now
            )
            #expect(try await city.count(.confirmNewEmail) == 0)
            #expect(try await city.mails().last?.contents.to == "luigi@example.org")
            try await city.accounts.abortChange(.email, of: mario)
            #expect(try await city.accounts.profile(of: mario).pendingEmail == nil)
        }
    }

    @Test(
        "changes to a known address end when those to a free one do, given up or not (R102)",
        arguments: TestEngine.allCases
    )
    func manyChanges(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            try await city.person("luigi")
            for (name, email) in [("mario", "luigi@example.org"), ("carla", "free@example.org")] {
                let person = try await city.person(name)
                let session = try await city.logIn(name).session
                var answers: [AccountFailure?] = []
                for _ in 1...5 {
                    answers.append(
                        try await refusal {
                            try await city.accounts.changeEmail(
                                to: email,
                                by: session,
                                from: TestCity.home,
                                at: now
                            )
                        }
                    )
                    try await city.accounts.abortChange(.email, of: person)
                }
                #expect(answers == [nil, nil, nil, .tooManyMessages, .tooManyMessages], "\(name)")
            }
            #expect(try await city.count(.alreadyRegistered) == 3)
            #expect(try await city.count(.confirmNewEmail) == 3)
        }
    }

    @Test(
        "a user name holds until the new one is confirmed, and stays unique (R96, R102)",
        arguments: TestEngine.allCases
    )
    func userName(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            let mario = try await city.person("mario")
            try await city.person("luigi")
            let grant = try await city.logIn("mario")
            let change = { (text: String) in
                try await refusal {
                    try await city.accounts.changeUserName(
                        to: text,
                        by: grant.session,
                        from: TestCity.home,
                        at: now
                    )
                }
            }
            #expect(try await change("Luigi") == .invalid([FieldProblem(.userName, .taken)]))
            #expect(try await change("x") == .invalid([FieldProblem(.userName, .badFormat)]))
            #expect(try await change("MarioNuovo") == nil)
            _ = try await city.logIn("mario")
            let token = try await city.token(.confirmNewUserName)
            try await city.accounts.confirmChange(.userName, token, at: now)
            _ = try await city.logIn("marionuovo")
            #expect(
                try await refusal { _ = try await city.logIn("mario") } == .wrongCredentials
            )
            #expect(try await city.accounts.profile(of: mario).userName == "MarioNuovo")
            let luigi = try await city.number("luigi")
            let other = try await city.logIn("luigi")
            try await city.accounts.changeUserName(
                to: "Mario",
                by: other.session,
                from: TestCity.home,
                at: now
            )
            try await city.accounts.abortChange(.userName, of: luigi)
            let aborted = try await city.token(.confirmNewUserName)
            #expect(
                try await refusal {
                    try await city.accounts.confirmChange(.userName, aborted, at: now)
                } == .badToken
            )
        }
    }

    @Test("a new text asks for a new consent (R97, R105)")
    func consent() async throws {
        try await TestCity.with(.sqlite) { city in
            let mario = try await city.person("mario")
            #expect(try await city.accounts.hasConsented(mario))
            var settings = AccountSettings()
            settings.consentVersion = "3"
            let later = Accounts(
                data: city.data,
                keys: city.accounts.keys,
                secret: city.accounts.secret,
                workers: city.accounts.workers,
                outgoing: city.accounts.outgoing,
                settings: settings
            )
            #expect(try await !later.hasConsented(mario))
            #expect(
                try await refusal { try await later.consent(to: "2", by: mario, at: now) }
                    == .invalid([FieldProblem(.consent, .badFormat)])
            )
            try await later.consent(to: "3", by: mario, at: now)
            #expect(try await later.hasConsented(mario))
        }
    }

    @Test("a person gets all that is stored, and what other rooms add (R105)")
    func export() async throws {
        try await TestCity.with(.sqlite) { city in
            let mario = try await city.person("mario")
            _ = try await city.logIn("mario")
            let text = try await city.accounts.export(
                of: mario,
                at: now,
                adding: [
                    { _ in ExportSection(name: "rides", json: "[1, 2]") },
                    { _ in ExportSection(name: "a \"b\"", json: "null") },
                ]
            )
            let document = try JSONSerialization.jsonObject(with: Data(text.utf8))
            let parts = try #require(document as? [String: Any])
            #expect(parts["rides"] as? [Int] == [1, 2])
            #expect(parts["a \"b\""] is NSNull)
            let account = try #require(parts["account"] as? [String: Any])
            let fields = try #require(account["fields"] as? [String: String])
            #expect(fields["email"] == "mario@example.org")
            #expect(fields["password"] == nil)
            let logIns = try #require(account["logIns"] as? [[String: Any]])
            #expect(logIns.first?["address"] as? String == "192.0.2.1")
            #expect((parts["sessions"] as? [Any])?.count == 1)
            #expect((account["consents"] as? [Any])?.count == 1)
        }
    }
}
