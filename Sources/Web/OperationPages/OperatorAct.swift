import Dispatching
import Identity
import Localization
import Taxi
import TaxiPages

/// What an operator does to a request against the order of things, with a reason (C11).
enum RequestAct: String, CaseIterable, Sendable {
    /// Offers it to a taxi out of turn.
    case assign
    /// Sets it aside.
    case hold
    /// Takes it up again.
    case release
    /// Looks for another taxi in the place of one that cannot come.
    case replace
    /// Cancels the request, reservation or ride.
    case cancel
    /// Ends the ride against the checks.
    case end

    /// What can be done to a request as it stands; the dispatcher has the last word.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - isSuspended: whether the service is.
    /// - Returns: the acts, in their order.
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

    /// What the log of acts calls it.
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

    /// Whether it is about the taxi that drives, and not any that drives later.
    var isOfTaxi: Bool { self == .replace || self == .end }

    /// Whether it is asked why.
    var needsReason: Bool { self != .release }

    /// What it is, on the button and above its page.
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

    /// What happens then.
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
            OperatingTexts.itEndsForGoodAnd
        case .end:
            OperatingTexts.theRideCountsAsDriven
        }
    }
}

/// What an operator does to a driver, with a reason.
enum TaxiAct: String, CaseIterable, Sendable {
    /// Gives a driver who was wronged his turn back.
    case turn
    /// Takes a driver off duty.
    case off

    /// What can be done to a taxi as it stands; the dispatcher has the last word.
    static func possible(on taxi: Taxi) -> [TaxiAct] {
        allCases.filter { act in
            switch act {
            case .turn: taxi.rank?.isRestored == false
            case .off: taxi.isOnDuty && taxi.status != .riding
            }
        }
    }

    /// What the dispatcher is told.
    func command(_ taxi: TaxiNumber, reason: String) -> Command {
        switch self {
        case .turn: .restoreTurn(taxi, reason: reason)
        case .off: .takeOffDuty(taxi, reason: reason)
        }
    }

    /// What the log of acts calls it.
    var audited: AuditAct {
        switch self {
        case .turn: .restoreTurn
        case .off: .takeOffDuty
        }
    }

    /// What it is, on the button and above its page.
    var title: Text {
        switch self {
        case .turn: OperatingTexts.giveTheTurnBack
        case .off: OperatingTexts.takeOffDuty
        }
    }

    /// What happens then.
    var lead: Text {
        switch self {
        case .turn:
            OperatingTexts.theDriverGoesToThe
        case .off:
            OperatingTexts.theDriverLeavesHisQueue
        }
    }
}

/// The words of the pages on which an operator confirms.
extension OperatorActTexts {
    static let reasonLimit = 200
    static func titled(_ act: Text, request: RequestNumber) -> Text {
        OperatorActTexts.request(act, "\(request.rawValue)")
    }
    static func titled(_ act: Text, taxi: String) -> Text {
        OperatorActTexts.taxi2(act, taxi)
    }
}

extension Refusal {
    /// What an operator is told.
    var operatorWords: Text {
        switch self {
        case .noSuchRequest:
            OperatingTexts.theRequestHasEndedMeanwhile
        case .alreadyAboard:
            OperatingTexts.thePassengersAreAboardNo
        case .wrongPhase, .notRiding:
            OperatingTexts.meanwhileTheRequestIsFurther
        case .notQueued:
            OperatingTexts.theTaxiIsInNo
        case .tooSmall:
            OperatingTexts.theTaxiCannotCarryWhat
        case .riding:
            OperatingTexts.theTaxiHasARide
        default: words
        }
    }
}
