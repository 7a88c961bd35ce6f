import Dispatching
import Localization
import Taxi
import TaxiPages

/// The words of the operator's live pages.
extension OperationsTexts {
    /// From how many seconds on somebody should look after a request.
    static let lateSeconds: Int64 = 300

    static func waits(_ seconds: Int64) -> Text {
        guard seconds >= 0 else {
            let left = CommonTexts.duration(seconds: -seconds)
            return OperationsTexts.inText(left)
        }
        let time = CommonTexts.duration(seconds: seconds)
        return OperationsTexts.waitingFor(time)
    }

    // MARK: What happens with a request

    static func asking(_ count: Int, _ code: String, until time: String) -> Text {
        let place = DriveStanding.ordinal(max(1, count))
        return OperationsTexts.askingTheTaxiUntil(place, code, time)
    }
    static func riding(_ stage: Ride.Stage, _ code: String) -> Text {
        switch stage {
        case .onTheWay: OperationsTexts.taxiIsOnItsWay(code)
        case .atMeetingPoint:
            OperationsTexts.taxiIsAtTheMeeting(code)
        case .aboard: OperationsTexts.onBoardOfTaxi(code)
        }
    }
    static func joined(_ owner: RequestNumber) -> Text {
        OperationsTexts.ridesAlongWithRequest(owner.rawValue)
    }

    /// What an operator did just now, by the name in the address.
    static let notices: [String: Text] = [
        "assign": OperationsTexts.theTaxiIsBeingAsked,
        "hold": OperationsTexts.theRequestIsSetAside,
        "release": OperationsTexts.theSearchGoesOn,
        "replace": OperationsTexts.theTaxiDoesNotCome,
        "cancel": OperationsTexts.requestCancelled,
        "called": OperationsTexts.aTaxiIsBeingSought,
        "reserved": OperationsTexts.taxiReserved,
        "already": OperationsTexts.thisCallerHasARequest,
        "end": OperationsTexts.theRideHasEnded,
        "turn": OperationsTexts.turnGivenBack,
        "off": OperationsTexts.theDriverIsOffDuty,
    ]
}

extension ZoneLevel {
    /// The level in one word.
    var label: Text {
        switch self {
        case .calm: OperationsMapTexts.calm
        case .busy: OperationsMapTexts.busy
        case .short: OperationsMapTexts.short
        }
    }
}

extension RequestFilter {
    /// The kind in one or two words, on its chip.
    var short: Text {
        switch self {
        case .waiting: OperationsTexts.waiting
        case .parked: OperatingTexts.setAside
        case .riding: OperationsTexts.active
        case .reserved: OperationsTexts.reserved
        }
    }

    /// The kind, as the name of the list.
    var label: Text {
        switch self {
        case .waiting: OperatingTexts.waitingForATaxi
        case .parked: OperatingTexts.setAside
        case .riding: OperatingTexts.ridesUnderWay
        case .reserved: OperatingTexts.reservationsToCome
        }
    }

    /// What stands in the place of an empty table.
    var empty: Text {
        switch self {
        case .waiting:
            OperatingTexts.nobodyWaitsForATaxi
        case .parked:
            OperatingTexts.noRequestIsSetAside
        case .riding: OperatingTexts.noTaxiHasARide
        case .reserved: OperatingTexts.noReservationIsToCome
        }
    }
}
