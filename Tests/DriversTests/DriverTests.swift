import Chronology
import Identity
import IdentityTestSupport
import Storage
import StorageTestSupport
import Testing

@testable import Drivers

/// taxi.md R1, R2, R6, R11, R13, R95, R104, R124; SB2, SB14.
@Suite("Drivers")
struct DriverTests {
    private let now = TestCity.start

    @Test(
        "a driver registers, confirms, is verified, and only then may drive (SB2, R95, R124)",
        arguments: TestEngine.allCases
    )
    func registers(engine: TestEngine) async throws {
        try await TestCity.withDrivers(engine) { city in
            let accounts = city.accounts
            var form = Registration.sample("carlo")
            form.phone = ""
            let register = { [form] (phone: String, papers: DriverPapers) in
                var form = form
                form.phone = phone
                return try await refusal {
                    try await accounts.drivers.register(form, papers, from: TestCity.home, at: now)
                }
            }
            #expect(
                try await register("", .sample(1))?.problems == [FieldProblem(.phone, .missing)]
            )
            #expect(try await register("333 1112222", .sample(1)) == nil)
            let carlo = try await city.number("carlo")
            let obstacle = {
                try await drivingRefusal {
                    try await accounts.drivers.checkMayDrive(carlo, at: now)
                }
            }
            #expect(try await obstacle() == .mayNotDrive(.account))
            try await accounts.confirmRegistration(
                try await city.token(.confirmRegistration),
                at: now
            )
            #expect(try await obstacle() == .mayNotDrive(.awaitingVerification))
            #expect(try await accounts.drivers.list(.awaiting, at: now).map(\.person) == [carlo])
            let admin = try await city.administrator()
            try await accounts.drivers.decide(
                on: .sample(1),
                of: carlo,
                refusal: "blurred",
                by: admin,
                at: now
            )
            #expect(try await obstacle() == .mayNotDrive(.refused))
            try await accounts.drivers.decide(on: .sample(1), of: carlo, by: admin, at: now)
            #expect(try await obstacle() == nil)
            #expect(try await accounts.drivers.list(.awaiting, at: now).isEmpty)
            #expect(try await city.count(.driverVerified) == 1)
            let session = try await city.logIn("carlo").session
            #expect(session.roles == [.traveller, .driver])
            #expect(
                try await refusal {
                    try await accounts.drivers.decide(
                        on: .sample(1),
                        of: carlo,
                        by: session,
                        at: now
                    )
                } == .notAllowed(needs: .serviceOperator)
            )
            let keys = try await city.keyDatabase.read {
                try $0.count("SELECT count(*) AS count FROM person_key")
            }
            #expect(keys == 3, "the driver, the taxi and the administrator")
        }
    }

    @Test(
        "each identifier of R2 belongs to one driver, however it is written",
        arguments: TestEngine.allCases
    )
    func unique(engine: TestEngine) async throws {
        try await TestCity.withDrivers(engine) { city in
            let admin = try await city.administrator()
            try await city.accounts.drivers.enter(
                .sample(1),
                invites: false,
                by: admin,
                at: now
            )
            let first = DriverEntry.sample(1)
            let enter = { (change: (inout DriverEntry) -> Void) in
                var entry = DriverEntry.sample(2)
                change(&entry)
                return try await problems { [entry] in
                    try await city.accounts.drivers.enter(
                        entry,
                        invites: false,
                        by: admin,
                        at: now
                    )
                }
            }
            #expect(
                try await enter { $0.papers.taxiCode = "t-000 01" }
                    == [FieldProblem(.taxiCode, .taken)]
            )
            #expect(
                try await enter { $0.papers.plate = "fa 001-aa" }
                    == [FieldProblem(.plate, .taken)]
            )
            #expect(
                try await enter { $0.papers.taxiLicence = first.papers.taxiLicence }
                    == [FieldProblem(.taxiLicence, .taken)]
            )
            #expect(
                try await enter { $0.papers.drivingLicence = "mi0000001a" }
                    == [FieldProblem(.drivingLicence, .taken)]
            )
            #expect(
                try await enter { $0.mobile = "+39 333 000.0001" }
                    == [FieldProblem(.phone, .taken)]
            )
            #expect(
                try await enter { $0.email = "DRIVER1@example.org" }
                    == [FieldProblem(.email, .taken)]
            )
            #expect(
                try await enter {
                    $0.papers.taxiCode = first.papers.taxiCode
                    $0.papers.plate = first.papers.plate
                } == [FieldProblem(.taxiCode, .taken), FieldProblem(.plate, .taken)]
            )
            #expect(try await enter { _ in }.isEmpty)
            let second = try await city.accounts.people(with: .driver)
            var change = ProfileChange()
            change.phone = "3330000001"
            for driver in second {
                let failure = try await refusal {
                    try await city.accounts.change(change, of: driver, at: TestCity.start)
                }
                let own = try await city.accounts.drivers.driver(driver)?.mobile == "+393330000001"
                #expect(failure == (own ? nil : .invalid([FieldProblem(.phone, .taken)])))
            }
        }
    }

    @Test("a taxi is shared by shifts only where the policy says so (R13)")
    func shared() async throws {
        var shared = DriverSettings()
        shared.taxisAreShared = true
        try await TestCity.withDrivers(.sqlite) { [shared] city in
            let drivers = DriverRegistry(city.accounts, settings: shared)
            let admin = try await city.administrator()
            let first = try await drivers.enter(
                .sample(1),
                invites: false,
                by: admin,
                at: now
            )
            var entry = DriverEntry.sample(2)
            entry.papers.taxiCode = DriverEntry.sample(1).papers.taxiCode
            let otherPlate = entry
            let refused = try await problems {
                try await drivers.enter(
                    otherPlate,
                    invites: false,
                    by: admin,
                    at: now
                )
            }
            #expect(
                refused == [FieldProblem(.taxiCode, .taken)],
                "the same taxi has the same plate"
            )
            entry.papers.plate = DriverEntry.sample(1).papers.plate
            let second = try await drivers.enter(
                entry,
                invites: false,
                by: admin,
                at: now
            )
            let taxi = try await drivers.driver(first)?.taxi
            #expect(try await drivers.driver(second)?.taxi == taxi)
            try await drivers.remove(first, by: admin, at: now)
            #expect(try await drivers.driver(second)?.papers.plate == "FA001AA")
            try await drivers.remove(second, by: admin, at: now)
            #expect(try await city.count("SELECT count(*) AS count FROM taxi") == 0)
            #expect(try await city.accounts.keys.key(of: try #require(taxi)) == nil)
        }
    }

    @Test(
        "new papers hold once verified, the old ones until then (SB14)",
        arguments: TestEngine.allCases
    )
    func renews(engine: TestEngine) async throws {
        try await TestCity.withDrivers(engine) { city in
            let drivers = city.accounts.drivers
            let admin = try await city.administrator()
            let driver = try await drivers.enter(.sample(1), invites: false, by: admin, at: now)
            try await city.data.write { transaction in
                try transaction.execute("UPDATE person SET confirmed = 1")
            }
            try await drivers.checkMayDrive(driver, at: now)
            let late = now.adding(seconds: 400 * 86_400)
            let day = try #require(CivilDate(iso8601: "2027-01-31"))
            #expect(
                try await drivingRefusal { try await drivers.checkMayDrive(driver, at: late) }
                    == .mayNotDrive(.taxiLicenceExpired(day))
            )
            var papers = DriverPapers.sample(1)
            papers.taxiLicenceExpires = "2026-01-01"
            let expired = papers
            let refused = try await problems {
                try await drivers.proposePapers(expired, of: driver, at: now)
            }
            #expect(refused == [FieldProblem(.taxiLicenceExpires, .expired)])
            papers.taxiLicenceExpires = "2030-01-31"
            papers.taxiCode = "NEW 7"
            papers.plate = "GG777GG"
            try await drivers.proposePapers(papers, of: driver, at: now)
            let before = try #require(try await drivers.driver(driver))
            #expect(before.papers == .sample(1))
            #expect(before.proposed?.taxiCode == "NEW7")
            #expect(try await drivers.list(.awaiting, at: now).map(\.person) == [driver])
            try await drivers.checkMayDrive(driver, at: now)
            let proposed = try #require(before.proposed)
            #expect(
                try await refusal {
                    try await drivers.decide(
                        on: .sample(2),
                        of: driver,
                        by: admin,
                        at: now
                    )
                } == .changedMeanwhile,
                "what was looked at is what is decided about"
            )
            try await drivers.decide(
                on: proposed,
                of: driver,
                refusal: "blurred",
                by: admin,
                at: now
            )
            try await drivers.checkMayDrive(driver, at: now)
            #expect(try await drivers.driver(driver)?.proposed == nil)
            try await drivers.proposePapers(papers, of: driver, at: now)
            try await drivers.decide(on: proposed, of: driver, by: admin, at: now)
            let after = try #require(try await drivers.driver(driver))
            #expect(after.papers.plate == "GG777GG" && after.proposed == nil)
            #expect(after.taxi != before.taxi)
            #expect(try await city.count("SELECT count(*) AS count FROM taxi") == 1)
            try await drivers.checkMayDrive(driver, at: late)
            papers = after.papers
            papers.plate = "GG888GG"
            try await drivers.update(driver, ProfileChange(), papers, by: admin, at: now)
            let newCar = try #require(try await drivers.driver(driver))
            #expect(newCar.taxi == after.taxi && newCar.papers == papers)
            let keys = try await city.keyDatabase.read {
                try $0.count("SELECT count(*) AS count FROM person_key")
            }
            #expect(keys == 3)
        }
    }

    @Test("the city enters a driver, whose invitation proves the address (R1, R6)")
    func invites() async throws {
        try await TestCity.withDrivers(.sqlite) { city in
            let accounts = city.accounts
            let admin = try await city.administrator()
            let driver = try await accounts.drivers.enter(
                .sample(1),
                invites: true,
                by: admin,
                at: now
            )
            #expect(try await accounts.standing(of: driver) == .unconfirmed)
            try await accounts.forgotPassword(
                of: "driver1@example.org",
                from: TestCity.home,
                at: now
            )
            #expect(try await city.count(.invitation) == 2, "no other link would help")
            let token = try await city.token(.invitation)
            let grant = try await accounts.beginReset(token, device: "", at: now)
            _ = try await accounts.changePassword(
                grant.token,
                old: "",
                new: "Battery9staple",
                again: "Battery9staple",
                from: TestCity.home,
                at: now
            )
            _ = try await city.logIn("driver1@example.org", password: "Battery9staple")
            try await accounts.drivers.checkMayDrive(driver, at: now)
            #expect(
                try await refusal { try await accounts.drivers.invite(driver, by: admin, at: now) }
                    == .noSuchPerson
            )
            var change = ProfileChange()
            change.surname = "Neri"
            try await accounts.drivers.update(
                driver,
                change,
                .sample(3),
                by: admin,
                at: now
            )
            let updated = try #require(try await accounts.drivers.driver(driver))
            #expect(updated.surname == "Neri" && updated.papers == .sample(3))
            #expect(updated.verification == .verified)
            #expect(try await accounts.drivers.list(at: now) == [updated])
            #expect(try await accounts.drivers.list(after: driver, at: now).isEmpty)
            for text in ["t 00003", "fa-003-aa", "3", "MI0000003A", "333 0000001"] {
                #expect(try await accounts.drivers.find(text) == [driver], "\(text)")
            }
            #expect(try await accounts.drivers.find("nobody").isEmpty)
            #expect(try await accounts.findPerson("driver1@example.org") == driver)
        }
    }

    @Test(
        "Italy's forms (R11)",
        arguments: [
            ("plate", "ab 123 cd", "AB123CD"), ("plate", "AI123BC", nil),
            ("plate", "AB1234C", nil), ("plate", "ÀB123CD", nil), ("plate", "", nil),
            ("driving", "mi 1234567-a", "MI1234567A"), ("driving", "U1A2B3C4DE", "U1A2B3C4DE"),
            ("driving", "MI123456A", nil), ("driving", "U2A2B3C4DE", nil),
            ("taxi", "12345", "12345"), ("taxi", "123456", nil), ("taxi", "12A", nil),
            ("code", "sierra 12", "SIERRA12"), ("code", "a", nil), ("code", "12345678901", nil),
            ("phone", "333 1234567", "+393331234567"),
            ("phone", "+44 20 7946 0000", "+442079460000"),
            ("phone", "0044-20-7946-0000", "+442079460000"), ("phone", "+0333", nil),
            ("phone", "12", nil), ("phone", "++393331234567", nil), ("phone", "333123456７", nil),
        ] as [(String, String, String?)]
    )
    func forms(kind: String, text: String, expected: String?) throws {
        let italy = try CountryFormats(CountryFormats.italianText)
        #expect(italy == .italy && italy.country == "IT")
        let found =
            switch kind {
            case "plate": italy.plate(text)
            case "driving": italy.drivingLicence(text)
            case "taxi": italy.taxiLicence(text)
            case "code": italy.taxiCode(text)
            default: AccountSettings().phones.number(text)
            }
        #expect(found == expected)
    }

    @Test("a format file that cannot be read names its line")
    func badFormats() {
        #expect(throws: BadFormatLine(number: 2)) { try CountryFormats("country IT\nplates AA") }
        #expect(throws: BadFormatLine(number: 1)) { try CountryFormats("country") }
        #expect(throws: BadFormatLine(number: 0)) { try CountryFormats("country IT # only") }
    }
}
