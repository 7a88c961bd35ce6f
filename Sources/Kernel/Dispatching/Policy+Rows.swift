extension Policy {
    /// The kind of value that a key takes.
    public enum Kind: Hashable, Sendable {
        /// Whole seconds in this range.
        case seconds(Int64, Int64)
        /// A number in this range.
        case count(Int64, Int64)
        /// Whole hours in this range.
        case hours(Int64, Int64)
        /// Whole metres in this range.
        case metres(Int64, Int64)
        /// Whole percent in this range.
        case percent(Int64, Int64)
        /// A number in this range, or `none`, stored as -1.
        case optional(Int64, Int64)
        /// `true`, stored as 1, or `false`, stored as 0.
        case flag
        /// One of these words, stored as its place from 0.
        case choice([String])
        /// Any of these words, stored as a bit for each from the lowest.
        case fields([String])
    }

    /// The definition of a key: its name in a policy file, its kind of value, and its value in each
    /// of the three shipped policies.
    public struct Row: Sendable {
        /// The key that this row defines.
        public let key: Key
        /// The name of the key in a policy file.
        public let name: String
        /// The kind of value that the key takes.
        public let kind: Kind
        /// The value in `milano-a`, `milano-b` and `viavai`.
        let presets: (a: Int64, b: Int64, standard: Int64)
        /// The value in a log that is older than the key: what the dispatcher did before.
        let former: Int64

        init(
            _ key: Key,
            _ name: String,
            _ kind: Kind,
            _ a: Int64,
            _ b: Int64,
            _ standard: Int64,
            former: Int64? = nil
        ) {
            self.key = key
            self.name = name
            self.kind = kind
            presets = (a, b, standard)
            self.former = former ?? standard
        }

        init<Value: Choice>(
            _ key: Key,
            _ name: String,
            _ a: Value,
            _ b: Value,
            _ standard: Value
        ) {
            func place(_ value: Value) -> Int64 {
                Int64(Value.allCases.prefix { $0 != value }.count)
            }
            let words = Value.allCases.map { $0.rawValue }
            self.init(key, name, .choice(words), place(a), place(b), place(standard))
        }

        init(_ key: Key, _ name: String, _ a: Bool, _ b: Bool, _ standard: Bool) {
            self.init(key, name, .flag, a ? 1 : 0, b ? 1 : 0, standard ? 1 : 0)
        }
    }

    /// One row for each key, in the order of ``Key``.
    public static let rows: [Row] = [
        Row(.offerTimeout, "offer.timeout_s", .seconds(5, 600), 120, 60, 60),
        Row(
            .offerShowsDestination,
            "offer.show_destination",
            DestinationDisclosure.afterAccept,
            .afterAccept,
            .afterAccept
        ),
        Row(.offerPickup, "offer.pickup", PickupDetail.exact, .zone, .exact),
        Row(.guestRequests, "request.guest", GuestRule.allow, .deny, .allow),
        Row(.guestContact, "guest.contact", GuestContact.session, .session, .either),
        Row(.destination, "request.destination", DestinationRule.required, .hidden, .optional),
        Row(.maxOffers, "request.max_offers", .count(0, 10_000), 0, 0, 0),
        Row(.refusedMemory, "request.refused_memory", RefusalMemory.request, .request, .try),
        Row(.heldTries, "pending.max_retries", .count(0, 1_000), 10, 0, 10),
        Row(.heldRetry, "pending.retry", HeldRetry.everySeconds, .everySeconds, .onEvent),
        Row(.heldEvery, "pending.every_s", .seconds(1, 600), 10, 10, 10),
        Row(.reserveMin, "reservation.min_ahead_h", .hours(0, 48), 2, 2, 2),
        Row(.reserveMax, "reservation.max_ahead_h", .hours(1, 8_784), 360, 48, 360),
        Row(.allocateBefore, "reservation.allocate_before_s", .seconds(0, 7_200), 600, 600, 600),
        Row(.reserveRetry, "reservation.retry_s", .seconds(10, 3_600), 120, 120, 120),
        Row(.reserveRetries, "reservation.retry_max", .count(0, 1_000), 20, 0, 20),
        Row(.reserveSnapshot, "reservation.snapshot_eligibility", true, false, false),
        Row(.reserveAllRefused, "reservation.all_refused", AllRefusedRule.retry, .retry, .retry),
        Row(.pinDigits, "boarding.pin_digits", CodeDigits.four, .none, .four),
        Row(.boardingRadius, "boarding.prompt_radius_m", .optional(5, 1_000), -1, 20, 20),
        Row(.codeAttempts, "boarding.max_attempts", .count(1, 100), 5, 5, 5),
        Row(.etaRefresh, "eta.refresh_s", .seconds(0, 3_600), 0, 90, 90),
        Row(.gpsAccuracy, "gps.max_accuracy_m", .optional(1, 10_000), -1, 50, 50),
        Row(.endNeedsPickup, "end.require_pickup", true, false, true),
        Row(.endNeedsDestination, "end.require_dest", true, false, true),
        Row(.reachRadius, "reach.radius_m", .metres(10, 2_000), 100, 100, 100),
        Row(.endOverride, "end.override", EndOverride.dispatcher, .dispatcher, .dispatcher),
        Row(.noShow, "noshow.enabled", true, false, true),
        Row(.noShowWait, "noshow.min_wait_s", .seconds(0, 3_600), 0, 300, 300),
        Row(.noShowRestore, "noshow.restore_position", QueueRestoration.tail, .tail, .head),
        Row(.cancelRequest, "cancel.request", CancelLimit.never, .untilAccept, .untilArrival),
        Row(.enforceBorder, "border.enforce", true, false, true),
        Row(.onboarding, "driver.onboarding", Onboarding.admin, .selfVerified, .both),
        Row(.driverStates, "driver.states", DriverStates.full, .three, .full),
        Row(.stale, "driver.stale_s", .seconds(10, 3_600), 90, 90, 90),
        Row(.grace, "driver.grace_s", .seconds(0, 7_200), 600, 600, 600),
        Row(.maxIgnored, "driver.max_ignored", .count(0, 100), 0, 0, 3),
        Row(.noticeRetries, "driver.notice_retries", .count(0, 100), 3, 3, 3),
        Row(.leaveReports, "zone.leave_reports", .count(1, 100), 3, 3, 3),
        Row(.leaveSeconds, "zone.leave_s", .seconds(0, 600), 15, 15, 15),
        Row(.movingInterval, "position.moving_s", .seconds(1, 300), 5, 5, 5),
        Row(.standingInterval, "position.standing_s", .seconds(1, 300), 15, 15, 15),
        Row(.sharing, "share.enabled", false, true, true),
        Row(.shareSeats, "share.max_seats", .count(1, 16), 4, 4, 4),
        Row(.shareDetour, "share.max_detour_percent", .percent(0, 1_000), 40, 40, 40),
        Row(.shareWalk, "share.max_walk_s", .seconds(0, 7_200), 600, 600, 600),
        Row(.shareWait, "share.max_extra_wait_s", .seconds(0, 7_200), 300, 300, 300),
        Row(
            .passengerFields,
            "registration.passenger.required",
            .fields(["name", "surname", "email", "mobile", "username", "password", "address"]),
            15,
            55,
            55
        ),
        Row(.serviceLevel, "slo", ServiceLevel.a, .b, .a),
        Row(.deployment, "deployment", Deployment.standby, .single, .single),
        Row(.erasure, "erasure", Erasure.cryptoshred, .cryptoshred, .cryptoshred),
        Row(.plainHTTP, "http.plain", PlainHTTPRule.off, .refuse, .refuse),
        Row(.sharedTaxis, "taxi.shared", false, false, false),
        Row(.maxMissed, "passenger.max_missed", .count(0, 100), 0, 0, 0),
        Row(.missedDays, "passenger.missed_days", .count(1, 366), 30, 30, 30),
        Row(.neighbourReach, "neighbours.max_s", .seconds(0, 7_200), 0, 0, 3_600, former: 0),
        Row(.statedArrival, "reach.by_statement", false, true, true),
        Row(.reserving, "reserve.enabled", true, true, true),
        Row(.earlyUse, "setup.open", .fields(EarlyUse.allCases.map { $0.rawValue }), 0, 0, 15),
    ]
}
