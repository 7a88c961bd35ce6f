extension Policy {
    /// A value that a policy chooses among named alternatives.
    ///
    /// The raw value is the word in a policy file. The log stores the place of the case, so the
    /// order of the cases is part of the log: new cases go to the end.
    public protocol Choice: CaseIterable, RawRepresentable<String>, Hashable, Sendable
    where AllCases == [Self] {}

    /// What may be open before the city confirms that its data is complete (R4).
    ///
    /// The log stores a bit for each case, so new cases go to the end.
    public enum EarlyUse: String, CaseIterable, Hashable, Sendable {
        /// People register accounts.
        case registration
        /// The trip planner, with stops, lines, reach and shared vehicles.
        case planner
        /// People's calendars.
        case calendar
        /// Third-party applications and the pages for their developers.
        case programs
    }

    /// When a driver sees the destination (1.12).
    public enum DestinationDisclosure: String, Choice {
        case never
        case afterAccept = "after_accept"
        case before
    }

    /// What an offer shows of the meeting point before it is accepted (G10, R58).
    public enum PickupDetail: String, Choice {
        case exact
        case zone
    }

    /// Whether people without an account may call a taxi (C2).
    public enum GuestRule: String, Choice {
        case deny
        case allow
    }

    /// How a guest is identified (C2, G9).
    public enum GuestContact: String, Choice {
        case phone
        case email
        /// By telephone or by e-mail.
        case either
        /// By the session of the browser alone.
        case session
    }

    /// Whether a request names its destination (C10).
    public enum DestinationRule: String, Choice {
        case required
        case optional
        case hidden
    }

    /// How long a refusal is remembered (C17).
    public enum RefusalMemory: String, Choice {
        /// The refusal counts until the request ends.
        case request
        /// The refusal counts until the next attempt for a reservation.
        case `try`
        /// The refusal is forgotten at once.
        case none
    }

    /// When a held request is tried again besides at its interval (C3).
    public enum HeldRetry: String, Choice {
        /// Also when a taxi becomes free.
        case onEvent = "on_event"
        case everySeconds = "every_s"
    }

    /// What happens to a reservation that all drivers refuse (C18).
    public enum AllRefusedRule: String, Choice {
        case retry
        case fail
    }

    /// The number of digits of the boarding code (C7).
    public enum CodeDigits: String, Choice {
        /// There is no boarding code.
        case none = "0"
        case four = "4"
    }

    /// Who may end a ride against the checks (C11).
    public enum EndOverride: String, Choice {
        /// Only an operator.
        case dispatcher
        /// Also the driver, with a reason.
        case reason
    }

    /// Where a driver queues whose passenger did not come or cancelled before boarding (C12).
    public enum QueueRestoration: String, Choice {
        case tail
        /// At the position that was given up for the offer.
        case place
        case head
    }

    /// Until when a passenger may cancel (C27).
    public enum CancelLimit: String, Choice {
        case never
        case untilAccept = "until_accept"
        case untilArrival = "until_arrival"
    }

    /// Who registers drivers (C13).
    public enum Onboarding: String, Choice {
        case admin
        /// Drivers register themselves, and the city verifies them.
        case selfVerified = "self+verify"
        case both
    }

    /// Which states drivers see (C15).
    public enum DriverStates: String, Choice {
        case full
        /// Available, busy and off shift.
        case three
    }

    /// Which service level is monitored (C19).
    public enum ServiceLevel: String, Choice {
        /// 95 % of the answers within 1 s.
        case a
        /// 95 % of the answers within 5 s, and all within 10 s.
        case b
    }

    /// Whether a standby server is used (C20).
    public enum Deployment: String, Choice {
        case single
        case standby = "primary+standby"
    }

    /// How a deleted account is erased (C21).
    public enum Erasure: String, Choice {
        case cryptoshred
    }

    /// How plain HTTP requests are answered (C28).
    public enum PlainHTTPRule: String, Choice {
        case refuse
        case redirect
        /// Nothing listens for plain HTTP.
        case off
    }
}

