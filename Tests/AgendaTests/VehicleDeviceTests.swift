import Chronology
import Encoding
import Foundation
import Geo
import Identity
import IdentityTestSupport
import Storage
import StorageTestSupport
import Testing

@testable import Agenda

/// V77, V78: devices say where vehicles are.
@Suite("Devices of vehicles")
struct VehicleDeviceTests {
    private static let now = Instant(seconds: 1_800_000_000)
    private static let secret = "c0ffee-c0ffee-c0ffee"

    private static func device(
        _ identifier: String = "VV-0001",
        _ secret: String = secret
    ) throws -> DeviceSecret {
        try #require(DeviceSecret(identifier: identifier, secret: secret))
    }

    /// A report as a device sends it.
    private static func report(
        _ identifier: String = "VV-0001",
        at seconds: Int64 = 0,
        latitude: Double = 45.46,
        signing: String = secret
    ) throws -> DeviceReport {
        let (time, north) = ("\(now.seconds + seconds)", "\(latitude)")
        let text = "\(identifier) \(time) \(north) 9.19"
        let signer = try device(identifier, signing)
        let position = try #require(
            Coordinate(latitudeDegrees: latitude, longitudeDegrees: 9.19)
        )
        return try #require(
            DeviceReport(
                identifier: identifier,
                time: time,
                latitude: north,
                longitude: "9.19",
                at: position,
                signature: signer.signature(of: text)
            )
        )
    }

    private static func failure(
        _ body: () async throws -> Void
    ) async throws -> DeviceFailure? {
        do {
            try await body()
            return nil
        } catch let failure as DeviceFailure {
            return failure
        }
    }

    @Test(
        "V78: a device is paired with one vehicle, and with another once it is unpaired",
        arguments: TestEngine.allCases
    )
    func pairing(_ engine: TestEngine) async throws {
        try await TestCity.withAgendas(engine) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            let eve = try await city.person("eve")
            #expect(try await agenda.register([Self.device(), Self.device("VV-2")]) == 2)
            #expect(try await agenda.register([Self.device()]) == 0)
            let typed = try Self.device("vv-0001")
            try await agenda.pair(typed, with: .car, of: mario, at: Self.now)
            #expect(try await agenda.devices(of: mario)[.car]?.identifier == "VV-0001")
            for (person, vehicle) in [(mario, TravelMeans.bicycle), (eve, .car), (mario, .car)] {
                let again = try await Self.failure {
                    try await agenda.pair(typed, with: vehicle, of: person, at: Self.now)
                }
                #expect(again == .isPaired)
            }
            let second = try await Self.failure {
                try await agenda.pair(Self.device("VV-2"), with: .car, of: mario, at: Self.now)
            }
            #expect(second == .hasDevice)
            try await agenda.unpair(.car, of: mario)
            #expect(try await agenda.devices(of: mario).isEmpty)
            try await agenda.pair(typed, with: .bicycle, of: eve, at: Self.now)
            #expect(try await agenda.devices(of: eve)[.bicycle]?.identifier == "VV-0001")
        }
    }

    @Test("V78: a wrong secret is refused, and after five tries the right one too, for an hour")
    func tries() async throws {
        try await TestCity.withAgendas(.sqlite) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            try await agenda.register([Self.device()])
            func pair(_ secret: String, _ seconds: Int64) async throws -> DeviceFailure? {
                try await Self.failure {
                    try await agenda.pair(
                        Self.device("VV-0001", secret),
                        with: .car,
                        of: mario,
                        at: Self.now.adding(seconds: seconds)
                    )
                }
            }
            for second in Int64(0)..<5 {
                #expect(try await pair("wrong-wrong-wrong-wrong", second) == .notKnown)
            }
            #expect(try await pair(Self.secret, 5) == .tooManyTries)
            #expect(try await pair(Self.secret, 3_500) == .tooManyTries)
            #expect(try await pair(Self.secret, 3_700) == nil)
            let unknown = try await Self.failure {
                try await agenda.pair(Self.device("VV-9"), with: .car, of: mario, at: Self.now)
            }
            #expect(unknown == .notKnown)
        }
    }

    @Test(
        "V77: the vehicle is where its device was last, until its owner says otherwise",
        arguments: TestEngine.allCases
    )
    func reports(_ engine: TestEngine) async throws {
        try await TestCity.withAgendas(engine) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            try await agenda.register([Self.device()])
            try await agenda.pair(Self.device(), with: .car, of: mario, at: Self.now)
            try await agenda.take(try Self.report(), at: "Via Dante 7", now: Self.now)
            let first = try await agenda.settings(of: mario).parked[.car]
            #expect(first?.place.name == "Via Dante 7" && first?.since == Self.now.seconds)
            let version = try await agenda.version(of: mario)
            // Where it has not moved, plans stay.
            let same = try Self.report(at: 60, latitude: 45.460_01)
            try await agenda.take(same, at: "Via Dante 9", now: Self.now.adding(seconds: 60))
            #expect(try await agenda.settings(of: mario).parked[.car]?.place.name == "Via Dante 7")
            #expect(try await agenda.version(of: mario) == version)
            let other = try Self.report(at: 120, latitude: 45.47)
            try await agenda.take(other, at: "Via Torino 3", now: Self.now.adding(seconds: 120))
            #expect(try await agenda.settings(of: mario).parked[.car]?.place.name == "Via Torino 3")
            #expect(try await agenda.version(of: mario) > version)
            // What its owner says later counts.
            var settings = try await agenda.settings(of: mario)
            let own = SettingsPlace("Garage", at: Coordinate(latitude: 1, longitude: 2))
            settings.parked[.car] = ParkedVehicle(at: own, since: Self.now.adding(seconds: 180))
            try await agenda.keep(settings, of: mario)
            #expect(try await agenda.settings(of: mario).parked[.car]?.place == own)
            // After the device is gone, the vehicle stays where it was.
            let last = try Self.report(at: 240, latitude: 45.48)
            try await agenda.take(last, at: "Corso 1", now: Self.now.adding(seconds: 240))
            try await agenda.unpair(.car, of: mario)
            #expect(try await agenda.settings(of: mario).parked[.car]?.place.name == "Corso 1")
        }
    }

    @Test("V78: what is forged, repeated, old, or of no paired device changes nothing")
    func refused() async throws {
        try await TestCity.withAgendas(.sqlite) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            try await agenda.register([Self.device(), Self.device("VV-2")])
            try await agenda.pair(Self.device(), with: .car, of: mario, at: Self.now)
            func take(_ report: DeviceReport, after: Int64 = 0) async throws -> DeviceFailure? {
                try await Self.failure {
                    let now = Self.now.adding(seconds: after)
                    try await agenda.take(report, at: "X", now: now)
                }
            }
            let forged = try Self.report(signing: "another-another-another")
            #expect(try await take(forged) == .notSigned)
            #expect(try await take(try Self.report("VV-2")) == .notSigned)
            #expect(try await take(try Self.report("VV-3")) == .notSigned)
            #expect(try await take(try Self.report(at: -301)) == .notNew)
            #expect(try await take(try Self.report(at: 301)) == .notNew)
            #expect(try await agenda.settings(of: mario).parked.isEmpty)
            let good = try Self.report(at: 10)
            #expect(try await take(good) == nil)
            #expect(try await take(good, after: 20) == .notNew)
            #expect(try await take(try Self.report(at: 9), after: 20) == .notNew)
            #expect(try await take(try Self.report(at: 11), after: 20) == nil)
            try await agenda.unpair(.car, of: mario)
            #expect(try await take(try Self.report(at: 30), after: 30) == .notSigned)
        }
    }

    @Test("V12: nothing of a paired device can be read; it is exported and erased")
    func secrecy() async throws {
        try await TestCity.withAgendas(.sqlite) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            try await agenda.register([Self.device()])
            try await agenda.pair(Self.device(), with: .car, of: mario, at: Self.now)
            try await agenda.take(try Self.report(), at: "Sottoripa", now: Self.now)
            let path = try #require(city.place.path)
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!files.isEmpty)
            for file in files {
                let bytes = try Data(contentsOf: folder.appendingPathComponent(file))
                for word in ["VV-0001", Self.secret, "Sottoripa", "45.46"] {
                    #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) is in \(file)")
                }
            }
            let sections = try await agenda.sections(of: mario)
            let section = try #require(sections.first { $0.name == "vehicleDevices" })
            #expect(section.json.contains("VV-0001") && section.json.contains("45.46"))
            #expect(!section.json.contains(Self.secret))
            try await city.accounts.data.write { try Agenda.erasure(mario, $0) }
            let left = try await city.accounts.data.read {
                try $0.count("SELECT count(*) AS count FROM vehicle_pairing")
            }
            #expect(left == 0)
        }
    }

    /// Computed by Python's `hmac`, as the maker of a device would.
    @Test("V78: a signature is HMAC-SHA256 of the four fields with a space between them")
    func signature() throws {
        let bytes = try Self.device().signature(of: "VV-0001 1800000000 45.46 9.19")
        #expect(
            bytes.hex == "9c8e1b49d98ce63c62189e199eb16ea25e202b17"
                + "82b93219f42a6794155eb8e5"
        )
    }

    @Test("a file of devices is read by line, and what is no device is named")
    func list() {
        var wrong: [Int] = []
        let devices = DeviceSecret.list(
            """
            # the first delivery
            vv-0001, c0ffee-c0ffee-c0ffee

            VV-2,short
            V V,c0ffee-c0ffee-c0ffee
            nothing
            """,
            wrong: &wrong
        )
        #expect(devices.map(\.identifier) == ["VV-0001"] && wrong == [4, 5, 6])
        #expect(DeviceSecret(identifier: "É-0001", secret: "c0ffee-c0ffee-c0ffee") == nil)
        #expect(DeviceSecret(identifier: "VV-0001", secret: "c0ffee c0ffee c0ffee") == nil)
    }
}
