import Chronology
import Dispatching
import Fares
import Localization
import Taxi
import TaxiPages

extension SetUpTexts {
    /// The state of a step, and what to do.
    static func text(of step: SetUpStep, _ setUp: SetUp) -> Text {
        switch step {
        case .cityFile:
            setUp.refusedCityFile.map { refusedCityFile($0) }
                ?? (setUp.hasCityFile ? cityFile : noCityFile)
        case .zones:
            setUp.zones > 0
                ? SetUpTexts.zonesInForce(setUp.zones)
                : noZones
        case .drivers: drivers(setUp)
        case .policy:
            setUp.policy.map { adopted in
                let name = adopted.policy?.name ?? ""
                return SetUpTexts.inForce(name)
            } ?? noPolicy
        case .tariff: tariff(setUp)
        case .mail: mail(setUp.mail)
        case .opening: setUp.isOpen ? isOpen : notOpen
        }
    }

    private static func drivers(_ setUp: SetUp) -> Text {
        let waiting = setUp.awaiting
        if setUp.taxis == 0 {
            return waiting > 0
                ? SetUpTexts.noTaxiRegistered(waiting)
                : SetUpTexts.enterDrivers
        }
        return SetUpTexts.taxisAndWaitingDrivers(setUp.taxis, waiting)
    }

    private static func tariff(_ setUp: SetUp) -> Text {
        if let tariff = setUp.tariff {
            return SetUpTexts.inForceSince(tariff.name, tariff.validFrom)
        }
        return setUp.hasTariffs
            ? SetUpTexts.theTariffsThatAreEntered
            : SetUpTexts.withoutATariffPassengersSee
    }

    private static func mail(_ state: SetUp.Mail) -> Text {
        switch state {
        case .noRelay:
            SetUpTexts.noMailServerIsSet
        case .untested:
            SetUpTexts.aMailServerIsSet
        case .waiting:
            SetUpTexts.testMailIsSent
        case .works:
            SetUpTexts.testMailAccepted
        case .failed(let answer):
            SetUpTexts.testMailFailed(answer)
        }
    }

    // MARK: Opening

    static let opens = [
        SetUpTexts.passengersCanCallAndReserve,
        SetUpTexts.driversCanGoAvailable,
        SetUpTexts.operatorsCanWatchAndHelp,
        SetUpTexts.decisionsAreLogged,
    ]
    static let notices: [String: Text] = [
        "mail": SetUpTexts.testMailIsSentToYou,
        "missing": SetUpTexts.notYetSomeRequiredSteps,
        "open": SetUpTexts.theServiceIsOpenAlready,
        "opened": SetUpTexts.theServiceIsOpen,
    ]
}
