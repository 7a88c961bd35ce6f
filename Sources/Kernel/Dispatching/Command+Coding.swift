extension Command: ByteCoded {
    /// Appends the number of the case, then its associated values.
    public func write(to writer: inout ByteWriter) {
        switch self {
        case .city(let command): City.coding.write(command, to: &writer)
        case .driver(let command): Driver.coding.write(command, to: &writer)
        case .offer(let command): Offer.coding.write(command, to: &writer)
        case .ride(let command): Ride.coding.write(command, to: &writer)
        case .passenger(let command): Passenger.coding.write(command, to: &writer)
        case .console(let command): Console.coding.write(command, to: &writer)
        }
    }

    /// Decodes the number of the case, then its associated values.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        let start = reader.position
        let number = try reader.number()
        if let command = try City.coding.read(number, from: &reader) {
            self = .city(command)
        } else if let command = try Driver.coding.read(number, from: &reader) {
            self = .driver(command)
        } else if let command = try Offer.coding.read(number, from: &reader) {
            self = .offer(command)
        } else if let command = try Ride.coding.read(number, from: &reader) {
            self = .ride(command)
        } else if let command = try Passenger.coding.read(number, from: &reader) {
            self = .passenger(command)
        } else if let command = try Console.coding.read(number, from: &reader) {
            self = .console(command)
        } else {
            throw .unknown(tag: number, at: start)
        }
    }
}

extension Command.City {
    fileprivate static let coding = CaseTable<Self>(
        .init(1, Self.adopt) { if case .adopt(let a) = $0 { a } else { nil } },
        .init(2, Self.drawZones) { if case .drawZones(let a) = $0 { a } else { nil } },
        .init(3, Self.register) { if case .register(let a) = $0 { a } else { nil } },
        .init(4, Self.change) { if case .change(let a, let b) = $0 { (a, b) } else { nil } },
        .init(5, Self.remove) { if case .remove(let a) = $0 { a } else { nil } },
        .init(6, .completeSetup)
    )
}

extension Command.Driver {
    fileprivate static let coding = CaseTable<Self>(
        .init(9, Self.goOnDuty) { if case .goOnDuty(let a) = $0 { a } else { nil } },
        .init(10, Self.goOffDuty) { if case .goOffDuty(let a) = $0 { a } else { nil } },
        .init(11, Self.locate) { if case .locate(let a, let b) = $0 { (a, b) } else { nil } },
        .init(12, Self.loseContact) { if case .loseContact(let a) = $0 { a } else { nil } },
        .init(13, Self.regainContact) {
            if case .regainContact(let a, let b) = $0 { (a, b) } else { nil }
        }
    )
}

extension Command.Offer {
    fileprivate static let coding = CaseTable<Self>(
        .init(14, Self.confirmDelivery) {
            if case .confirmDelivery(let a, let b, let c) = $0 { (a, b, c) } else { nil }
        },
        .init(15, Self.reportUndeliverable) {
            if case .reportUndeliverable(let a, let b, let c) = $0 { (a, b, c) } else { nil }
        },
        .init(16, Self.accept) {
            if case .accept(let a, let b, let c) = $0 { (a, b, c) } else { nil }
        },
        .init(17, Self.refuse) {
            if case .refuse(let a, let b, let c) = $0 { (a, b, c) } else { nil }
        }
    )
}

extension Command.Ride {
    fileprivate static let coding = CaseTable<Self>(
        .init(18, Self.reachMeetingPoint) {
            if case .reachMeetingPoint(let a) = $0 { a } else { nil }
        },
        .init(19, Self.board) {
            if case .board(let a, let b, let c) = $0 { (a, b, c) } else { nil }
        },
        .init(20, Self.reportNoShow) { if case .reportNoShow(let a) = $0 { a } else { nil } },
        .init(21, Self.reachDestination) {
            if case .reachDestination(let a) = $0 { a } else { nil }
        },
        .init(22, Self.endRide) { if case .endRide(let a, let b) = $0 { (a, b) } else { nil } },
        .init(34, Self.stateArrival) {
            if case .stateArrival(let a, let b) = $0 { (a, b) } else { nil }
        },
        .init(35, Self.leaveBehind) {
            if case .leaveBehind(let a, let b) = $0 { (a, b) } else { nil }
        },
        .init(36, Self.giveBack) { if case .giveBack(let a, let b) = $0 { (a, b) } else { nil } }
    )
}

extension Command.Passenger {
    fileprivate static let coding = CaseTable<Self>(
        .init(23, Self.request) { if case .request(let a) = $0 { a } else { nil } },
        .init(24, Self.reserve) {
            if case .reserve(let a, let b) = $0 { (a, b) } else { nil }
        },
        .init(25, Self.cancel) { if case .cancel(let a) = $0 { a } else { nil } },
        .init(26, Self.join) {
            if case .join(let a, let b, let c) = $0 { (a, b, c) } else { nil }
        }
    )
}

extension Command.Console {
    fileprivate static let coding = CaseTable<Self>(
        .init(7, Self.suspend) { if case .suspend(let a) = $0 { a } else { nil } },
        .init(8, .resume),
        .init(27, Self.assign) {
            if case .assign(let a, let b, let c) = $0 { (a, b, c) } else { nil }
        },
        .init(28, Self.park) { if case .park(let a, let b) = $0 { (a, b) } else { nil } },
        .init(29, Self.unpark) { if case .unpark(let a) = $0 { a } else { nil } },
        .init(30, Self.restoreTurn) {
            if case .restoreTurn(let a, let b) = $0 { (a, b) } else { nil }
        },
        .init(31, Self.takeOffDuty) {
            if case .takeOffDuty(let a, let b) = $0 { (a, b) } else { nil }
        },
        .init(32, Self.withdraw) {
            if case .withdraw(let a, let b) = $0 { (a, b) } else { nil }
        },
        .init(33, Self.closeRide) {
            if case .closeRide(let a, let b) = $0 { (a, b) } else { nil }
        },
        .init(37, Self.replace) {
            if case .replace(let a, let b, let c) = $0 { (a, b, c) } else { nil }
        }
    )
}
