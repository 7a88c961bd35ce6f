import Chronology

@testable import Dispatching

/// Runs a scenario text and prints its results.
///
/// A line that begins with `>` is an action; the lines after it are its results. `a:` and `b:`
/// restrict a line to milano-a or milano-b. Taxis are A, B, C; passengers P1, P2; requests
/// are counted from 1.
struct Story {
    private var core = Dispatcher()
    private(set) var lines: [String] = []

    /// Runs a script under a policy.
    init(_ script: String, policy: Policy, taxis: [String], zones: Int = 5) {
        _ = core.advance(to: Town.start)
        let setUp: [Command] =
            [.adopt(policy), .drawZones(ZoneDrawing(names: Self.zoneNames(zones), hash: 1))]
            + taxis.indices.map { .register(TaxiForm(code: Self.letter($0))) } + [.completeSetup]
        for command in setUp { _ = try? core.apply(command) }
        for (index, place) in taxis.enumerated() {
            _ = try? core.apply(.regainContact(.taxi(index), Self.place(place)))
            if place != "outside" { _ = try? core.apply(.goOnDuty(.taxi(index))) }
        }
        for line in Self.lines(of: script, policy: policy) where line.hasPrefix("> ") {
            lines.append(line)
            perform(String(line.dropFirst(2)))
        }
    }

    /// Returns the lines of a script that apply under a policy.
    static func lines(of script: String, policy: Policy) -> [String] {
        let mark = policy == .milanoA ? "a: " : "b: "
        return script.split(separator: "\n").compactMap { line in
            if line.hasPrefix(mark) { return String(line.dropFirst(3)) }
            return line.hasPrefix("a: ") || line.hasPrefix("b: ") ? nil : String(line)
        }
    }

    private static func zoneNames(_ count: Int) -> [String] { (0..<count).map { "zone \($0)" } }
    static func letter(_ taxi: Int) -> String { ["A", "B", "C", "D"][taxi] }

    private static func place(_ words: String) -> Place {
        guard let number = words.split(separator: " ").last.flatMap({ UInt32($0) }) else {
            return .outside
        }
        return .zone(.zone(number))
    }

    // MARK: Actions

