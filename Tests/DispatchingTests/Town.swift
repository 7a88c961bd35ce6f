import Chronology
import Testing

@testable import Dispatching

/// A small city with taxis on duty, for scenario tests.
struct Town {
    var dispatcher = Dispatcher()
    /// All events so far.
    var events: [Event] = []

    /// Midnight of the first day of 2026, in Milan's winter time.
    static let start = Moment(milliseconds: 1_767_222_000_000)

    /// Creates a town; the taxis go on duty in order, each in the given zone.
    init(
        zones: Int = 2,
        taxis: [UInt32],
        policy: Policy = .viavai,
        seats: UInt8 = 4,
        licensedUntil: Moment = .never
    ) {
        events += dispatcher.advance(to: Self.start)
        does(.adopt(policy))
        does(.drawZones(ZoneDrawing(names: (0..<zones).map { "zone \($0)" }, hash: 1)))
        for index in taxis.indices {
            does(
                .register(
                    TaxiForm(
                        code: "T\(index)",
                        capacity: Capacity(seats: seats),
                        licensedUntil: licensedUntil
                    )
                )
            )
        }
        does(.completeSetup)
        for (index, zone) in taxis.enumerated() {
            does(.regainContact(.taxi(index), .zone(.zone(zone))))
            does(.goOnDuty(.taxi(index)))
        }
    }

    /// Gives a command that must be accepted.
    @discardableResult
    mutating func does(
        _ command: Command,
        _ location: SourceLocation = #_sourceLocation
    ) -> [Event] {
        do throws(Refusal) {
            let now = try dispatcher.apply(command)
            events += now
            return now
        } catch {
            Issue.record("\(command) was refused: \(error)", sourceLocation: location)
            return []
        }
    }

    /// Returns why a command is refused; nil if it is accepted.
    mutating func refusal(_ command: Command) -> Refusal? {
        do throws(Refusal) {
            events += try dispatcher.apply(command)
            return nil
        } catch {
            return error
        }
    }

    /// Advances the time by a number of seconds.
    @discardableResult
    mutating func wait(_ seconds: Int64) -> [Event] {
        let due = dispatcher.advance(to: dispatcher.now.adding(seconds: seconds))
        events += due
        return due
    }

    /// Makes a request that must be accepted.
    mutating func request(
        _ passenger: UInt64,
        zone: UInt32 = 0,
        seats: UInt8 = 1,
        isShared: Bool = false,
        _ location: SourceLocation = #_sourceLocation
    ) -> RequestNumber {
        let form = RequestForm(
            passenger: PassengerNumber(rawValue: passenger),
            zone: .zone(zone),
            needs: Capacity(seats: seats),
            hasDestination: true,
            isShared: isShared
        )
        does(.request(form), location)
        return RequestNumber(rawValue: dispatcher.lastRequest)
    }

    /// Accepts the driver's open offer.
    mutating func accepts(_ taxi: Int, _ location: SourceLocation = #_sourceLocation) {
        answers(taxi, location) { .accept($0, .taxi(taxi), epoch: $1) }
    }

    /// Refuses the driver's open offer.
    mutating func refuses(_ taxi: Int, _ location: SourceLocation = #_sourceLocation) {
        answers(taxi, location) { .refuse($0, .taxi(taxi), epoch: $1) }
    }

    private mutating func answers(
        _ taxi: Int,
        _ location: SourceLocation,
        _ command: (RequestNumber, Int64) -> Command
    ) {
        guard case .offer(let request)? = dispatcher.taxi(.taxi(taxi))?.work,
            let offer = dispatcher.request(request)?.offer
        else {
            Issue.record("taxi \(taxi) is not asked", sourceLocation: location)
            return
        }
        does(command(request, offer.epoch), location)
    }

    /// Returns the taxi with an offer of a request.
    func asked(_ request: RequestNumber) -> Int? {
        dispatcher.request(request)?.offer.map { Int($0.taxi.rawValue) }
    }

    /// Returns the taxis queued in a zone, in order.
    func queue(_ zone: Int = 0) -> [Int] {
        dispatcher.zones[zone].entries.map { Int($0.taxi.rawValue) }
    }

    /// Returns the status of a taxi.
    func status(_ taxi: Int) -> TaxiStatus? { dispatcher.taxi(.taxi(taxi))?.status }

    /// Returns the outcome of an ended request.
    func outcome(_ request: RequestNumber) -> RequestOutcome? {
        for case .request(.ended(request, let outcome, _)) in events { return outcome }
        return nil
    }
}

extension TaxiNumber {
    static func taxi(_ number: Int) -> TaxiNumber { TaxiNumber(rawValue: UInt32(number)) }
}

extension ZoneNumber {
    static func zone(_ number: UInt32) -> ZoneNumber { ZoneNumber(rawValue: number) }
}
