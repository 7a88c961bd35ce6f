import Dispatching
import Identity
import Localization
import Taxi
import TaxiPages

/// An operator's intervention in a request, with a reason (C11).
enum RequestAct: String, CaseIterable, Sendable {
    /// Offers the request to a taxi out of turn.
    case assign
    /// Sets the request aside.
    case hold
    /// Resumes the search for a taxi.
    case release
    /// Looks for a replacement for a taxi that cannot come.
    case replace
    /// Cancels the request, reservation or ride.
    case cancel
    /// Ends the ride even where the checks do not allow it.
    case end

    /// The actions available for a request in its current state; the dispatcher
    /// makes the final decision.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - isSuspended: whether the service is suspended.
    /// - Returns: the actions, in display order.
    static func possible(on request: Request, isSuspended: Bool) -> [RequestAct] {
        allCases.filter { act in
            switch (act, request.phase) {
            case (.assign, .offered), (.assign, .held), (.assign, .parked), (.assign, .reserved):
                request.isLive && !isSuspended
            case (.hold, .offered), (.hold, .held):
                request.isLive && request.due == nil && !isSuspended
            case (.release, .parked): !isSuspended
            case (.replace, .riding(let ride)): ride.stage != .aboard && !isSuspended
            case (.end, .riding): true
            case (.cancel, _): true
            default: false
            }
        }
    }

    /// The corresponding entry in the audit log.
    var audited: AuditAct {
        switch self {
        case .assign: .assignTaxi
        case .hold: .holdRequest
        case .release: .releaseRequest
        case .replace: .replaceTaxi
        case .cancel: .cancelRequest
        case .end: .endRide
        }
    }

    /// Whether the action applies only to the taxi that was assigned when the
    /// operator saw the page.
    var isOfTaxi: Bool { self == .replace || self == .end }

    /// Whether the operator must give a reason.
    var needsReason: Bool { self != .release }

    /// The title, on the button and at the top of the page.
    var title: Text {
        switch self {
        case .assign: OperatingTexts.assignToATaxi
        case .hold: OperatingTexts.setItAside
        case .release: OperatingTexts.takeUpAgain
        case .replace: OperatingTexts.sendAnotherTaxi
        case .cancel: OperatingTexts.cancelForThePassenger
        case .end: OperatingTexts.endTheRide
        }
    }

    /// The consequences of the action.
    var lead: Text {
        switch self {
        case .assign:
            OperatingTexts.theTaxiIsAskedOut
        case .hold:
            OperatingTexts.nobodyIsAskedAnyMore
        case .release:
            OperatingTexts.theSearchForATaxi
        case .replace:
            OperatingTexts.forATaxiThatCannot
        case .cancel:
            OperatingTexts.cancelRequestLead
        case .end:
            OperatingTexts.theRideCountsAsDriven
        }
    }
}

/// An operator's intervention in a driver's state, with a reason.
enum TaxiAct: String, CaseIterable, Sendable {
    /// Restores the turn of a driver who lost it unfairly.
    case turn
    /// Takes the driver off duty.
    case off

    /// The actions available for a taxi in its current state; the dispatcher
    /// makes the final decision.
    static func possible(on taxi: Taxi) -> [TaxiAct] {
        allCases.filter { act in
            switch act {
            case .turn: taxi.rank?.isRestored == false
            case .off: taxi.isOnDuty && taxi.status != .riding
            }
        }
    }

    /// The command for the dispatcher.
    func command(_ taxi: TaxiNumber, reason: String) -> Command {
        switch self {
        case .turn: .restoreTurn(taxi, reason: reason)
        case .off: .takeOffDuty(taxi, reason: reason)
        }
    }

    /// The corresponding entry in the audit log.
    var audited: AuditAct {
        switch self {
        case .turn: .restoreTurn
        case .off: .takeOffDuty
        }
    }

    /// The title, on the button and at the top of the page.
    var title: Text {
        switch self {
        case .turn: OperatingTexts.giveTheTurnBack
        case .off: OperatingTexts.takeOffDuty
        }
    }

    /// The consequences of the action.
    var lead: Text {
        switch self {
        case .turn:
            OperatingTexts.giveTurnBackLead
        case .off:
            OperatingTexts.takeOffDutyLead
        }
    }
}

/// UI texts for the pages on which an operator confirms an action.
extension OperatorActTexts {
    static let reasonLimit = 200
    static func titled(_ act: Text, request: RequestNumber) -> Text {
        OperatorActTexts.request(act, request.rawValue)
    }
    static func titled(_ act: Text, taxi: String) -> Text {
        OperatorActTexts.actOnTaxi(act, taxi)
    }
}

extension Refusal {
    /// The explanation of a refusal for operators.
    var operatorText: Text {
        switch self {
        case .noSuchRequest:
            OperatingTexts.theRequestHasEndedMeanwhile
        case .alreadyAboard:
            OperatingTexts.passengersAreAboard
        case .wrongPhase, .notRiding:
            OperatingTexts.meanwhileTheRequestIsFurther
        case .notQueued:
            OperatingTexts.taxiNotQueued
        case .tooSmall:
            OperatingTexts.theTaxiCannotCarryWhat
        case .riding:
            OperatingTexts.theTaxiHasARide
        default: text
        }
    }
}
