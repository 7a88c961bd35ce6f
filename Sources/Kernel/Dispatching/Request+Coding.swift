extension FormerPlace: ByteCoded {
    /// Appends the fields in order of declaration.
    public func write(to writer: inout ByteWriter) {
        writer.put(zone)
        writer.put(rank)
    }

    /// Decodes the fields in order of declaration.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        self.init(zone: try reader.get(), rank: try reader.get())
    }
}

extension Offer: ByteCoded {
    /// Appends the fields in order of declaration.
    public func write(to writer: inout ByteWriter) {
        writer.put(taxi)
        writer.put(epoch)
        writer.put(deadline)
        writer.put(isDelivered)
        writer.put(former)
    }

    /// Decodes the fields in order of declaration.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        self.init(
            taxi: try reader.get(),
            epoch: try reader.get(),
            deadline: try reader.get(),
            isDelivered: try reader.get(),
            former: try reader.get()
        )
    }
}

extension Ride: ByteCoded {
    /// Appends the fields in order of declaration.
    public func write(to writer: inout ByteWriter) {
        writer.put(taxi)
        writer.put(stage)
        writer.put(reachedAt)
        writer.put(isAtDestination)
        writer.put(wrongCodes)
        writer.put(aboard)
        writer.put(former)
    }

    /// Decodes the fields in order of declaration.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        self.init(
            taxi: try reader.get(),
            stage: try reader.get(),
            reachedAt: try reader.get(),
            isAtDestination: try reader.get(),
            wrongCodes: try reader.get(),
            aboard: try reader.get(),
            former: try reader.get()
        )
    }
}

extension Request.Phase: ByteCoded {
    /// Appends the number of the case, then its associated values.
    public func write(to writer: inout ByteWriter) {
        switch self {
        case .reserved(let nextTry):
            writer.number(0)
            writer.put(nextTry)
        case .seeking: writer.number(1)
        case .offered(let offer):
            writer.number(2)
            writer.put(offer)
        case .held(let nextTry):
            writer.number(3)
            writer.put(nextTry)
        case .parked: writer.number(4)
        case .riding(let ride):
            // A ride that passed to another request has a case number of its own, so that older
            // snapshots stay readable.
            writer.number(ride.acceptedFor == nil ? 5 : 7)
            writer.put(ride)
            if let first = ride.acceptedFor { writer.put(first) }
        case .joined(let owner):
            writer.number(6)
            writer.put(owner)
        }
    }

    /// Decodes the number of the case, then its associated values.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        let start = reader.position
        switch try reader.number() {
        case 0: self = .reserved(nextTry: try reader.get())
        case 1: self = .seeking
        case 2: self = .offered(try reader.get())
        case 3: self = .held(nextTry: try reader.get())
        case 4: self = .parked
        case 5: self = .riding(try reader.get())
        case 6: self = .joined(try reader.get())
        case 7:
            var ride: Ride = try reader.get()
            ride.acceptedFor = try reader.get(RequestNumber.self)
            self = .riding(ride)
        case let tag: throw .unknown(tag: tag, at: start)
        }
    }
}

extension Request: ByteCoded {
    /// Appends the fields in order of declaration.
    public func write(to writer: inout ByteWriter) {
        writer.put(number)
        writer.put(form)
        writer.put(needs)
        writer.put(zone)
        writer.put(due)
        writer.put(arrival)
        writer.put(phase)
        // Both flags share one byte, which used to hold only the first, so that older snapshots
        // stay readable.
        writer.put(UInt8((isLive ? 1 : 0) + (hasLostTaxi ? 2 : 0)))
        writer.put(heldTries)
        writer.put(tries)
        writer.put(asked)
        writer.put(offers)
        writer.put(eligible)
        writer.put(joiners)
    }

    /// Decodes the fields in order of declaration.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        number = try reader.get()
        form = try reader.get()
        needs = try reader.get()
        zone = try reader.get()
        due = try reader.get()
        arrival = try reader.get()
        phase = try reader.get()
        let start = reader.position
        let marks: UInt8 = try reader.get()
        guard marks < 4 else { throw .invalid(at: start) }
        isLive = marks & 1 != 0
        hasLostTaxi = marks & 2 != 0
        heldTries = try reader.get()
        tries = try reader.get()
        asked = try reader.get()
        offers = try reader.get()
        eligible = try reader.get()
        joiners = try reader.get()
    }
}