    private mutating func perform(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        if words[0] == "wait" {
            let seconds =
                (Int64(words[1]) ?? 0) * (words[2] == "h" ? 3_600 : words[2] == "min" ? 60 : 1)
            return tell(core.advance(to: core.now.adding(seconds: seconds)))
        }
        guard let command = command(words) else {
            return lines.append("not understood: \(text)")
        }
        do throws(Refusal) {
            let before = core
            tell(try core.apply(command), before)
        } catch {
            lines.append("refused: \(String(describing: error).split(separator: "(")[0])")
        }
    }

    private func command(_ words: [String]) -> Command? {
        let rest = words.dropFirst().joined(separator: " ")
        if words[0].hasPrefix("P") { return passengerCommand(words) }
        guard let index = ["A", "B", "C", "D"].firstIndex(of: words[0]) else { return nil }
        let taxi = TaxiNumber.taxi(index)
        switch rest {
        case "goes on duty": return .goOnDuty(taxi)
        case "goes off duty": return .goOffDuty(taxi)
        case "reaches the meeting point": return .reachMeetingPoint(taxi)
        case "reaches the destination": return .reachDestination(taxi)
        case "states arrival at the meeting point":
            return .stateArrival(taxi, isDestination: false)
        case "states arrival at the destination": return .stateArrival(taxi, isDestination: true)
        case "ends the ride": return .endRide(taxi, reason: nil)
        case "reports a no-show": return .reportNoShow(taxi)
        case _ where rest.hasPrefix("leaves behind "):
            return .leaveBehind(taxi, RequestNumber(rawValue: UInt64(words[3]) ?? 0))
        case "is silent": return .loseContact(taxi)
        case _ where rest.hasPrefix("is in ") || rest == "is outside":
            return .locate(taxi, Self.place(rest))
        case _ where rest.hasPrefix("boards"):
            let code: CodeCheck =
                rest.contains("right") ? .right : rest.contains("wrong") ? .wrong : .none
            return .board(taxi, aboard: UInt8(words[2]) ?? 0, code: code)
        default: break
        }
        // An answer refers to the open offer or, without one, to the last offer.
        let open = core.requests.first { $0.offer?.taxi == taxi }
        let request = open?.number ?? RequestNumber(rawValue: core.lastRequest)
        let epoch = open?.offer?.epoch ?? -1
        switch rest {
        case "accepts": return .accept(request, taxi, epoch: epoch)
        case "refuses": return .refuse(request, taxi, epoch: epoch)
        case "cannot be reached": return .reportUndeliverable(request, taxi, epoch: epoch)
        case "shows the offer": return .confirmDelivery(request, taxi, epoch: epoch)
        default: return nil
        }
    }

    private func passengerCommand(_ words: [String]) -> Command? {
        let passenger = PassengerNumber(rawValue: UInt64(words[0].dropFirst()) ?? 0)
        func has(_ word: String) -> Bool { words.contains(word) }
        func number(after word: String) -> Int? {
            words.firstIndex(of: word).flatMap { $0 + 1 < words.count ? Int(words[$0 + 1]) : nil }
        }
        let form = RequestForm(
            passenger: passenger,
            isGuest: has("guest"),
            zone: number(after: "zone").map { .zone(UInt32($0)) },
            hasDestination: has("destination") || has("shared"),
            isShared: has("shared")
        )
        switch words[1] {
        case "requests": return .request(form)
        case "reserves":
            let ahead = Int64(number(after: "in") ?? 0)
            return .reserve(form, due: core.now.adding(seconds: ahead * 3_600))
        case "cancels": return .cancel(RequestNumber(rawValue: UInt64(words[2]) ?? 0))
        case "joins":
            let estimate = SharingEstimate(
                walkSeconds: Int32(number(after: "walk") ?? 60),
                taxiSeconds: 300,
                detourPercent: 10,
                extraWaitSeconds: 60
            )
            let owner = RequestNumber(rawValue: UInt64(words[2]) ?? 0)
            return .join(form, owner, estimate)
        default: return nil
        }
    }

    // MARK: Results

    private mutating func tell(_ events: [Event], _ before: Dispatcher? = nil) {
        for event in events {
            if let line = sentence(event) { lines.append(line) }
        }
    }

    private func clock(_ moment: Moment) -> String {
        let seconds = (moment.milliseconds - Town.start.milliseconds) / 1_000
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = "\(two(seconds / 3_600 % 24)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
        return seconds < 86_400 ? time : "day \(seconds / 86_400 + 1) \(time)"
    }

    private func name(_ taxi: TaxiNumber) -> String { Self.letter(Int(taxi.rawValue)) }

    private func sentence(_ event: Event) -> String? {
        switch event {
        case .request(.requested(let number, let form)):
            "request \(number.rawValue) of P\(form.passenger.rawValue)"
        case .request(.reserved(let number, _, let due, let first)):
            "reservation \(number.rawValue) for \(clock(due)), first tried at \(clock(first))"
        case .request(.joined(let number, let form, let owner)):
            "P\(form.passenger.rawValue) joins \(owner.rawValue) as \(number.rawValue)"
        case .request(.reservationTried(let number)): "\(number.rawValue) is due"
        case .request(.reservationPostponed(let number, let cause, let next)):
            "\(number.rawValue) waits until \(clock(next)): \(cause)"
        case .request(.held(let number, let next)):
            "\(number.rawValue) is held until \(clock(next))"
        case .request(.heldTried(let number)): "\(number.rawValue) is tried again"
        case .request(.ended(let number, let outcome, _)): "\(number.rawValue) ends: \(outcome)"
        case .request(.ownerChanged(let old, let new)):
            "\(new.rawValue) owns the ride of \(old.rawValue)"
        case .offer(.offered(let number, let taxi, let deadline, let rule)):
            "\(name(taxi)) is asked for \(number.rawValue) until \(clock(deadline)): \(rule)"
        case .offer(.offerDelivered(let number)): "the offer of \(number.rawValue) is shown"
        case .offer(.offerClosed(let number, let outcome)):
            "the offer of \(number.rawValue) is \(outcome)"
        case .offer(.accepted(let number)): "\(number.rawValue) is accepted"
        case .ride(.givenBack(let number, let cause, _)):
            "the taxi of \(number.rawValue) does not come: \(cause)"
        case .ride(.arrivalStated(let number)):
            "the driver of \(number.rawValue) states the arrival"
        case .ride(.meetingPointReached(let number)): "the taxi of \(number.rawValue) is there"
        case .ride(.codeRejected(let number)): "a wrong code for \(number.rawValue)"
        case .ride(.boarded(let number, let aboard)): "\(aboard) aboard for \(number.rawValue)"
        case .ride(.destinationReached(let number)): "\(number.rawValue) is at the destination"
        case .taxi(.wentOnDuty(let taxi)): "\(name(taxi)) is on duty"
        case .taxi(.wentOffDuty(let taxi, let cause, _)): "\(name(taxi)) is off duty: \(cause)"
        case .taxi(.placed(let taxi, .outside)): "\(name(taxi)) leaves the city"
        case .taxi(.placed(let taxi, .zone(let zone))):
            "\(name(taxi)) is now in zone \(zone.rawValue)"
        case .taxi(.contactLost(let taxi, _)): "\(name(taxi)) is not heard from"
        case .taxi(.contactRegained(let taxi)): "\(name(taxi)) is heard from again"
        case .taxi(.turnKept(let taxi, let zone, _)):
            "a turn in zone \(zone.rawValue) is kept for \(name(taxi))"
        case .taxi(.enqueued(let taxi, let zone, _, let cause)): queued(taxi, zone, cause)
        case .taxi(.dequeued(let taxi, let cause)): "\(name(taxi)) leaves the queue: \(cause)"
        default: "\(event)"
        }
    }

    private func queued(_ taxi: TaxiNumber, _ zone: ZoneNumber, _ cause: QueueCause) -> String {
        "\(name(taxi)) queues in zone \(zone.rawValue): \(cause)"
    }
}
