import Chronology
import Dispatching
import Foundation
import Taxi

/// A thousand requests in one second in one zone with 500 taxis (W5).
///
/// Half of them cannot get an offer at once, because every taxi of the zone has an open offer. They
/// are held, and get their first offer when a driver refuses or does not answer. The time to the
/// first offer therefore counts from the moment at which an offer became possible: the request, or
/// the answer or time-out that freed the taxi. The time to the first response, an offer or the
/// information that the request is held, counts from the request for all thousand.
enum HotZone {
    private static let taxis = 500
    private static let requests = 1_000
    /// The response times of the drivers and the time-out.
    private static let pace = Trace.Pace.people
    private static let town = Place.zone(ZoneNumber(rawValue: 0))

    static func run(_ address: String) async throws -> String {
        let running = try await RunningService.open(
            address,
            policy: try Policy.viavai.with(.offerTimeout, "\(pace.timeout)"),
            zones: ["station"],
            places: Array(repeating: town, count: taxis)
        )
        let sequence = try await running.service.read { $0.sequence }
        let entries = running.service.entries()
        let crowd = Crowd(running, pace)
        let listening = Task { await crowd.listen(entries, after: sequence) }
        await onThread { crowd.call(requests) }
        // Until all time-outs of the first offers, and of the offers that follow from them, are
        // over.
        try await Task.sleep(for: .seconds(3 * pace.timeout))
        listening.cancel()
        await running.stop()
        return crowd.figures.json
    }
}

/// The passengers and the drivers.
///
/// Unchecked: everything but constants is only accessed under `lock`.
private final class Crowd: @unchecked Sendable {
    private let service: DispatchService
    private let clock: ServiceClock
    private let trace: Trace
    private let start = ContinuousClock.now
    private let lock = NSLock()
    private var calledAt: [RequestNumber: Double] = [:]
    private var callTimes: [UInt64: Double] = [:]
    /// When the taxi of an offer became free, or should have.
    private var answeredAt: [Int64: Double] = [:]
    private var deadlines: [RequestNumber: Moment] = [:]
    private var hasOffer: Set<RequestNumber> = []
    private var hasWord: Set<RequestNumber> = []
    private var atOnce = Samples()
    private var afterWaiting = Samples()
    private var words = Samples()

    init(_ running: RunningService, _ pace: Trace.Pace) {
        service = running.service
        clock = running.clock
        trace = Trace(pace: pace, inFlight: 1, box: Town.box, seed: 5)
    }

    private var now: Double { (ContinuousClock.now - start) / .seconds(1) }

    var figures: Figures {
        lock.lock()
        defer { lock.unlock() }
        var figures = Figures()
        figures.add("word_ms", words)
        figures.add("offer_at_once_ms", atOnce)
        figures.add("offer_after_waiting_ms", afterWaiting)
        return figures
    }

    /// Makes requests evenly over a second.
    func call(_ count: Int) {
        let begin = now
        for index in 0..<count {
            let at = begin + Double(index) / Double(count)
            while now < at { usleep(200) }
            let passenger = UInt64(index) + 1
            lock.lock()
            callTimes[passenger] = at
            lock.unlock()
            let form = RequestForm(
                passenger: PassengerNumber(rawValue: passenger),
                zone: ZoneNumber(rawValue: 0)
            )
            Task { [service] in _ = try? await service.give(.request(form)) }
        }
    }

    /// Receives everything that is durable; drivers with an offer answer.
    func listen(
        _ entries: AsyncStream<DispatchService.Published>,
        after sequence: Int64
    ) async {
        var epoch = sequence
        for await published in entries {
            let heard = now
            let freed = freeing(published.entry)
            for event in published.entry.events {
                take(event, epoch: epoch, heard: heard, freed: freed)
                epoch += 1
            }
        }
    }

    /// When the cause of an entry happened, if it freed a taxi.
    private func freeing(_ entry: Entry) -> Double? {
        lock.lock()
        defer { lock.unlock() }
        switch entry.input {
        case .command(.offer(.refuse(_, _, let epoch))),
            .command(.offer(.reportUndeliverable(_, _, let epoch))):
            return answeredAt[epoch]
        case .time:
            let closed = entry.events.compactMap { event -> Moment? in
                guard case .offer(.offerClosed(let request, .ignored)) = event else { return nil }
                return deadlines[request]
            }
            return closed.min().map { due in
                now - Double(clock.now().milliseconds - due.milliseconds) / 1_000
            }
        default: return nil
        }
    }

    private func take(_ event: Event, epoch: Int64, heard: Double, freed: Double?) {
        lock.lock()
        defer { lock.unlock() }
        switch event {
        case .request(.requested(let number, let form)):
            calledAt[number] = callTimes[form.passenger.rawValue]
        case .request(.held(let number, _)): hear(of: number, heard)
        case .offer(.offered(let number, let taxi, let deadline, _)):
            hear(of: number, heard)
            deadlines[number] = deadline
            answer(number, taxi, epoch, heard)
            guard hasOffer.insert(number).inserted, let called = calledAt[number] else { return }
            if let freed {
                afterWaiting.add((heard - max(called, freed)) * 1_000)
            } else {
                atOnce.add((heard - called) * 1_000)
            }
        case .city, .taxi, .request, .offer, .ride: break
        }
    }

    private func hear(of number: RequestNumber, _ heard: Double) {
        guard hasWord.insert(number).inserted, let called = calledAt[number] else { return }
        words.add((heard - called) * 1_000)
    }

    private func answer(
        _ number: RequestNumber,
        _ taxi: TaxiNumber,
        _ epoch: Int64,
        _ heard: Double
    ) {
        let (reaction, after) = trace.reaction(to: Int(epoch), attempt: 1)
        let command: Command
        switch reaction {
        case .accepts: command = .accept(number, taxi, epoch: epoch)
        case .refuses: command = .refuse(number, taxi, epoch: epoch)
        case .unreachable: command = .reportUndeliverable(number, taxi, epoch: epoch)
        case .ignores: return
        }
        Task { [service] in
            try? await Task.sleep(for: .seconds(after))
            noteAnswer(epoch)
            _ = try? await service.give(command)
        }
    }

    private func noteAnswer(_ epoch: Int64) {
        lock.lock()
        answeredAt[epoch] = now
        lock.unlock()
    }
}
