// The parts of commands, events and states are encoded field by field in order of declaration.

extension ByteCoded
where Self: RawRepresentable, RawValue: FixedWidthInteger & UnsignedInteger {
    /// Appends the raw value as LEB128.
    public func write(to writer: inout ByteWriter) { writer.number(UInt64(rawValue)) }

    /// Decodes the raw value.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        let start = reader.position
        let number = try reader.number()
        guard let raw = RawValue(exactly: number) else { throw .invalid(at: start) }
        guard let value = Self(rawValue: raw) else { throw .unknown(tag: number, at: start) }
        self = value
    }
}

extension TaxiNumber: ByteCoded {}
extension ZoneNumber: ByteCoded {}
extension RequestNumber: ByteCoded {}
extension PassengerNumber: ByteCoded {}
extension CodeCheck: ByteCoded {}
extension GiveBackCause: ByteCoded {}
extension OffDutyCause: ByteCoded {}
extension OfferOutcome: ByteCoded {}
extension OfferRule: ByteCoded {}
extension PostponeCause: ByteCoded {}
extension QueueCause: ByteCoded {}
extension RequestOutcome: ByteCoded {}
extension Ride.Stage: ByteCoded {}

extension Capacity: ByteCoded {
    /// Appends the fields in order of declaration.
    public func write(to writer: inout ByteWriter) {
        writer.put(seats)
        writer.put(wheelchair)
    }

    /// Decodes the fields in order of declaration.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        self.init(
            seats: try reader.get(),
            wheelchair: try reader.get()
        )
    }
}

extension Rank: ByteCoded {
    /// Appends the fields in order of declaration.
    public func write(to writer: inout ByteWriter) {
        writer.put(isRestored)
        writer.put(sequence)
    }

    /// Decodes the fields in order of declaration.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        self.init(
            isRestored: try reader.get(),
            sequence: try reader.get()
        )
    }
}

extension TaxiForm: ByteCoded {
    /// Appends the fields in order of declaration.
    public func write(to writer: inout ByteWriter) {
        writer.put(code)
        writer.put(capacity)
        writer.put(licensedUntil)
    }

    /// Decodes the fields in order of declaration.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        self.init(
            code: try reader.get(),
            capacity: try reader.get(),
            licensedUntil: try reader.get()
        )
    }
}

extension RequestForm: ByteCoded {
    /// Appends the fields in order of declaration.
    public func write(to writer: inout ByteWriter) {
        writer.put(passenger)
        writer.put(isGuest)
        writer.put(zone)
        writer.put(needs)
        writer.put(hasDestination)
        // Both flags share one byte, which used to hold only the first, so that older logs stay
        // readable and a request without neighbours keeps its bytes.
        writer.put(UInt8((isShared ? 1 : 0) + (neighbours.isEmpty ? 0 : 2)))
        if !neighbours.isEmpty { writer.put(neighbours) }
    }

    /// Decodes the fields in order of declaration.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        self.init(
            passenger: try reader.get(),
            isGuest: try reader.get(),
            zone: try reader.get(),
            needs: try reader.get(),
            hasDestination: try reader.get()
        )
        let start = reader.position
        let marks: UInt8 = try reader.get()
        guard marks < 4 else { throw .invalid(at: start) }
        isShared = marks & 1 != 0
        guard marks & 2 != 0 else { return }
        neighbours = try reader.get()
        guard !neighbours.isEmpty else { throw .invalid(at: start) }
    }
}

extension NeighbouringZone: ByteCoded {
    /// Appends the fields in order of declaration.
    public func write(to writer: inout ByteWriter) {
        writer.put(zone)
        writer.put(seconds)
    }

    /// Decodes the fields in order of declaration.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        self.init(zone: try reader.get(), seconds: try reader.get())
    }
}

extension ZoneDrawing.Redrawn: ByteCoded {
    /// Appends the fields in order of declaration.
    public func write(to writer: inout ByteWriter) {
        writer.put(request)
        writer.put(zone)
    }

    /// Decodes the fields in order of declaration.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        self.init(
            request: try reader.get(),
            zone: try reader.get()
        )
    }
}

extension ZoneDrawing: ByteCoded {
    /// Appends the fields in order of declaration.
    public func write(to writer: inout ByteWriter) {
        writer.put(names)
        writer.put(hash)
        writer.put(places)
        writer.put(requests)
    }

    /// Decodes the fields in order of declaration.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        self.init(
            names: try reader.get(),
            hash: try reader.get(),
            places: try reader.get(),
            requests: try reader.get()
        )
    }
}

extension SharingEstimate: ByteCoded {
    /// Appends the fields in order of declaration.
    public func write(to writer: inout ByteWriter) {
        writer.put(walkSeconds)
        writer.put(taxiSeconds)
        writer.put(detourPercent)
        writer.put(extraWaitSeconds)
    }

    /// Decodes the fields in order of declaration.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        self.init(
            walkSeconds: try reader.get(),
            taxiSeconds: try reader.get(),
            detourPercent: try reader.get(),
            extraWaitSeconds: try reader.get()
        )
    }
}

extension Place: ByteCoded {
    /// Appends 0 for unknown, 1 for outside, or the zone's number plus 2.
    public func write(to writer: inout ByteWriter) {
        switch self {
        case .unknown: writer.number(0)
        case .outside: writer.number(1)
        case .zone(let zone): writer.number(UInt64(zone.rawValue) + 2)
        }
    }

    /// Decodes 0, 1, or 2 plus the number of a zone.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        let start = reader.position
        switch try reader.number() {
        case 0: self = .unknown
        case 1: self = .outside
        case let number:
            guard let zone = UInt32(exactly: number - 2) else { throw .invalid(at: start) }
            self = .zone(ZoneNumber(rawValue: zone))
        }
    }
}

extension Policy: ByteCoded {
    /// Appends the name and the values; see ``loggedValues``.
    public func write(to writer: inout ByteWriter) {
        writer.put(name)
        writer.put(loggedValues)
    }

    /// Decodes a policy; keys that are newer than the bytes take their default values.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        let name: String = try reader.get()
        let start = reader.position
        let values: [Int64] = try reader.get()
        guard let policy = Policy(name: name, values: values) else { throw .invalid(at: start) }
        self = policy
    }
}
