import Chronology
import CityData
import Dispatching
import Drivers
import Fares
import Geo
import Identity
import Localization
import Taxi
import TaxiPages
import TripPlanning
import WebApp
import Zones

/// Sets up a demo city from nothing, with the same steps as an administrator on the console pages.
struct SetUp {
    /// The empty installation, which is already being served.
    let installation: Installation
    /// The messages sent to its accounts.
    let letters: SetUpLetters
    /// The number of taxis to create, in addition to those of visitors.
    let taxis: Int
    /// The seed from which the drivers are generated.
    let seed: UInt64

    var accounts: Accounts { installation.accounts }
    private var taxi: TaxiService { installation.taxi }
    var now: Moment { installation.clock.now() }
    /// The network address that the set-up signs in from.
    private static let address = ClientAddress("127.0.0.1")

    /// Performs all steps up to the confirmation that the data is complete.
    ///
    /// - Parameter zones: the zones of the city.
    /// - Throws: the error of the step that failed.
    func run(_ zones: ZoneSet) async throws {
        let session = try await administrator()
        try await draw(zones, session)
        try await enterDrivers(session)
        try await enterPassenger(zones)
        try await adoptRules(session)
        try await installation.fleet.reconcile()
        let act = try accounts.noting(
            .openService,
            object: "zones \(zones.count), taxis \(taxis)",
            by: session,
            at: now
        )
        _ = try await taxi.dispatch.give(.completeSetup) { _ in [act] }
        try await accounts.settleActs()
    }

    /// Creates the administrator, who signs in and sets the published password.
    private func administrator() async throws -> Session {
        let first = DemoAccount.password + "First"
        try await accounts.createAdministrator(
            registration(.serviceOperator, password: first),
            at: now
        )
        let form = LogInForm(
            name: DemoAccount.serviceOperator.userName,
            password: first,
            address: Self.address,
            device: "set-up"
        )
        guard case .session(let grant) = try await accounts.logIn(form, at: now) else {
            throw DemoFailure.noAdministrator
        }
        return try await accounts.changePassword(
            grant.token,
            old: first,
            new: DemoAccount.password,
            again: DemoAccount.password,
            from: Self.address,
            at: now
        ).session
    }

    private func draw(_ zones: ZoneSet, _ session: Session) async throws {
        let act = try accounts.noting(
            .publishZones,
            object: "\(zones.count) zones",
            by: session,
            at: now
        )
        let publication = Publication(by: session.person?.rawValue, note: "Demo")
        _ = try await taxi.draw(taxi.plan(zones), for: publication, with: [act])
    }

    /// Imports all drivers; the accounts for visitors set the published password.
    private func enterDrivers(_ session: Session) async throws {
        let zone = installation.settings.zoneTable
        let today = zone.local(Instant(seconds: now.milliseconds / 1_000)).date
        let table = SampleDrivers.csv(count: taxis, seed: seed, defects: 0, today: today)
        _ = try await accounts.drivers.importTable(
            Array(table.utf8),
            .allOrNothing,
            invites: false,
            by: session,
            at: now
        )
        let drivers = DemoAccount.allCases.filter(\.isDriver)
        for (number, account) in drivers.enumerated() {
            let last = today.adding(days: 3_650).iso8601
            let papers = DriverPapers(
                taxiCode: "T9900\(number + 1)",
                plate: "GA00\(number + 1)VV",
                taxiLicence: "9900\(number + 1)",
                taxiLicenceExpires: last,
                drivingLicence: "MI990000\(number + 1)Z",
                drivingLicenceExpires: last,
                make: "Toyota Prius",
                colour: "white"
            )
            let entry = DriverEntry(
                userName: account.userName,
                email: account.email,
                name: account.name.given,
                surname: account.name.family,
                mobile: "+39 333 990000\(number + 1)",
                papers: papers
            )
            let person = try await accounts.drivers.enter(
                entry,
                invites: true,
                by: session,
                at: now
            )
            try await choosePassword()
            let version = accounts.settings.consentVersion
            try await accounts.consent(to: version, by: person, at: now)
        }
    }

    /// Follows the link of the latest invitation and sets the password.
    private func choosePassword() async throws {
        let token = try await letters.token(of: .invitation, accounts)
        let grant = try await accounts.beginReset(token, device: "set-up", at: now)
        _ = try await accounts.changePassword(
            grant.token,
            old: "",
            new: DemoAccount.password,
            again: DemoAccount.password,
            from: Self.address,
            at: now
        )
    }

    /// Registers the passenger, whose home and work are in the middle of the first two zones.
    private func enterPassenger(_ zones: ZoneSet) async throws {
        guard let person = try await register(.passenger) else { return }
        for (name, found) in zip(["Home", "Work"], middles(of: zones)) {
            guard
                let place = SavedPlace(
                    name: name,
                    latitude: found.coordinate.latitude,
                    longitude: found.coordinate.longitude,
                    words: found.label
                )
            else { continue }
            _ = try await accounts.keep(place, of: person)
        }
    }

    /// Registers the person of an account and confirms it, as the letter asks.
    func register(_ account: DemoAccount) async throws -> PersonNumber? {
        let form = registration(account, password: DemoAccount.password)
        try await accounts.register(form, from: Self.address, at: now)
        let token = try await letters.token(of: .confirmRegistration, accounts)
        try await accounts.confirmRegistration(token, at: now)
        return try await accounts.findPerson(form.userName)
    }

    /// An address in the middle of each zone that has one.
    func middles(of zones: ZoneSet) -> [AddressMatch] {
        zones.zones.compactMap { zone in
            zone.area.bounds.flatMap { installation.city?.addresses.reverse($0.centre)?.match }
        }
    }

    private func adoptRules(_ session: Session) async throws {
        let policy = Policy.viavai
        let (author, note) = (session.person?.rawValue, "Demo")
        let old = try await taxi.dispatch.read { $0.policyHash }
        let adopting = try accounts.noting(
            .adoptPolicy,
            object: policy.name,
            by: session,
            at: now
        )
        _ = try await taxi.adopt(policy, by: author, note: note, replacing: old, with: [adopting])
        let pricing = try accounts.noting(.changeTariffs, by: session, at: now)
        try await taxi.adoptTariffs(TariffBook.example, by: author, note: note, with: [pricing])
    }

    private func registration(_ account: DemoAccount, password: String) -> Registration {
        Registration(
            userName: account.userName,
            email: account.email,
            password: password,
            passwordAgain: password,
            name: account.name.given,
            surname: account.name.family,
            phone: "+39 333 9900100",
            consent: accounts.settings.consentVersion
        )
    }
}
