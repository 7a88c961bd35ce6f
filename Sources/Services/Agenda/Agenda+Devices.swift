package import Chronology
import Foundation
import Geo
package import Identity
import Storage

/// Devices that report where people's vehicles are (V77, V78).
extension Agenda {
    /// The field under which devices are sealed.
    static let deviceField = "vehicle device"
    /// How many wrong secrets may be entered for a device within an hour.
    private static let triesLimit: Int64 = 5
    private static let triesSeconds: Int64 = 3_600
    /// How far a report may be off the clock, in seconds.
    private static let windowSeconds: Int64 = 300
    /// How far a vehicle has moved when plans of it are out of date, in metres: more than receivers
    /// err (V83: 10 m), and less than another street.
    private static let movedMetres = 30.0

    // MARK: The city

    /// Registers devices, so that people can pair them; of each, only digests are stored.
    ///
    /// - Returns: how many were not known before; a known one keeps its secret.
    @discardableResult
    package func register(_ devices: [DeviceSecret]) async throws -> Int {
        let rows = devices.map { (key(of: $0.identifier), digest(of: $0)) }
        return try await accounts.data.write { transaction in
            let before = try transaction.count("SELECT count(*) AS count FROM vehicle_device")
            for (device, secret) in rows {
                try transaction.execute(
                    """
                    INSERT INTO vehicle_device (device, secret_key, tries, tried)
                    VALUES (\(device), \(secret), 0, 0) ON CONFLICT (device) DO NOTHING
                    """
                )
            }
            let after = try transaction.count("SELECT count(*) AS count FROM vehicle_device")
            return Int(after - before)
        }
    }

    private func key(of identifier: String) -> [UInt8] {
        accounts.secret.digest(identifier, of: .device)
    }

    private func digest(of device: DeviceSecret) -> [UInt8] {
        accounts.secret.digest("\(device.identifier) \(device.secret)", of: .deviceSecret)
    }

    // MARK: Pairing

    /// Pairs a device with a vehicle.
    ///
    /// People who do not know its secret learn only that.
    ///
    /// - Parameters:
    ///   - device: the device, as its owner has entered it.
    ///   - vehicle: the car or the bicycle.
    ///   - person: the owner.
    ///   - now: the current time.
    /// - Throws: ``DeviceFailure``, `noSuchPerson`, any database error.
    package func pair(
        _ device: DeviceSecret,
        with vehicle: TravelMeans,
        of person: PersonNumber,
        at now: Instant
    ) async throws {
        let own = try await accounts.key(of: person)
        let (key, digest) = (key(of: device.identifier), digest(of: device))
        let paired = PairedDevice(identifier: device.identifier, secret: device.secret, last: nil)
        let sealed = try own.seal(Self.text(paired), as: Self.deviceField)
        let failure = try await accounts.data.write { transaction -> DeviceFailure? in
            _ = try PersonRecord.get(person, in: transaction)
            // Two who try at once wait for each other.
            let row = try transaction.row(
                """
                UPDATE vehicle_device SET device = device WHERE device = \(key)
                RETURNING secret_key, tries, tried
                """
            )
            guard let row else { return .notKnown }
            let (tries, tried): (Int64, Int64) = (try row.value("tries"), try row.value("tried"))
            let isRecent = tried > now.seconds - Self.triesSeconds
            if isRecent, tries >= Self.triesLimit { return .tooManyTries }
            let known: [UInt8] = try row.value("secret_key")
            guard known == digest else {
                try transaction.execute(
                    """
                    UPDATE vehicle_device SET tries = \(isRecent ? tries + 1 : 1),
                        tried = \(now.seconds)
                    WHERE device = \(key)
                    """
                )
                return .notKnown
            }
            let others = try transaction.count(
                "SELECT count(*) AS count FROM vehicle_pairing WHERE device = \(key)"
            )
            guard others == 0 else { return .isPaired }
            let own = try transaction.count(
                """
                SELECT count(*) AS count FROM vehicle_pairing
                WHERE person = \(person) AND vehicle = \(vehicle.rawValue)
                """
            )
            guard own == 0 else { return .hasDevice }
            try transaction.execute(
                """
                INSERT INTO vehicle_pairing (device, person, vehicle, sealed)
                VALUES (\(key), \(person), \(vehicle.rawValue), \(sealed))
                """
            )
            return nil
        }
        if let failure { throw failure }
    }

    /// Ends the pairing of a vehicle's device, which can then be paired with another.
    ///
    /// The vehicle stays where it was last. Nothing happens without a device.
    package func unpair(_ vehicle: TravelMeans, of person: PersonNumber) async throws {
        let settings = try await settings(of: person)
        try await keep(settings, of: person)
        try await accounts.data.write { transaction in
            try transaction.execute(
                """
                DELETE FROM vehicle_pairing
                WHERE person = \(person) AND vehicle = \(vehicle.rawValue)
                """
            )
        }
    }

