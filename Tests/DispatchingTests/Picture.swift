import Chronology

@testable import Dispatching

/// The visible state of a dispatch, in a form that the dispatcher and the model share.
struct Picture: Hashable {
    /// The visible state of a driver.
    struct Driver: Hashable {
        var status: TaxiStatus
        var place: Place
        var isOnDuty: Bool
        var strikes: Int
        var keptZone: ZoneNumber?
        var keptUntil: Moment?
        var homeZone: ZoneNumber?
    }

    /// The phase of a request.
    enum Phase: Hashable {
        case seeking
        case reserved(nextTry: Moment)
        case offered(TaxiNumber, deadline: Moment, isShown: Bool)
        case held(nextTry: Moment)
        case parked
        case riding(TaxiNumber, Ride.Stage, reachedAt: Moment?, wrongCodes: Int, aboard: Int)
        case joined(RequestNumber)
    }

    /// The visible state of a live request.
    struct Call: Hashable {
        var number: RequestNumber
        var zone: ZoneNumber
        var due: Moment?
        var isLive: Bool
        var needs: Capacity
        var phase: Phase
        var heldTries: Int
        var asked: [TaxiNumber]
        var offers: Int
        var hasLostTaxi: Bool
    }

    var drivers: [Driver]
    var queues: [[TaxiNumber]]
    var calls: [Call]
    var isSetUp: Bool
    var suspension: String?
    var nextDeadline: Moment?
}

/// The result of a step: refusal, offers with their rules, and ended requests.
struct StepResult: Hashable {
    /// An offer to a driver.
    struct Question: Hashable {
        var request: RequestNumber
        var taxi: TaxiNumber
        var rule: OfferRule
    }

    struct Ending: Hashable {
        var request: RequestNumber
        var outcome: RequestOutcome
    }

    var refusal: Refusal?
    var questions: [Question] = []
    var endings: [Ending] = []
}

extension Picture {
    /// Creates the picture of a dispatcher.
    init(_ dispatcher: inout Dispatcher) {
        drivers = dispatcher.taxis.map {
            Driver(
                status: $0.status,
                place: $0.place,
                isOnDuty: $0.isOnDuty,
                strikes: Int($0.ignoredOffers),
                keptZone: $0.keptTurn?.zone,
                keptUntil: $0.graceEnds,
                homeZone: $0.homeTurn?.zone
            )
        }
        queues = dispatcher.zones.map { $0.entries.map(\.taxi) }
        calls = dispatcher.requests.map { request in
            Call(
                number: request.number,
                zone: request.zone,
                due: request.due,
                isLive: request.isLive,
                needs: request.needs,
                phase: Phase(request.phase),
                heldTries: Int(request.heldTries),
                asked: request.asked,
                offers: Int(request.offers),
                hasLostTaxi: request.hasLostTaxi
            )
        }
        isSetUp = dispatcher.isSetUp
        suspension = dispatcher.suspension
        nextDeadline = dispatcher.nextDeadline()
    }
}

extension Picture.Phase {
    init(_ phase: Request.Phase) {
        switch phase {
        case .seeking: self = .seeking
        case .reserved(let nextTry): self = .reserved(nextTry: nextTry)
        case .offered(let offer):
            self = .offered(offer.taxi, deadline: offer.deadline, isShown: offer.isDelivered)
        case .held(let nextTry): self = .held(nextTry: nextTry)
        case .parked: self = .parked
        case .riding(let ride):
            self = .riding(
                ride.taxi,
                ride.stage,
                reachedAt: ride.reachedAt,
                wrongCodes: Int(ride.wrongCodes),
                aboard: Int(ride.aboard)
            )
        case .joined(let owner): self = .joined(owner)
        }
    }
}

extension StepResult {
    /// Creates the result from the events of a step.
    init(_ events: [Event]) {
        for event in events {
            switch event {
            case .offer(.offered(let request, let taxi, _, let rule)):
                questions.append(Question(request: request, taxi: taxi, rule: rule))
            case .request(.ended(let request, let outcome, _)):
                endings.append(Ending(request: request, outcome: outcome))
            default: break
            }
        }
        sortEndings()
    }

    /// Sorts the ends of requests, whose order within a step is not visible.
    mutating func sortEndings() {
        endings.sort { $0.request < $1.request }
    }
}
