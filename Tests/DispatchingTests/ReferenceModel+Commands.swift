import Chronology

@testable import Dispatching

extension ReferenceModel {
    /// Performs a step and returns its result.
    mutating func take(_ step: Step) -> StepResult {
        result = StepResult()
        now = max(now, step.moment)
        if case .restart = step.action {
            for index in calls.indices {
                guard var question = question(of: calls[index]) else { continue }
                question.deadline = later(.offerTimeout)
                calls[index].phase = .asking(question)
            }
        }
        while let first = dueNow.min(by: { $0.order < $1.order }) { fire(first) }
        if case .command(let command) = step.action {
            do throws(Refusal) { try apply(command) } catch { result.refusal = error }
        }
        result.sortEndings()
        return result
    }

    // MARK: Time

    struct Due {
        enum Subject { case licence(Int), turn(Int), call(RequestNumber) }
        var moment: Moment
        var subject: Subject

        var order: (Int64, Int, UInt64) {
            switch subject {
            case .licence(let taxi): (moment.milliseconds, 0, UInt64(taxi))
            case .turn(let taxi): (moment.milliseconds, 1, UInt64(taxi))
            case .call(let number): (moment.milliseconds, 2, number.rawValue)
            }
        }
    }

    /// All pending deadlines.
    var due: [Due] {
        var all: [Due] = []
        for (taxi, driver) in drivers.enumerated() where driver.isOnDuty {
            // A driver with a ride completes it first.
            let isOver = driver.form.licensedUntil <= now && status(taxi) == .riding
            if driver.form.licensedUntil != .never && !isOver {
                all.append(Due(moment: driver.form.licensedUntil, subject: .licence(taxi)))
            }
            if let until = driver.keptUntil {
                all.append(Due(moment: until, subject: .turn(taxi)))
            }
        }
        for call in calls {
            switch call.phase {
            case .reserved(let moment), .held(let moment):
                all.append(Due(moment: moment, subject: .call(call.number)))
            case .asking(let question):
                all.append(Due(moment: question.deadline, subject: .call(call.number)))
            case .deciding, .parked, .riding, .joined: break
            }
        }
        return all
    }

    var dueNow: [Due] { due.filter { $0.moment <= now } }

    private mutating func fire(_ due: Due) {
        switch due.subject {
        case .licence(let taxi), .turn(let taxi): leaveDuty(taxi)
        case .call(let number):
            guard let call = call(number) else { return }
            switch call.phase {
            case .reserved: tryReservation(call)
            case .held:
                set(number) {
                    $0.heldTries += 1
                    $0.phase = .deciding
                }
                seek(number)
            default:
                close(number, .ignored)
                seek(number)
            }
        }
    }

    // MARK: Commands

    private mutating func apply(_ command: Command) throws(Refusal) {
        switch command {
        case .city:
            return try applyToCity(command)
        default: if !isSetUp { throw .setupIncomplete }
        }
        switch command {
        case .console(.suspend), .console(.resume): try applyToCity(command)
        case .driver(.goOnDuty(let taxi)): try goOnDuty(known(taxi))
        case .driver(.goOffDuty(let taxi)):
            try mustBeAbleToLeave(known(taxi))
            leaveDuty(try known(taxi), asRefusal: true)
        case .driver(.locate(let taxi, let place)): try locate(known(taxi), place)
        case .driver(.loseContact(let taxi)): try loseContact(known(taxi))
        case .driver(.regainContact(let taxi, let place)): try regainContact(known(taxi), place)
        case .offer(.confirmDelivery(_, let taxi, let epoch)):
            var (request, question) = try openQuestion(taxi, epoch)
            question.isShown = true
            set(request) { [question] in $0.phase = .asking(question) }
        case .offer(.reportUndeliverable(_, let taxi, let epoch)):
            let (request, _) = try openQuestion(taxi, epoch)
            close(request, .undeliverable)
            seek(request)
        case .offer(.refuse(_, let taxi, let epoch)):
            let (request, _) = try openQuestion(taxi, epoch)
            close(request, .refused)
            seek(request)
        case .offer(.accept(_, let taxi, let epoch)):
            let (request, question) = try openQuestion(taxi, epoch)
            drivers[question.taxi].strikes = 0
            drivers[question.taxi].home = nil
            let trip = Trip(taxi: question.taxi, turn: question.turn)
            set(request) {
                $0.phase = .riding(trip)
                $0.hasLostTaxi = false
            }
        case .ride, .console(.closeRide), .console(.replace):
            try applyToRide(command)
        case .passenger(.request(let form)): try request(form)
        case .passenger(.reserve(let form, let due)): try reserve(form, due)
        case .passenger(.cancel(let number)): try cancel(number)
        case .passenger(.join(let form, let owner, let estimate)): try join(form, owner, estimate)
        default: try applyConsole(command)
        }
    }