    /// The devices of a person's vehicles.
    package func devices(of person: PersonNumber) async throws -> [TravelMeans: PairedDevice] {
        let key = try await accounts.key(of: person)
        return try await accounts.data.read { transaction in
            try Self.devices(
                transaction.rows(
                    "SELECT vehicle, sealed FROM vehicle_pairing WHERE person = \(person)"
                ),
                key
            )
        }
    }

    /// The devices of rows with their vehicles.
    static func devices(_ rows: [Row], _ key: PersonKey) throws -> [TravelMeans: PairedDevice] {
        var devices: [TravelMeans: PairedDevice] = [:]
        for row in rows {
            let name: String = try row.value("vehicle")
            guard let vehicle = TravelMeans(rawValue: name) else {
                preconditionFailure("the vehicle \(name) of a pairing is no means of travel")
            }
            devices[vehicle] = try device(key.open(row.value("sealed"), as: deviceField))
        }
        return devices
    }

    // MARK: Reports

    /// Takes the report of a device: its vehicle is where the device was.
    ///
    /// - Parameters:
    ///   - report: the report.
    ///   - name: what people call that place.
    ///   - now: the current time.
    /// - Throws: ``DeviceFailure/notSigned`` and ``DeviceFailure/notNew``, any database error.
    package func take(_ report: DeviceReport, at name: String, now: Instant) async throws {
        let device = key(of: report.identifier)
        let row = try await accounts.data.read { transaction in
            try transaction.row("SELECT person FROM vehicle_pairing WHERE device = \(device)")
        }
        guard let person: PersonNumber = try row?.value("person"),
            let key = try await accounts.keys.key(of: person)
        else { throw DeviceFailure.notSigned }
        let place = SettingsPlace(name, at: report.position)
        try await accounts.data.write { transaction in
            // Of two reports at once, the second one waits and is compared with the first.
            let row = try transaction.row(
                """
                UPDATE vehicle_pairing SET device = device
                WHERE device = \(device) AND person = \(person) RETURNING sealed
                """
            )
            guard let sealed: [UInt8] = try row?.value("sealed") else {
                throw DeviceFailure.notSigned
            }
            var paired = try Self.device(key.open(sealed, as: Self.deviceField))
            guard report.isSigned(with: paired.secret) else { throw DeviceFailure.notSigned }
            let offset = report.time.seconds - now.seconds
            guard abs(offset) <= Self.windowSeconds,
                report.time.seconds > paired.last?.since ?? Int64.min
            else { throw DeviceFailure.notNew }
            let metres = paired.last?.place.position.distanceMetres(to: report.position)
            let hasMoved = metres.map { $0 > Self.movedMetres } ?? true
            paired.last = ParkedVehicle(
                at: hasMoved ? place : paired.last?.place ?? place,
                since: report.time
            )
            let text = try Self.text(paired)
            try transaction.execute(
                """
                UPDATE vehicle_pairing SET sealed = \(try key.seal(text, as: Self.deviceField))
                WHERE device = \(device)
                """
            )
            // Plans are out of date only if the vehicle is elsewhere.
            if hasMoved { _ = try Self.nextVersion(of: person, in: transaction) }
        }
    }

    /// The devices of a person as JSON, without their secrets.
    func deviceJSON(of person: PersonNumber) async throws -> String {
        let shown = try await devices(of: person).map { vehicle, device in
            var fields = [
                "vehicle": "\(vehicle.rawValue)", "identifier": device.identifier,
            ]
            if let last = device.last {
                fields["since"] = "\(last.since)"
                fields["latitude"] = "\(last.place.position.latitudeDegrees)"
                fields["longitude"] = "\(last.place.position.longitudeDegrees)"
            }
            return fields
        }
        let sorted = shown.sorted { $0["vehicle", default: ""] < $1["vehicle", default: ""] }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(sorted), as: UTF8.self)
    }

    private static func text(_ device: PairedDevice) throws -> String {
        String(decoding: try JSONEncoder().encode(device), as: UTF8.self)
    }

    private static func device(_ text: String) throws -> PairedDevice {
        try JSONDecoder().decode(PairedDevice.self, from: Data(text.utf8))
    }
}

extension TravelSettings {
    /// The settings with vehicles where their devices were last, if that is newer than what their
    /// owner said.
    func located(by devices: [TravelMeans: PairedDevice]) -> TravelSettings {
        var settings = self
        for (vehicle, device) in devices {
            guard let last = device.last, last.since >= parked[vehicle]?.since ?? Int64.min else {
                continue
            }
            settings.parked[vehicle] = last
        }
        return settings
    }
}

extension ServerSecret.Domain {
    /// The identifier of a device.
    fileprivate static let device = Self(rawValue: "vehicle device")
    /// The identifier and the secret of a device.
    fileprivate static let deviceSecret = Self(rawValue: "vehicle device secret")
}
