package import Dispatching

/// Removes personal data from a dispatch log, so that the log can be given to others.
///
/// Passengers get new numbers, in the order in which they first ask; taxis are called T0001,
/// T0002 and so on, in the order in which their codes appear; the reasons that operators and
/// drivers wrote are replaced by ``leftOut``. Names, telephone numbers and addresses are never in
/// the log. Times, zones and licence dates stay, since decisions depend on them.
///
/// Commands and events change alike, so that a replay makes the same decisions.
package struct LogPseudonyms: Sendable {
    /// What stands for a reason.
    package static let leftOut = "(left out)"
    /// How many requests and reservations there were.
    package private(set) var requests = 0
    private var passengers: [PassengerNumber: PassengerNumber] = [:]
    private var codes: [String: String] = [:]

    /// Nobody has appeared yet.
    package init() {}

    /// An entry without what tells of people; entries come in the order of the log.
    package mutating func entry(_ entry: Entry) -> Entry {
        var entry = entry
        if case .command(let command) = entry.input {
            entry.input = .command(self.command(command))
        }
        entry.events = entry.events.map { event($0) }
        return entry
    }

    // A case that is passed on unchanged holds numbers of taxis and requests, moments, zones and
    // rules. A new case must be put among the others by hand if it tells of people.

    private mutating func command(_ command: Command) -> Command {
        switch command {
        case .city(let command): .city(self.command(command))
        case .driver, .offer: command
        case .ride(let command): .ride(self.command(command))
        case .passenger(let command): .passenger(self.command(command))
        case .console(let command): .console(self.command(command))
        }
    }

    private mutating func command(_ command: Command.City) -> Command.City {
        switch command {
        case .register(let form): .register(self.form(form))
        case .change(let taxi, let form): .change(taxi, self.form(form))
        case .adopt, .drawZones, .remove, .completeSetup: command
        }
    }

    private func command(_ command: Command.Ride) -> Command.Ride {
        switch command {
        case .endRide(let taxi, let reason): .endRide(taxi, reason: reason.map { text($0) })
        case .reachMeetingPoint, .board, .reportNoShow, .leaveBehind, .giveBack,
            .reachDestination, .stateArrival:
            command
        }
    }

    private mutating func command(_ command: Command.Passenger) -> Command.Passenger {
        switch command {
        case .request(let form): .request(self.form(form))
        case .reserve(let form, let due): .reserve(self.form(form), due: due)
        case .join(let form, let owner, let estimate): .join(self.form(form), owner, estimate)
        case .cancel: command
        }
    }

    private func command(_ command: Command.Console) -> Command.Console {
        switch command {
        case .suspend(let reason): .suspend(reason: text(reason))
        case .assign(let request, let taxi, let reason):
            .assign(request, taxi, reason: text(reason))
        case .park(let request, let reason): .park(request, reason: text(reason))
        case .restoreTurn(let taxi, let reason): .restoreTurn(taxi, reason: text(reason))
        case .takeOffDuty(let taxi, let reason): .takeOffDuty(taxi, reason: text(reason))
        case .withdraw(let request, let reason): .withdraw(request, reason: text(reason))
        case .closeRide(let taxi, let reason): .closeRide(taxi, reason: text(reason))
        case .replace(let request, let taxi, let reason):
            .replace(request, taxi, reason: text(reason))
        case .resume, .unpark: command
        }
    }

    private mutating func event(_ event: Event) -> Event {
        switch event {
        case .city(let event): .city(self.event(event))
        case .taxi(let event): .taxi(self.event(event))
        case .request(let event): .request(self.event(event))
        case .offer: event
        case .ride(let event): .ride(self.event(event))
        }
    }

    private mutating func event(_ event: Event.City) -> Event.City {
        switch event {
        case .taxiRegistered(let taxi, let form): .taxiRegistered(taxi, self.form(form))
        case .taxiChanged(let taxi, let form): .taxiChanged(taxi, self.form(form))
        case .suspended(let reason): .suspended(reason: text(reason))
        case .policyAdopted, .zonesDrawn, .taxiRemoved, .setupCompleted, .resumed, .restarted:
            event
        }
    }

    private func event(_ event: Event.Taxi) -> Event.Taxi {
        switch event {
        case .wentOffDuty(let taxi, let cause, let reason):
            .wentOffDuty(taxi, cause, reason: text(reason))
        case .turnRestored(let taxi, let reason): .turnRestored(taxi, reason: text(reason))
        case .wentOnDuty, .placed, .contactLost, .contactRegained, .enqueued, .dequeued,
            .turnKept, .homeTurnKept:
            event
        }
    }

    private mutating func event(_ event: Event.Request) -> Event.Request {
        switch event {
        case .requested(let number, let form): .requested(number, arrived(form))
        case .reserved(let number, let form, let due, let firstTry):
            .reserved(number, arrived(form), due: due, firstTry: firstTry)
        case .joined(let number, let form, let owner): .joined(number, arrived(form), owner)
        case .parked(let number, let reason): .parked(number, reason: text(reason))
        case .assigned(let number, let taxi, let reason):
            .assigned(number, taxi, reason: text(reason))
        case .ended(let number, let outcome, let reason):
            .ended(number, outcome, reason: text(reason))
        case .reservationTried, .reservationPostponed, .held, .heldTried, .unparked,
            .ownerChanged:
            event
        }
    }

    private func event(_ event: Event.Ride) -> Event.Ride {
        switch event {
        case .givenBack(let number, let cause, let reason):
            .givenBack(number, cause, reason: text(reason))
        case .arrivalStated, .meetingPointReached, .codeRejected, .boarded, .destinationReached:
            event
        }
    }

    private mutating func arrived(_ form: RequestForm) -> RequestForm {
        requests += 1
        return self.form(form)
    }

    private mutating func form(_ form: RequestForm) -> RequestForm {
        var form = form
        let next = PassengerNumber(rawValue: .init(passengers.count + 1))
        let number = passengers[form.passenger] ?? next
        passengers[form.passenger] = number
        form.passenger = number
        return form
    }

    private mutating func form(_ form: TaxiForm) -> TaxiForm {
        var form = form
        let digits = String(codes.count + 1)
        let next = "T" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        let code = codes[form.code] ?? next
        codes[form.code] = code
        form.code = code
        return form
    }

    /// An empty reason stays empty: there was none.
    private func text(_ reason: String) -> String { reason.isEmpty ? "" : Self.leftOut }
}
