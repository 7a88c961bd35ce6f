import Chronology
import Dispatching
import Drivers
import Fares
import Identity
package import Localization
import Logging
import Notify
import Taxi
import TaxiPages
package import WebCore

/// A step on the way from nothing to an open city, in the order in which they are best done.
package enum SetUpStep: CaseIterable, Hashable, Sendable {
    /// The city file is known.
    case cityFile
    /// Zones are in force (R3).
    case zones
    /// Drivers are entered (R1).
    case drivers
    /// A policy was chosen (taxi.md 1.11).
    case policy
    /// A tariff is in force.
    case tariff
    /// Mail goes out.
    case mail
    /// An administrator has confirmed that the data is complete (R4).
    case opening

    /// Whether the city cannot open without it.
    var isRequired: Bool {
        switch self {
        case .zones, .drivers, .policy, .opening: true
        case .cityFile, .tariff, .mail: false
        }
    }

    /// What it is called.
    package var title: Text {
        switch self {
        case .cityFile: SettingUpTexts.cityFileAndStreets
        case .zones: SettingUpTexts.zones
        case .drivers: SettingUpTexts.driversAndTaxis
        case .policy: SettingUpTexts.rulesOfTheService
        case .tariff: SettingUpTexts.tariff
        case .mail: SettingUpTexts.mail
        case .opening: SettingUpTexts.confirmAndOpen
        }
    }
}

/// How far the set-up of the city has come.
struct SetUp: Sendable {
    /// What is known of mail.
    enum Mail: Hashable, Sendable {
        /// The settings name no relay.
        case noRelay
        /// Nobody has asked for a test.
        case untested
        /// A test mail is on its way.
        case waiting
        /// The relay took a test mail.
        case works
        /// It did not, and what it said.
        case failed(answer: String)
    }

    var hasCityFile: Bool
    var zones: Int
    var taxis: Int
    /// How many drivers there are, by what their papers and licences are like.
    var drivers: [DriverFilter: Int]
    var policy: AdoptedPolicy?
    /// The tariff in force today.
    var tariff: Tariff?
    /// Whether there is a tariff at all, be it for later.
    var hasTariffs: Bool
    var mail: Mail
    /// Whether the city is open.
    var isOpen: Bool
    /// Why the service is suspended; nil while it is not.
    var suspension: String?

    /// Drivers whose papers wait for an administrator.
    var awaiting: Int { drivers[.awaiting] ?? 0 }

    /// Whether a step is done.
    func isDone(_ step: SetUpStep) -> Bool {
        switch step {
        case .cityFile: hasCityFile
        case .zones: zones > 0
        case .drivers: taxis > 0
        case .policy: policy != nil
        case .tariff: tariff != nil
        case .mail: mail == .works
        case .opening: isOpen
        }
    }

    /// What keeps the city from being open, in order.
    var missing: [SetUpStep] { SetUpStep.allCases.filter { $0.isRequired && !isDone($0) } }

    /// Whether nothing but the confirmation is missing.
    var isReady: Bool { missing == [.opening] }

    /// What is advised and not done.
    var advised: [SetUpStep] { SetUpStep.allCases.filter { !$0.isRequired && !isDone($0) } }
}

extension ConsolePages {
    /// How far the set-up has come.
    ///
    /// - Parameters:
    ///   - visit: the moment, by which the tariff in force is looked up.
    ///   - isWhole: whether also what keeps no city closed: who awaits a decision, and the mail.
    /// - Returns: the state of all steps.
    /// - Throws: `Failure.standingBy` where the taxis are served elsewhere.
    func setUp(_ visit: Visit, isWhole: Bool = true) async throws -> SetUp {
        let state = try await taxi.dispatch.read { state in
            (
                zones: state.zones.count, taxis: state.taxis.count { !$0.isRemoved },
                isOpen: state.isSetUp, suspension: state.suspension
            )
        }
        let tariffs = taxi.tariffs
        return SetUp(
            hasCityFile: city != nil,
            zones: state.zones,
            taxis: state.taxis,
            drivers: isWhole ? try await accounts.drivers.count(at: visit.now) : [:],
            policy: try await taxi.adoptedPolicies(limit: 1).first,
            tariff: tariffs.tariff(on: cityDay(visit.now)),
            hasTariffs: !tariffs.tariffs.isEmpty,
            mail: isWhole ? try await mailState() : .noRelay,
            isOpen: state.isOpen,
            suspension: state.suspension
        )
    }

    /// The steps that are missing before the city can open.
    package func missingSteps(_ visit: Visit) async throws -> [Text] {
        try await setUp(visit, isWhole: false).missing.map(\.title)
    }

    /// What became of the last test mail.
    private func mailState() async throws -> SetUp.Mail {
        guard settings.sendsMail else { return .noRelay }
        let rows = try await NotificationQueue(in: database).entries(of: .testMail, limit: 4)
        guard let latest = rows.first else { return .untested }
        let sent = rows.first { $0.channel == .mail && $0.posted == latest.posted }
        switch (sent ?? latest).state {
        case .sent: return .works
        case .queued, .sending, .routed:
            return .waiting
        case .bounced, .givenUp, .dropped:
            return .failed(answer: sent?.answer ?? "")
        }
    }
}