    func known(_ taxi: TaxiNumber) throws(Refusal) -> Int {
        let taxi = Int(taxi.rawValue)
        guard taxi < drivers.count, !drivers[taxi].isGone else { throw .noSuchTaxi }
        return taxi
    }

    private func mustExist(_ place: Place) throws(Refusal) {
        if case .zone(let zone) = place, zone.rawValue >= zones { throw .noSuchZone }
    }

    private func openQuestion(
        _ taxi: TaxiNumber,
        _ epoch: Int64
    ) throws(Refusal) -> (RequestNumber, Question) {
        guard let call = callAsking(Int(taxi.rawValue)), let question = question(of: call),
            question.epoch == epoch
        else { throw .offerGone }
        return (call.number, question)
    }

    // MARK: Drivers

    private mutating func goOnDuty(_ taxi: Int) throws(Refusal) {
        let driver = drivers[taxi]
        if driver.isOnDuty { throw .alreadyOnDuty }
        if driver.place == .unknown { throw .placeUnknown }
        if driver.place == .outside && policy[.enforceBorder] == 1 { throw .outsideCity }
        if !driver.isHeard { throw .outOfContact }
        if driver.form.licensedUntil <= now { throw .licenceExpired }
        drivers[taxi].isOnDuty = true
        drivers[taxi].strikes = 0
        enqueue(taxi)
    }

    private func mustBeAbleToLeave(_ taxi: Int) throws(Refusal) {
        if !drivers[taxi].isOnDuty { throw .alreadyOffDuty }
        if status(taxi) == .riding { throw .riding }
    }

    private mutating func locate(_ taxi: Int, _ place: Place) throws(Refusal) {
        try mustExist(place)
        if !drivers[taxi].isHeard { throw .outOfContact }
        if drivers[taxi].place == place { return }
        drivers[taxi].ticket = nil
        drivers[taxi].place = place
        enqueue(taxi, at: homeTicket(taxi))
    }

    private mutating func loseContact(_ taxi: Int) throws(Refusal) {
        if !drivers[taxi].isHeard { throw .outOfContact }
        let asking = callAsking(taxi)
        if let asking { release(asking.number, .undeliverable) }
        if let ticket = drivers[taxi].ticket, case .zone(let zone) = drivers[taxi].place {
            drivers[taxi].kept = Turn(zone: zone, ticket: ticket)
        }
        if drivers[taxi].isOnDuty && status(taxi) != .riding {
            drivers[taxi].keptUntil = later(.grace)
        }
        drivers[taxi].isHeard = false
        drivers[taxi].ticket = nil
        if let asking { seek(asking.number) }
    }

    private mutating func regainContact(_ taxi: Int, _ place: Place) throws(Refusal) {
        try mustExist(place)
        if drivers[taxi].isHeard { return try locate(taxi, place) }
        let turn = drivers[taxi].kept
        drivers[taxi].isHeard = true
        drivers[taxi].kept = nil
        drivers[taxi].keptUntil = nil
        drivers[taxi].place = place
        enqueue(taxi, at: back(taxi, turn) ?? homeTicket(taxi))
    }

    // MARK: City

    private mutating func applyToCity(_ command: Command) throws(Refusal) {
        switch command {
        case .city(.adopt(let policy)): self.policy = policy
        case .city(.drawZones(let drawing)): try redraw(drawing)
        case .city(.register(let form)):
            try check(form, besides: nil)
            drivers.append(Driver(form: form))
        case .city(.change(let taxi, let form)):
            let taxi = try known(taxi)
            try check(form, besides: taxi)
            drivers[taxi].form = form
            let mustLeave = form.licensedUntil <= now && status(taxi) != .riding
            if mustLeave && drivers[taxi].isOnDuty { leaveDuty(taxi) }
        case .city(.remove(let taxi)): try remove(known(taxi))
        case .city(.completeSetup):
            if isSetUp { throw .setupAlreadyComplete }
            if zones == 0 || drivers.isEmpty { throw .nothingSetUp }
            isSetUp = true
        case .console(.suspend(let reason)): try suspend(reason)
        case .console(.resume):
            if suspension == nil { throw .notSuspended }
            suspension = nil
        default: break
        }
    }

