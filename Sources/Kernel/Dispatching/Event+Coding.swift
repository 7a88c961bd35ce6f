extension Event: ByteCoded {
    /// Appends the number of the case, then its associated values.
    public func write(to writer: inout ByteWriter) {
        switch self {
        case .city(let event): City.coding.write(event, to: &writer)
        case .taxi(let event): Taxi.coding.write(event, to: &writer)
        case .request(let event): Request.coding.write(event, to: &writer)
        case .offer(let event): Offer.coding.write(event, to: &writer)
        case .ride(let event): Ride.coding.write(event, to: &writer)
        }
    }

    /// Decodes the number of the case, then its associated values.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        let start = reader.position
        let number = try reader.number()
        if let event = try City.coding.read(number, from: &reader) {
            self = .city(event)
        } else if let event = try Taxi.coding.read(number, from: &reader) {
            self = .taxi(event)
        } else if let event = try Request.coding.read(number, from: &reader) {
            self = .request(event)
        } else if let event = try Offer.coding.read(number, from: &reader) {
            self = .offer(event)
        } else if let event = try Ride.coding.read(number, from: &reader) {
            self = .ride(event)
        } else {
            throw .unknown(tag: number, at: start)
        }
    }
}

extension Event.City {
    fileprivate static let coding = CaseTable<Self>(
        .init(1, Self.policyAdopted) { if case .policyAdopted(let a) = $0 { a } else { nil } },
        .init(2, Self.zonesDrawn) { if case .zonesDrawn(let a) = $0 { a } else { nil } },
        .init(3, Self.taxiRegistered) {
            if case .taxiRegistered(let a, let b) = $0 { (a, b) } else { nil }
        },
        .init(4, Self.taxiChanged) {
            if case .taxiChanged(let a, let b) = $0 { (a, b) } else { nil }
        },
        .init(5, Self.taxiRemoved) { if case .taxiRemoved(let a) = $0 { a } else { nil } },
        .init(6, .setupCompleted),
        .init(7, Self.suspended) { if case .suspended(let a) = $0 { a } else { nil } },
        .init(8, .resumed),
        .init(9, .restarted)
    )
}

extension Event.Taxi {
    fileprivate static let coding = CaseTable<Self>(
        .init(10, Self.wentOnDuty) { if case .wentOnDuty(let a) = $0 { a } else { nil } },
        .init(11, Self.wentOffDuty) {
            if case .wentOffDuty(let a, let b, let c) = $0 { (a, b, c) } else { nil }
        },
        .init(12, Self.placed) { if case .placed(let a, let b) = $0 { (a, b) } else { nil } },
        .init(13, Self.contactLost) {
            if case .contactLost(let a, let b) = $0 { (a, b) } else { nil }
        },
        .init(14, Self.contactRegained) { if case .contactRegained(let a) = $0 { a } else { nil } },
        .init(15, Self.enqueued) {
            if case .enqueued(let a, let b, let c, let d) = $0 { (a, b, c, d) } else { nil }
        },
        .init(16, Self.dequeued) { if case .dequeued(let a, let b) = $0 { (a, b) } else { nil } },
        .init(17, Self.turnRestored) {
            if case .turnRestored(let a, let b) = $0 { (a, b) } else { nil }
        },
        .init(39, Self.turnKept) {
            if case .turnKept(let a, let b, let c) = $0 { (a, b, c) } else { nil }
        },
        .init(42, Self.homeTurnKept) {
            if case .homeTurnKept(let a, let b, let c, let d) = $0 { (a, b, c, d) } else { nil }
        }
    )
}

extension Event.Request {
    fileprivate static let coding = CaseTable<Self>(
        .init(18, Self.requested) {
            if case .requested(let a, let b) = $0 { (a, b) } else { nil }
        },
        .init(19, Self.reserved) {
            if case .reserved(let a, let b, let c, let d) = $0 { (a, b, c, d) } else { nil }
        },
        .init(20, Self.joined) {
            if case .joined(let a, let b, let c) = $0 { (a, b, c) } else { nil }
        },
        .init(21, Self.reservationTried) {
            if case .reservationTried(let a) = $0 { a } else { nil }
        },
        .init(22, Self.reservationPostponed) {
            if case .reservationPostponed(let a, let b, let c) = $0 { (a, b, c) } else { nil }
        },
        .init(23, Self.held) { if case .held(let a, let b) = $0 { (a, b) } else { nil } },
        .init(24, Self.heldTried) { if case .heldTried(let a) = $0 { a } else { nil } },
        .init(25, Self.parked) { if case .parked(let a, let b) = $0 { (a, b) } else { nil } },
        .init(26, Self.unparked) { if case .unparked(let a) = $0 { a } else { nil } },
        .init(27, Self.assigned) {
            if case .assigned(let a, let b, let c) = $0 { (a, b, c) } else { nil }
        },
        .init(28, Self.ended) {
            if case .ended(let a, let b, let c) = $0 { (a, b, c) } else { nil }
        },
        .init(29, Self.ownerChanged) {
            if case .ownerChanged(let a, let b) = $0 { (a, b) } else { nil }
        }
    )
}

extension Event.Offer {
    fileprivate static let coding = CaseTable<Self>(
        .init(30, Self.offered) {
            if case .offered(let a, let b, let c, let d) = $0 { (a, b, c, d) } else { nil }
        },
        .init(31, Self.offerRenewed) {
            if case .offerRenewed(let a, let b) = $0 { (a, b) } else { nil }
        },
        .init(32, Self.offerDelivered) { if case .offerDelivered(let a) = $0 { a } else { nil } },
        .init(33, Self.offerClosed) {
            if case .offerClosed(let a, let b) = $0 { (a, b) } else { nil }
        },
        .init(34, Self.accepted) { if case .accepted(let a) = $0 { a } else { nil } }
    )
}

extension Event.Ride {
    fileprivate static let coding = CaseTable<Self>(
        .init(35, Self.meetingPointReached) {
            if case .meetingPointReached(let a) = $0 { a } else { nil }
        },
        .init(36, Self.codeRejected) { if case .codeRejected(let a) = $0 { a } else { nil } },
        .init(37, Self.boarded) { if case .boarded(let a, let b) = $0 { (a, b) } else { nil } },
        .init(38, Self.destinationReached) {
            if case .destinationReached(let a) = $0 { a } else { nil }
        },
        .init(40, Self.arrivalStated) { if case .arrivalStated(let a) = $0 { a } else { nil } },
        .init(41, Self.givenBack) {
            if case .givenBack(let a, let b, let c) = $0 { (a, b, c) } else { nil }
        }
    )
}