// One property for each key that is a choice or a flag.
extension Policy {
    /// When a driver sees the destination (1.12).
    public var offerShowsDestination: DestinationDisclosure { choice(.offerShowsDestination) }
    /// What an offer shows of the meeting point before it is accepted (G10, R58).
    public var offerPickup: PickupDetail { choice(.offerPickup) }
    /// Whether people without an account may call a taxi (C2).
    public var guestRequests: GuestRule { choice(.guestRequests) }
    /// How a guest is identified (C2, G9).
    public var guestContact: GuestContact { choice(.guestContact) }
    /// Whether a request names its destination (C10).
    public var destination: DestinationRule { choice(.destination) }
    /// How long a refusal is remembered (C17).
    public var refusedMemory: RefusalMemory { choice(.refusedMemory) }
    /// When a held request is tried again besides at its interval (C3).
    public var heldRetry: HeldRetry { choice(.heldRetry) }
    /// Whether only taxis that were queued when an attempt began may take the reservation (C6).
    public var reserveSnapshot: Bool { isSet(.reserveSnapshot) }
    /// What happens to a reservation that all drivers refuse (C18).
    public var reserveAllRefused: AllRefusedRule { choice(.reserveAllRefused) }
    /// The number of digits of the boarding code (C7).
    public var pinDigits: CodeDigits { choice(.pinDigits) }
    /// Whether a ride can end only after its meeting point was reached (C11).
    public var endNeedsPickup: Bool { isSet(.endNeedsPickup) }
    /// Whether a ride with a known destination can end only there (C11).
    public var endNeedsDestination: Bool { isSet(.endNeedsDestination) }
    /// Who may end a ride against the checks (C11).
    public var endOverride: EndOverride { choice(.endOverride) }
    /// Whether a driver may report that the passenger did not come (C12).
    public var noShow: Bool { isSet(.noShow) }
    /// Where a driver queues after a no-show or a ride cancelled before boarding (C12).
    public var noShowRestore: QueueRestoration { choice(.noShowRestore) }
    /// Until when a passenger may cancel (C27).
    public var cancelRequest: CancelLimit { choice(.cancelRequest) }
    /// Whether a driver must be inside the city to become available (C16).
    public var enforceBorder: Bool { isSet(.enforceBorder) }
    /// Who registers drivers (C13).
    public var onboarding: Onboarding { choice(.onboarding) }
    /// Which states drivers see (C15).
    public var driverStates: DriverStates { choice(.driverStates) }
    /// Whether rides can be shared (R83).
    public var sharing: Bool { isSet(.sharing) }
    /// Which service level is monitored (C19).
    public var serviceLevel: ServiceLevel { choice(.serviceLevel) }
    /// Whether a standby server is used (C20).
    public var deployment: Deployment { choice(.deployment) }
    /// How a deleted account is erased (C21).
    public var erasure: Erasure { choice(.erasure) }
    /// How plain HTTP requests are answered (C28).
    public var plainHTTP: PlainHTTPRule { choice(.plainHTTP) }
    /// Whether several drivers may share a taxi in shifts (R13).
    public var sharedTaxis: Bool { isSet(.sharedTaxis) }

    /// Whether a place that a driver states proves an arrival (R64, R65).
    public var statedArrival: Bool { isSet(.statedArrival) }

    /// Whether taxis can be reserved (R109); a reservation that was accepted before stays.
    public var reserving: Bool { isSet(.reserving) }

    /// Whether a use is open before the city confirms its data (R4).
    public func opensEarly(_ use: EarlyUse) -> Bool {
        let place = EarlyUse.allCases.prefix { $0 != use }.count
        return self[.earlyUse] >> Int64(place) & 1 == 1
    }

    private func choice<Value: Choice>(_ key: Key) -> Value {
        Value.allCases[Int(self[key])]
    }

    private func isSet(_ key: Key) -> Bool {
        self[key] != 0
    }
}