    private func check(_ form: TaxiForm, besides taxi: Int?) throws(Refusal) {
        if form.code.isEmpty { throw .invalid("code") }
        if !(1...16).contains(form.capacity.seats) { throw .invalid("seats") }
        for other in drivers.indices where other != taxi && !drivers[other].isGone {
            if drivers[other].form.code == form.code { throw .codeTaken(form.code) }
        }
    }

    private mutating func remove(_ taxi: Int) throws(Refusal) {
        if status(taxi) == .riding { throw .riding }
        let asking = callAsking(taxi)
        if let asking { release(asking.number, .withdrawn) }
        drivers[taxi].isGone = true
        drivers[taxi].isOnDuty = false
        drivers[taxi].ticket = nil
        drivers[taxi].kept = nil
        drivers[taxi].keptUntil = nil
        drivers[taxi].home = nil
        if let asking { seek(asking.number) }
    }

    private mutating func suspend(_ reason: String) throws(Refusal) {
        if let suspension { throw .suspended(suspension) }
        if reason.isEmpty { throw .reasonMissing }
        suspension = reason
        for number in calls.map(\.number).sorted() {
            close(number, .withdrawn)
            guard let call = call(number) else { continue }
            switch call.phase {
            case .deciding where call.due != nil: giveUpReservation(call)
            case .deciding, .held, .parked: end(number, .suspended)
            case .reserved, .asking, .riding, .joined: break
            }
        }
    }

    private mutating func redraw(_ drawing: ZoneDrawing) throws(Refusal) {
        let count = UInt32(drawing.names.count)
        if count == 0 || Set(drawing.names).count < count { throw .invalid("names") }
        if drawing.places.count != drivers.count { throw .invalid("places") }
        for case .zone(let zone) in drawing.places where zone.rawValue >= count {
            throw .noSuchZone
        }
        let numbers = calls.map(\.number).sorted()
        if drawing.requests.map(\.request) != numbers { throw .invalid("requests") }
        for moved in drawing.requests where (moved.zone?.rawValue ?? 0) >= count {
            throw .noSuchZone
        }
        zones = Int(count)
        let before = drivers.map(\.place)
        for (taxi, place) in drawing.places.enumerated() {
            drivers[taxi].place = place
            drivers[taxi].home = nil
            drivers[taxi].kept = drivers[taxi].kept.flatMap { moved($0, before[taxi], place) }
            if case .zone = place {} else { drivers[taxi].ticket = nil }
        }
        for redrawn in drawing.requests {
            guard let index = find(redrawn.request) else { continue }
            calls[index].zone = redrawn.zone ?? ZoneNumber(rawValue: 0)
            calls[index].form.zone = redrawn.zone
            calls[index].form.neighbours = []
            if var question = question(of: calls[index]) {
                let (from, to) = (before[question.taxi], drawing.places[question.taxi])
                question.turn = question.turn.flatMap { moved($0, from, to) }
                calls[index].phase = .asking(question)
            }
            if var trip = trip(of: calls[index]) {
                let (from, to) = (before[trip.taxi], drawing.places[trip.taxi])
                trip.turn = trip.turn.flatMap { moved($0, from, to) }
                calls[index].phase = .riding(trip)
            }
        }
        for lost in drawing.requests where lost.zone == nil {
            switch call(lost.request)?.phase {
            case .riding, .joined, nil: continue
            default:
                close(lost.request, .withdrawn)
                end(lost.request, .outsideCity)
            }
        }
        for taxi in drivers.indices where drivers[taxi].place != before[taxi] { enqueue(taxi) }
        for zone in 0..<count { serveHeld(in: ZoneNumber(rawValue: zone)) }
    }

    /// A restored turn moves with its driver, if the driver was in its zone at the redraw (G5).
    private func moved(_ turn: Turn, _ before: Place, _ after: Place) -> Turn? {
        guard before == .zone(turn.zone), case .zone(let zone) = after else { return nil }
        return Turn(zone: zone, ticket: turn.ticket)
    }
}
