import Chronology
import Columns
import Dispatching
import Fares
import Geo
import Positions
import Storage
import StorageTestSupport
import Streets
import Synchronization
import TestClock
import Testing
import Zones

@testable import Taxi

/// A town with one street, ten kilometres long and running due east, and a zone for each half.
struct TaxiTown: Sendable {
    let database: Database
    let test: SettableClock
    let service: TaxiService

    static let west = ZoneNumber(rawValue: 0)
    static let east = ZoneNumber(rawValue: 1)
    static let secret = [UInt8](repeating: 7, count: 32)

    /// Returns the place at a distance from the west end of the street.
    static func place(_ metres: Double) -> Coordinate {
        Coordinate(latitude: 454_600_000, longitude: 91_000_000 + Int32(metres * 128))
    }

    /// Returns the zones: 0 to 5 km and 5 to 10 km, or divided elsewhere.
    static func zones(cutAt metres: Double = 5_000) throws -> ZoneSet {
        func box(_ from: Double, _ to: Double, _ name: String) throws -> Zone {
            let (left, right) = (place(from).longitude, place(to).longitude)
            let corners = [
                Coordinate(latitude: 454_500_000, longitude: left),
                Coordinate(latitude: 454_500_000, longitude: right),
                Coordinate(latitude: 454_700_000, longitude: right),
                Coordinate(latitude: 454_700_000, longitude: left),
                Coordinate(latitude: 454_500_000, longitude: left),
            ]
            let area = MultiPolygon([Polygon(outline: try Ring(corners))])
            return Zone(code: name, name: name, area: area)
        }
        let draft = try ZoneDraft([
            box(-100, metres, "west"), box(metres, 10_100, "east"),
        ])
        // Parsed as from the database, whose file names the property with the code.
        return try ZoneSet.read(draft.healed().geoJSON, file: "town")
    }

    /// Returns the street, on which a taxi takes a minute per half kilometre.
    static func street() throws -> StreetNetwork {
        var draft = StreetDraft()
        let junctions = (0...20).map { place(Double($0) * 500) }
        for (number, junction) in junctions.enumerated() {
            draft.vertices.append(junction)
            draft.originals.append(UInt32(number))
        }
        for number in 0..<20 {
            let (from, to) = (UInt32(number), UInt32(number + 1))
            draft.edges.append(
                StreetDraft.Edge(
                    from: from,
                    to: to,
                    geometry: [junctions[number], junctions[number + 1]],
                    lengthDecimetres: 5_000,
                    kind: .residential
                )
            )
            for forward in [true, false] {
                draft.arcs.append(
                    StreetDraft.Arc(
                        from: forward ? from : to,
                        to: forward ? to : from,
                        edge: from,
                        forward: forward,
                        milliseconds: Profile.allCases.map { $0 == .foot ? 400_000 : 60_000 }
                    )
                )
            }
        }
        var writer = SectionWriter()
        try writer.add(streets: draft)
        return StreetNetwork(try writer.opened())
    }

    /// Opens a town with a number of taxis on duty at the west end.
    static func open(
        in database: Database,
        _ test: SettableClock,
        taxis: Int,
        policy: Policy = .viavai,
        hasStreets: Bool = true,
        _ body: @escaping @Sendable (TaxiTown) async throws -> Void
    ) async throws {
        try await run(in: database, test, hasStreets: hasStreets) { town in
            try await town.setUp(taxis: taxis, policy)
            try await body(town)
        }
    }

    /// Runs the service of a town while a test uses it.
    static func run(
        in database: Database,
        _ test: SettableClock,
        hasStreets: Bool = true,
        holder: String = "one",
        _ body: @escaping @Sendable (TaxiTown) async throws -> Void
    ) async throws {
        try await database.migrate(
            Migration.storage + Migration.taxi + Migration.zoneCounts + Migration.streetSpeeds
        )
        var city = TaxiService.City(name: "town", zone: .utc, secret: secret)
        if hasStreets { city.streets = try street() }
        city.tariffs = try TariffBook(text: TariffBook.example)
        let service = try TaxiService(
            city,
            in: database,
            clock: test.clock,
            settings: DispatchService.Settings(holder: holder)
        )
        let town = TaxiTown(database: database, test: test, service: service)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            group.addTask {
                try await town.until { service.serves }
                try await body(town)
                throw CancellationError()
            }
            defer { group.cancelAll() }
            while let result = await group.nextResult() {
                if case .failure(let error) = result {
                    if error is CancellationError { break }
                    throw error
                }
            }
        }
    }

    func setUp(taxis: Int, _ policy: Policy = .viavai) async throws {
        _ = try await give(.adopt(policy))
        _ = try await service.draw(try await service.plan(try Self.zones()))
        let all = (0..<UInt32(taxis)).map { TaxiNumber(rawValue: $0) }
        await service.dispatch.note { all.map { .register(TaxiForm(code: "T\($0.rawValue)")) } }
        _ = try await give(.completeSetup)
        try await service.compare()
        for taxi in all { report(taxi, at: 100) }
        try await until("all are heard") {
            try await service.dispatch.read { $0.taxis.allSatisfy(\.isReachable) }
        }
        await service.dispatch.note { all.map { .goOnDuty($0) } }
    }

    @discardableResult
    func give(_ command: Command) async throws -> DispatchService.Receipt {
        try await service.dispatch.give(command)
    }

    /// Reports a position of a phone at the current time.
    @discardableResult
    func report(_ taxi: TaxiNumber, at metres: Double) -> Set<PositionFault> {
        let report = PositionReport(at: test.now, place: Self.place(metres), accuracyMetres: 5)
        let batch = PositionBatch(taxi: taxi, sentAt: test.now, reports: [report])
        return (try? service.report(batch)) ?? []
    }

    /// Drives at 36 km/h, reporting every five seconds, and then stands still.
    func drive(_ taxi: TaxiNumber, from start: Double, to end: Double) async throws {
        var metres = start
        let step = start < end ? 50.0 : -50.0
        while metres != end {
            metres = step > 0 ? min(end, metres + step) : max(end, metres + step)
            test.advance(seconds: 5)
            report(taxi, at: metres)
        }
    }

    /// Waits until other tasks have brought about a condition; the service's clock
    /// does not advance.
    func until(
        _ comment: Comment = "it did not happen",
        _ holds: @Sendable () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + .seconds(Probe.limit)
        while try await !holds() {
            guard ContinuousClock.now < end else {
                Issue.record(comment)
                throw CancellationError()
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Waits until the log's reader has stored and handled all decisions so far.
    func untilRead() async throws {
        let head = await service.dispatch.head.sequence
        let isRead = await service.recorded.reached(head, by: test.now.adding(seconds: 1))
        #expect(isRead)
    }

    /// A passenger calls, and the first taxi accepts.
    func ride(
        _ passenger: UInt64,
        from origin: Double,
        to destination: Double? = nil,
        isShared: Bool = false
    ) async throws -> (request: RequestNumber, taxi: TaxiNumber) {
        var order = Self.order(passenger, from: origin, to: destination)
        order.isShared = isShared
        let request = try await service.call(order).request
        let asked = try await service.dispatch.read { $0.request(request)?.offer }
        let offer = try #require(asked)
        _ = try await service.accept(request, by: offer.taxi, epoch: offer.epoch)
        try await untilRead()
        return (request, offer.taxi)
    }

    static func order(
        _ passenger: UInt64,
        from origin: Double,
        to destination: Double? = nil
    ) -> RideOrder {
        RideOrder(
            PassengerNumber(rawValue: passenger),
            from: place(origin),
            to: destination.map { place($0) }
        )
    }
}
