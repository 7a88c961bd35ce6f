package import Chronology
package import Dispatching
package import Fares
package import Geo
package import Positions
package import Storage
package import Streets
import Synchronization

/// The taxi service of a city: combines the dispatcher with positions, places, arrivals and fares
/// for the pages of passengers, drivers and operators.
///
/// Decisions about passengers and drivers go through ``dispatch`` and are durable in the log. Data
/// that the log must not contain is stored in tables beside it, in the same transaction where both
/// belong together. Commands without places, codes or fares are given to ``dispatch`` directly.
package final class TaxiService: Sendable {
    /// The configuration of a city apart from its zones and taxis.
    package struct City: Sendable {
        /// The name of its log.
        package var name: String
        /// The time zone of its clocks.
        package var zone: ZoneTable
        /// Its streets; without them arrival times are unknown (F14).
        package var streets: StreetNetwork?
        /// Its initial tariffs; without tariffs fares are unknown.
        package var tariffs = TariffBook()
        /// The source of its addresses.
        package var addresses = AddressSource.none
        /// The server's secret: at least 32 random bytes, the same after restarts
        /// and on all servers.
        package var secret: [UInt8]

        /// Creates a configuration without streets, tariffs and addresses.
        package init(name: String, zone: ZoneTable, secret: [UInt8]) {
            self.name = name
            self.zone = zone
            self.secret = secret
        }
    }

    /// An error that is not a refusal by the rules.
    package enum Failure: Error, Hashable, Sendable {
        /// The secret has fewer than 32 bytes.
        case weakSecret
        /// The service is not running yet, or no longer.
        case notServing
        /// The coordinates are invalid, or the point 0, 0 in the sea.
        case noPlace
        /// The destination is further away than the limit for taxi rides, ``farthest``.
        case destinationTooFar
        /// The position is less exact than permitted, so the passenger should enter an address.
        case positionTooVague(allowedMetres: Int64)
        /// The plan was made for another state and must be made again.
        case planOutdated
        /// The person may not see or do this.
        case notYours
        /// The passenger missed too many rides and must wait until then (R111).
        case missedTooOften(until: Moment)
        /// The passenger has reached the limit of reservations.
        case tooManyReservations(most: Int)
        /// There is no completed ride with that number.
        case noReceipt
    }

    /// The dispatcher with its log.
    package let dispatch: DispatchService
    /// The intake of drivers' positions.
    let intake = PositionIntake()
    /// The estimates of driving times.
    package let drives: DriveTimeEstimator
    /// The tables beside the log.
    package let store: RideStore
    let book = RideBook()
    let city: City
    /// The tariffs in force; each calculation uses one copy throughout.
    let tariffBook: Mutex<TariffBook>
    let clock: ServiceClock
    let codes: BoardingCodes
    /// The signer of receipts.
    package let receipts: ReceiptSigner
    let news = ArrivalPublisher()
    /// How far the ride history has followed the log.
    let recorded = RecordMark()
    /// The news for drivers, derived from the log.
    let newsLog = DriverNewsLog()
    /// What was learned of the demand of the last weeks; nil until the first quarter of an hour.
    let demand = Mutex<LearnedDemand?>(nil)
    /// The streets that operators restrict, and the speeds of streets.
    let inForce = TrafficInForce()
    /// Learns the speeds of streets.
    let learning: StreetLearning
    /// The open offers of which no message reached the driver.
    package let undelivered = UndeliveredOffers()
    /// The cache of the next reservation for drivers' pages.
    let reservationBoard = ReservationBoard()
    /// The draft and the published versions of the zones.
    package let zoneDrafts: ZoneDrafts
    /// Whether a change of zones is in progress, since only one may be.
    let isDrawing = Mutex(false)
    private let isReady = Mutex(false)

    /// Creates a service on a database with the schema of `Migration.storage` and `Migration.taxi`;
    /// ``run()`` starts it.
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
        var kept = city
        // The estimator has them; a copy here would keep a replaced city file mapped.
        kept.streets = nil
        self.city = kept
        tariffBook = Mutex(city.tariffs)
        self.clock = clock
        dispatch = DispatchService(
            city: city.name,
            in: database,
            clock: clock,
            settings: settings
        )
        store = RideStore(of: EventLog(city.name, in: database), in: database)
        zoneDrafts = ZoneDrafts(store)
        learning = StreetLearning(city.streets, zone: city.zone)
        drives = DriveTimeEstimator(
            streets: city.streets,
            zone: city.zone,
            calibration: Calibration()
        )
    }

    /// Whether the service is running and answers.
    package var serves: Bool { isReady.withLock { $0 } }

    func become(ready: Bool) {
        isReady.withLock { $0 = ready }
    }

    func checkServing() throws(Failure) {
        guard serves else { throw .notServing }
    }

    // MARK: Positions

    /// Accepts a driver's position reports without waiting.
    ///
    /// - Returns: the problems of rejected reports, each kind once.
    /// - Throws: ``Failure/notServing``.
    package func report(_ batch: PositionBatch) throws(Failure) -> Set<PositionFault> {
        try checkServing()
        return intake.take(batch, at: clock.now())
    }

    /// Returns the last accepted report of a driver's phone, or the driver's stated position, with
    /// its corrected time; nil if there was none since the start.
    ///
    /// - Throws: ``Failure/notServing``.
    package func lastReport(by taxi: TaxiNumber) throws(Failure) -> PositionReport? {
        try checkServing()
        return intake.report(of: taxi)
    }

    /// The person who wants to see where a taxi is.
    package enum Viewer: Hashable, Sendable {
        /// A driver, who sees their own taxi.
        case driver(TaxiNumber)
        /// A passenger, who sees the taxi of their own ride from acceptance to the end (R61).
        case passenger(PassengerNumber)
        /// An operator, who sees all taxis.
        case cityOperator
    }

    /// Returns the last position of a taxi and its time; nil if there was none since the start.
    ///
    /// - Throws: ``Failure/notYours`` if the viewer may not see it (I27, R130).
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
    /// Returns whether a passenger takes part in a taxi's ride.
    fileprivate func drives(_ taxi: TaxiNumber, _ passenger: PassengerNumber) -> Bool {
        request(drivenBy: taxi).map { riders(of: $0).contains(passenger) } ?? false
    }

    /// Returns the owner of a ride and all joiners.
    func riders(of ride: Request) -> [PassengerNumber] {
        [ride.form.passenger] + ride.joiners.compactMap { request($0)?.form.passenger }
    }

    /// Returns the ride of a request: its own, or that of its owner.
    func ride(of number: RequestNumber) -> Request? {
        guard let request = request(number) else { return nil }
        if case .joined(let owner) = request.phase { return self.request(owner) }
        return request
    }
}
