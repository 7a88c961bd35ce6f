extension Work: ByteCoded {
    /// Appends the number of the case, then the request.
    public func write(to writer: inout ByteWriter) {
        switch self {
        case .none: writer.number(0)
        case .offer(let request):
            writer.number(1)
            writer.put(request)
        case .ride(let request):
            writer.number(2)
            writer.put(request)
        }
    }

    /// Decodes the number of the case, then the request.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        let start = reader.position
        switch try reader.number() {
        case 0: self = .none
        case 1: self = .offer(try reader.get())
        case 2: self = .ride(try reader.get())
        case let tag: throw .unknown(tag: tag, at: start)
        }
    }
}

extension KeptTurn: ByteCoded {
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

extension HomeTurn: ByteCoded {
    /// Appends the fields in order of declaration.
    public func write(to writer: inout ByteWriter) {
        writer.put(zone)
        writer.put(rank)
        writer.put(until)
    }

    /// Decodes the fields in order of declaration.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        self.init(zone: try reader.get(), rank: try reader.get(), until: try reader.get())
    }
}

extension Taxi: ByteCoded {
    /// Appends the fields in order of declaration.
    public func write(to writer: inout ByteWriter) {
        writer.put(number)
        writer.put(code)
        writer.put(capacity)
        writer.put(licensedUntil)
        writer.put(isOnDuty)
        writer.put(isReachable)
        // Both flags share one byte, which used to hold only the first, so that older snapshots
        // stay readable.
        writer.put(UInt8((isRemoved ? 1 : 0) + (homeTurn == nil ? 0 : 2)))
        writer.put(place)
        writer.put(work)
        writer.put(rank)
        writer.put(keptTurn)
        writer.put(graceEnds)
        writer.put(ignoredOffers)
        if let homeTurn { writer.put(homeTurn) }
    }

    /// Decodes the fields in order of declaration.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        self.init(
            number: try reader.get(),
            code: try reader.get(),
            capacity: try reader.get(),
            licensedUntil: try reader.get()
        )
        isOnDuty = try reader.get()
        isReachable = try reader.get()
        let start = reader.position
        let marks: UInt8 = try reader.get()
        guard marks < 4 else { throw .invalid(at: start) }
        isRemoved = marks & 1 != 0
        place = try reader.get()
        work = try reader.get()
        rank = try reader.get()
        keptTurn = try reader.get()
        graceEnds = try reader.get()
        ignoredOffers = try reader.get()
        if marks & 2 != 0 { homeTurn = try reader.get(HomeTurn.self) }
    }
}
