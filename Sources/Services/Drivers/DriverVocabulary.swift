package import Identity

extension FormField {
    package static let taxiCode = Self(rawValue: "taxi_code")
    package static let plate = Self(rawValue: "plate")
    package static let taxiLicence = Self(rawValue: "taxi_licence")
    package static let taxiLicenceExpires = Self(rawValue: "taxi_licence_expires")
    package static let drivingLicence = Self(rawValue: "driving_licence")
    package static let drivingLicenceExpires = Self(rawValue: "driving_licence_expires")
    package static let seats = Self(rawValue: "seats")
    package static let wheelchair = Self(rawValue: "wheelchair")
    package static let make = Self(rawValue: "make")
    package static let colour = Self(rawValue: "colour")
}

extension PersonField {
    static let taxiLicence = Self(rawValue: "taxi_licence")
    static let drivingLicence = Self(rawValue: "driving_licence")
    /// The reason why a driver was refused.
    static let refusal = Self(rawValue: "refusal")
    /// New papers that await an administrator.
    static let proposal = Self(rawValue: "proposal")
    /// The ``DriverRecord`` before the last change, so that the change can be reverted.
    static let former = Self(rawValue: "former")
    /// The code that the city assigned to a taxi, under the taxi's key.
    static let taxiCode = Self(rawValue: "taxi_code")
    /// The plate of a taxi, under the taxi's key.
    static let plate = Self(rawValue: "plate")
    /// Make and model of a taxi, under the taxi's key.
    static let make = Self(rawValue: "make")
    /// The name of a ``VehicleColour``, under the taxi's key.
    static let colour = Self(rawValue: "colour")
}

extension ServerSecret.Domain {
    static let mobile = Self(rawValue: "mobile")
    static let taxiLicence = Self(rawValue: "taxi licence")
    static let drivingLicence = Self(rawValue: "driving licence")
    static let taxiCode = Self(rawValue: "taxi code")
    static let plate = Self(rawValue: "plate")
}

extension MessageKind {
    /// A licence expires within three months (`licence`, `day`).
    package static let licenceExpires = Self(rawValue: "licence_expires")
    /// A licence has expired, and the driver may not drive until it is renewed (`licence`, `day`).
    package static let licenceExpired = Self(rawValue: "licence_expired")
    /// An administrator has verified the licences.
    package static let driverVerified = Self(rawValue: "driver_verified")
    /// An administrator has refused the driver (`reason`).
    package static let driverRefused = Self(rawValue: "driver_refused")
}

extension AuditAct {
    package static let enterDrivers = Self(rawValue: "enter drivers")
    package static let changeDriver = Self(rawValue: "change driver")
    package static let removeDriver = Self(rawValue: "remove driver")
    package static let inviteDriver = Self(rawValue: "invite driver")
    package static let verifyDriver = Self(rawValue: "verify driver")
    package static let refuseDriver = Self(rawValue: "refuse driver")
}
