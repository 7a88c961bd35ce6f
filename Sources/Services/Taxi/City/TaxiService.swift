package import Chronology
package import Dispatching
package import Fares
package import Geo
package import Positions
package import Storage
package import Streets
import Synchronization

/// A city's running taxi service: the dispatcher, the drivers' positions, places, arrivals and
/// fares, as the pages of passengers, drivers and operators call it.
///
/// What decides who gets which passenger goes through ``dispatch`` and is durable in the log. What
/// the log must not hold is in tables beside it, written in the same transaction where one is
/// nothing without the other. Commands that no place, code or fare belongs to are given to
/// ``dispatch`` directly.
package final class TaxiService: Sendable {
    /// What a city is beside its zones and taxis.
    package struct City: Sendable {
        /// The name of its log.
        package var name: String
        /// The time zone of its clocks.
        package var zone: ZoneTable
        /// Its streets; nil where none are known: then arrivals are unknown (F14).
        package var streets: StreetNetwork?
        /// Its tariffs until others are put into force; empty where none are known: then fares are
        /// unknown.
        package var tariffs = TariffBook()
        /// Who knows its addresses.
        package var addresses = AddressSource.none
        /// The server's secret: at least 32 random bytes, the same over restarts and servers.
        package var secret: [UInt8]

        /// A city of which nothing else is known.
        package init(name: String, zone: ZoneTable, secret: [UInt8]) {
            self.name = name
            self.zone = zone
            self.secret = secret
        }
    }

    /// Why something was neither done nor refused by the rules.
    package enum Failure: Error, Hashable, Sendable {
        /// The secret has fewer than 32 bytes.
        case weakSecret
        /// The service does not run yet, or no longer.
        case notServing
        /// The place is none on Earth, or the middle of the sea at 0, 0.
        case noPlace
        /// The destination is further away than a taxi drives: more metres than ``farthest``.
        case destinationTooFar
        /// The position is too vague to come to: ask for an address; the metres that are allowed.
        case positionTooVague(allowedMetres: Int64)
        /// The plan was made for another state: look again.
        case planOutdated
        /// What is asked is not this person's to see or do.
        case notYours
        /// He missed too many rides, and may ask for a taxi again then (R111).
        case missedTooOften(until: Moment)
        /// He has as many reservations as one may have.
        case tooManyReservations(most: Int)
        /// There is no ride of that number that has ended.
        case noReceipt
    }

    /// The dispatcher and its log.
    package let dispatch: DispatchService
    /// Takes drivers' positions.
    let intake = PositionIntake()
    /// Knows driving times.
    package let drives: DriveDesk
    /// The tables beside the log.
    package let store: RideStore
    let book = RideBook()
    let city: City
    /// The tariffs in force; what is asked for a price holds them for that one answer.
    let tariffBook: Mutex<TariffBook>
    let clock: ServiceClock
    let codes: BoardingCodes
    /// Signs receipts.
    package let receipts: ReceiptSigner
    let news = Newsroom()
    /// How far the history has followed the log.
    let recorded = RecordMark()
    /// Remembers what drivers are to be told.
    let chronicle = DriverChronicle()
    /// What drivers are shown of reservations.
    let reservationBoard = ReservationBoard()
    /// Keeps the draft of other zones, and the versions that were in force.
    package let zoneDesk: ZoneDesk
    /// Whether zones are being drawn: one drawing at a time.
    let isDrawing = Mutex(false)
    private let isReady = Mutex(false)

    /// A service whose log is in a database with the schema of `Migration.storage` and
    /// `Migration.taxi`; ``run()`` makes it serve.
    ///
    /// - Throws: ``Failure/weakSecret``.
    package init(
        _ city: City,
        in database: Database,
        clock: ServiceClock,
        settings: DispatchService.Settings
    ) throws(Failure) {
        guard let codes = BoardingCodes(key: city.secret, city: city.name) else {
            throw .weakSecret
        }
        guard let receipts = try? ReceiptSigner(secret: city.secret) else { throw .weakSecret }
        self.codes = codes
        self.receipts = receipts
        self.city = city
        tariffBook = Mutex(city.tariffs)
        self.clock = clock
        dispatch = DispatchService(
            city: city.name,
            in: database,
            clock: clock,
            settings: settings
        )
        store = RideStore(of: EventLog(city.name, in: database), in: database)
        zoneDesk = ZoneDesk(store)
        drives = DriveDesk(streets: city.streets, zone: city.zone, calibration: Calibration())
    }

    /// Whether it answers.
    package var serves: Bool { isReady.withLock { $0 } }

    func become(ready: Bool) {
        isReady.withLock { $0 = ready }
    }

    func checkServing() throws(Failure) {
        guard serves else { throw .notServing }
    }

    // MARK: Positions

    /// Takes what a driver's phone reports; it never waits.
    ///
    /// - Returns: what was wrong with reports that were not used, each fault once.
    /// - Throws: ``Failure/notServing``.
    package func report(_ batch: PositionBatch) throws(Failure) -> Set<PositionFault> {
        try checkServing()
        return intake.take(batch, at: clock.now())
    }

    /// What was used last of what a driver's own phone reported, or he stated, with its corrected
    /// time; nil where nothing was since the start.
    ///
    /// - Throws: ``Failure/notServing``.
    package func lastReport(by taxi: TaxiNumber) throws(Failure) -> PositionReport? {
        try checkServing()
        return intake.report(of: taxi)
    }

    /// Who wants to know where a taxi is.
    package enum Viewer: Hashable, Sendable {
        /// A driver: he sees his own taxi.
        case driver(TaxiNumber)
        /// A passenger: he sees the taxi of his ride, from accepting to the end (R61).
        case passenger(PassengerNumber)
        /// The city's operator: he sees all.
        case cityOperator
    }

    /// Where a taxi was last, and when; nil where it was not heard from since the start.
    ///
    /// - Throws: ``Failure/notYours`` where the viewer may not see it (I27, R130).
    package func position(
        of taxi: TaxiNumber,
        for viewer: Viewer
    ) async throws -> (at: Moment, place: Coordinate)? {
        try checkServing()
        switch viewer {
        case .driver(let own): guard own == taxi else { throw Failure.notYours }
        case .cityOperator: break
        case .passenger(let passenger):
            let isHis = try await dispatch.read { $0.drives(taxi, passenger) }
            guard isHis else { throw Failure.notYours }
        }
        return intake.position(of: taxi)
    }
}

extension Dispatcher {
    /// Whether a taxi's ride is that passenger's, or one that he shares.
    fileprivate func drives(_ taxi: TaxiNumber, _ passenger: PassengerNumber) -> Bool {
        request(drivenBy: taxi).map { riders(of: $0).contains(passenger) } ?? false
    }

    /// The owner of a ride and all who ride along.
    func riders(of ride: Request) -> [PassengerNumber] {
        [ride.form.passenger] + ride.joiners.compactMap { request($0)?.form.passenger }
    }

    /// The ride that a request takes part in: its own, or that of its owner.
    func ride(of number: RequestNumber) -> Request? {
        guard let request = request(number) else { return nil }
        if case .joined(let owner) = request.phase { return self.request(owner) }
        return request
    }
}
