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
import TripPlanning
package import WebCore

/// A step of the setup until the city can open, in the recommended order.
package enum SetUpStep: CaseIterable, Hashable, Sendable {
    /// The city file has been loaded.
    case cityFile
    /// Zones are in force (R3).
    case zones
    /// Drivers have been registered (R1).
    case drivers
    /// A policy has been chosen (taxi.md 1.11).
    case policy
    /// A tariff is in force.
    case tariff
    /// Mail delivery works.
    case mail
    /// An administrator has confirmed that the data is complete (R4).
    case opening

    /// Whether the step is required before the city can open.
    var isRequired: Bool {
        switch self {
        case .zones, .drivers, .policy, .opening: true
        case .cityFile, .tariff, .mail: false
        }
    }

    /// The title of the step.
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

/// The progress of the city's setup.
struct SetUp: Sendable {
    /// The state of mail delivery.
    enum Mail: Hashable, Sendable {
        /// The settings name no relay.
        case noRelay
        /// No test mail has been requested.
        case untested
        /// A test mail is being sent.
        case waiting
        /// The relay accepted a test mail.
        case works
        /// The relay rejected a test mail with this answer.
        case failed(answer: String)
    }

    var hasCityFile: Bool
    /// The name of a new city file that was refused.
    var refusedCityFile: String?
    var zones: Int
    var taxis: Int
    /// The number of drivers by the state of their papers and licences.
    var drivers: [DriverFilter: Int]
    var policy: AdoptedPolicy?
    /// The tariff that is in force today.
    var tariff: Tariff?
    /// Whether any tariff exists, even for a later date.
    var hasTariffs: Bool
    var mail: Mail
    /// Whether the city is open for service.
    var isOpen: Bool
    /// The reason why the service is suspended; nil if it is not.
    var suspension: String?

    /// The number of drivers whose papers await a decision.
    var awaiting: Int { drivers[.awaiting] ?? 0 }

    /// Whether a step is complete.
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

    /// The required steps that are not complete, in order.
    var missing: [SetUpStep] { SetUpStep.allCases.filter { $0.isRequired && !isDone($0) } }

    /// Whether only the final confirmation is missing.
    var isReady: Bool { missing == [.opening] }

    /// The recommended steps that are not complete.
    var advised: [SetUpStep] { SetUpStep.allCases.filter { !$0.isRequired && !isDone($0) } }
}

extension ConsolePages {
    /// The current progress of the setup.
    ///
    /// - Parameters:
    ///   - context: the request, whose time determines the tariff in force.
    ///   - isWhole: whether to include what is not required for opening: pending decisions and
    ///     mail.
    /// - Returns: the state of all steps.
    /// - Throws: `Failure.standingBy` if another server serves the taxis.
    func setUp(_ context: RequestContext, isWhole: Bool = true) async throws -> SetUp {
        let state = try await taxi.dispatch.read { state in
            (
                zones: state.zones.count, taxis: state.taxis.count { !$0.isRemoved },
                isOpen: state.isSetUp, suspension: state.suspension
            )
        }
        let tariffs = taxi.tariffs
        return SetUp(
            hasCityFile: city != nil,
            refusedCityFile: environment.cities.renewals.first { $0.isRefused }?.name,
            zones: state.zones,
            taxis: state.taxis,
            drivers: isWhole ? try await accounts.drivers.count(at: context.now) : [:],
            policy: try await taxi.adoptedPolicies(limit: 1).first,
            tariff: tariffs.tariff(on: cityDay(context.now)),
            hasTariffs: !tariffs.tariffs.isEmpty,
            mail: isWhole ? try await mailState() : .noRelay,
            isOpen: state.isOpen,
            suspension: state.suspension
        )
    }

    /// The titles of the steps that must be completed before the city can open.
    package func missingSteps(_ context: RequestContext) async throws -> [Text] {
        try await setUp(context, isWhole: false).missing.map(\.title)
    }

    /// The result of the last test mail.
    private func mailState() async throws -> SetUp.Mail {
        guard settings.sendsMail else { return .noRelay }
        let rows = try await NotificationQueue(in: database).entries(
            of: ServiceNotificationKind.testMail,
            limit: 4
        )
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
