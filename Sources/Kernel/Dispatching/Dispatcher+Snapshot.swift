internal import Chronology
internal import Columns

extension Dispatcher {
    /// A snapshot: the whole state as bytes, always the same for the same state.
    ///
    /// Queues and deadlines are not included, because they follow from the taxis and the requests.
    public var snapshot: [UInt8] {
        var writer = ByteWriter()
        writer.put(now)
        writeState(to: &writer)
        return writer.bytes
    }

    /// Identifies the state: the xxHash64 of its bytes without the clock, which advances even
    /// when nothing happens.
    public var stateHash: UInt64 {
        var writer = ByteWriter()
        writeState(to: &writer)
        return unsafe writer.bytes.withUnsafeBytes { all in
            guard let base = all.baseAddress else { return 0 }
            return unsafe Checksum.xxHash64(base, count: all.count)
        }
    }

    private func writeState(to writer: inout ByteWriter) {
        writer.put(sequence)
        writer.put(policy)
        writer.put(isSetUp)
        writer.put(suspension)
        writer.put(zonesHash)
        writer.put(zones.map { $0.name })
        writer.put(taxis)
        writer.put(lastRequest)
        writer.put(requests)
    }

    /// Restores the state from a snapshot.
    ///
    /// - Throws: ``CodingFailure`` when the bytes are not a snapshot, or its
    ///   parts are inconsistent.
    public init(snapshot: [UInt8]) throws(CodingFailure) {
        self.init()
        var reader = ByteReader(snapshot)
        now = try reader.get()
        sequence = try reader.get()
        policy = try reader.get()
        isSetUp = try reader.get()
        suspension = try reader.get()
        zonesHash = try reader.get()
        zones = try reader.get([String].self).map { ZoneQueue(name: $0) }
        taxis = try reader.get()
        lastRequest = try reader.get()
        let requests: [Request] = try reader.get()
        try reader.end()
        guard now != .never, sequence >= 0, sequence != .max, lastRequest < 1 << 60,
            restore(requests)
        else { throw .invalid(at: 0) }
    }

    /// A limit far above the attempts of any request and far below overflow.
    private static let counts: Range<Int32> = 0..<1 << 30

    /// Rebuilds queues and deadlines from the taxis and the requests.
    ///
    /// - Returns: whether the parts are consistent.
    private mutating func restore(_ requests: [Request]) -> Bool {
        for request in requests {
            guard request.zone.rawValue < zones.count, table[request.number] == nil,
                request.form.neighbours.allSatisfy({ $0.zone.rawValue < zones.count }),
                request.number.rawValue <= lastRequest,
                [request.heldTries, request.tries, request.offers].allSatisfy(Self.counts.contains)
            else { return false }
            if case .reserved = request.phase, request.due == nil { return false }
            table.insert(request)
            if request.isLive {
                guard passengers[request.form.passenger] == nil else { return false }
                passengers[request.form.passenger] = request.number
            }
            if request.isHeld {
                zones[Int(request.zone.rawValue)].addHeld(
                    request.number,
                    arrival: request.arrival
                )
            }
            watch(request.number)
        }
        for (index, taxi) in taxis.enumerated() {
            guard taxi.number.rawValue == index, restore(taxi) else { return false }
        }
        return requests.allSatisfy { refersToWhatIs($0) }
    }

    private mutating func restore(_ taxi: Taxi) -> Bool {
        if let zone = taxi.zone {
            guard zone.rawValue < zones.count else { return false }
            if let rank = taxi.rank { zones[Int(zone.rawValue)].insert(taxi.number, at: rank) }
            if case .offer = taxi.work { zones[Int(zone.rawValue)].addPending(taxi.number) }
        }
        switch taxi.work {
        case .none: break
        case .offer(let request):
            guard table[request]?.offer?.taxi == taxi.number else { return false }
        case .ride(let request):
            guard table[request]?.ride?.taxi == taxi.number else { return false }
        }
        if let graceEnds = taxi.graceEnds {
            deadlines.push(Deadline(due: graceEnds, subject: .turn(taxi.number)))
        }
        if taxi.isOnDuty, taxi.licensedUntil != .never {
            deadlines.push(Deadline(due: taxi.licensedUntil, subject: .licence(taxi.number)))
        }
        return (taxi.rank != nil) == (taxi.status == .available)
    }

    private func refersToWhatIs(_ request: Request) -> Bool {
        if case .joined(let owner) = request.phase {
            return table[owner]?.joiners.contains(request.number) ?? false
        }
        guard let taxi = request.offer?.taxi ?? request.ride?.taxi else {
            return request.phase != .seeking
        }
        let work = request.offer == nil ? Work.ride(request.number) : .offer(request.number)
        return self.taxi(taxi)?.work == work
    }
}

extension Entry: ByteCoded {
    /// Appends the moment, the policy, the input and the events.
    public func write(to writer: inout ByteWriter) {
        writer.put(at)
        writer.put(policy)
        switch input {
        case .time: writer.number(0)
        case .restart: writer.number(1)
        case .command(let command):
            writer.number(2)
            writer.put(command)
        }
        writer.put(events)
    }

    /// Decodes the moment, the policy, the input and the events.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        at = try reader.get()
        policy = try reader.get()
        let start = reader.position
        switch try reader.number() {
        case 0: input = .time
        case 1: input = .restart
        case 2: input = .command(try reader.get())
        case let tag: throw .unknown(tag: tag, at: start)
        }
        events = try reader.get()
    }

    /// The encoded form of the entry.
    public var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.put(self)
        return writer.bytes
    }

    /// Decodes an entry that takes up all the bytes.
    ///
    /// - Throws: ``CodingFailure`` when the bytes are not exactly one entry.
    public init(bytes: [UInt8]) throws(CodingFailure) {
        var reader = ByteReader(bytes)
        try self.init(from: &reader)
        try reader.end()
    }
}
