package import Chronology
package import Geo

/// A system of shared vehicles, independent of the version of GBFS that describes it.
///
/// Each file is read into its part by ``read(_:as:)``; a part that has not been read is empty or
/// nil, which means *unknown*.
package struct SharingSystem: Sendable {
    /// Who runs it; nil before the file has been read.
    package var information: Information?
    /// The kinds of vehicles by their identifiers; empty if the system does not state any.
    package var vehicleTypes: [String: VehicleType] = [:]
    /// The stations in the order of the feed.
    package var stations: [Station] = []
    /// What stations have now, by the identifier of the station.
    package var stationStates: [String: StationState] = [:]
    /// The single vehicles, at stations and elsewhere.
    package var vehicles: [Vehicle] = []
    /// What rides cost, by the identifier of the plan.
    package var pricingPlans: [String: PricingPlan] = [:]
    /// Where vehicles may be ridden and left.
    package var geofencing = Geofencing()
    /// When the system operates.
    package var hours = OperatingHours()
    /// The disruptions of the system, in the order of the file.
    package var alerts: [Alert] = []

    /// Creates a system of which nothing is known.
    package init() {}

    /// Forgets the part that a file describes, because the system no longer has the file.
    package mutating func forget(_ file: GBFSFile) {
        switch file {
        case .systemInformation: information = nil
        case .vehicleTypes: vehicleTypes = [:]
        case .stationInformation: stations = []
        case .stationStatus: stationStates = [:]
        case .vehicleStatus: vehicles = []
        case .systemPricingPlans: pricingPlans = [:]
        case .geofencingZones: geofencing = Geofencing()
        case .systemHours: hours.periods = []
        case .systemCalendar: hours.seasons = []
        case .systemAlerts: alerts = []
        }
    }

    /// Who runs a system.
    package struct Information: Hashable, Sendable {
        /// The identifier of the system.
        package let id: String
        /// The name that riders know.
        package let name: LocalizedText
        /// The company that runs it.
        package let operatorName: LocalizedText?
        /// The IANA name of its time zone.
        package let timeZone: String
        /// The page of the system.
        package let url: String?
        /// The page on which to buy a membership.
        package let purchaseURL: String?
        /// The telephone number for riders.
        package let phoneNumber: String?
        /// The apps to rent with.
        package let apps: RentalURIs
    }

    /// Where a vehicle is rented, for each platform.
    package struct RentalURIs: Hashable, Sendable {
        /// The address that opens the provider's app for Android.
        package let android: String?
        /// The address that opens the provider's app for iOS.
        package let ios: String?
        /// The provider's page.
        package let web: String?
    }

    /// A kind of vehicle.
    package struct VehicleType: Hashable, Sendable {
        /// The identifier of the type.
        package let id: String
        /// Its name; nil if the feed has none.
        package let name: LocalizedText?
        /// What it looks like.
        package let form: Form
        /// The motor or other source of power.
        package let propulsion: Propulsion
        /// How far it goes with a full battery or tank; nil if muscles alone drive it.
        package let rangeMetres: Double?
        /// Where it must be returned; nil if the feed does not say so.
        package let returnRule: ReturnRule?
        /// The plan that applies if a vehicle states no other.
        package let defaultPlanID: String?
        /// All plans that may apply.
        package let planIDs: [String]
        /// The emissions in grams of CO2 per kilometre, as the provider states them.
        package let gramsPerKilometre: Double?
    }

    /// What a vehicle looks like.
    package enum Form: String, Hashable, Sendable, CaseIterable {
        /// A bicycle, with or without a motor.
        case bicycle
        /// A bicycle that carries loads.
        case cargoBicycle = "cargo_bicycle"
        /// A car, whatever its size.
        case car
        /// A moped (a light motorcycle).
        case moped
        /// A scooter that is ridden standing.
        case standingScooter = "scooter_standing"
        /// A scooter with a seat.
        case seatedScooter = "scooter_seated"
        /// A vehicle of another form.
        case other
    }

    /// What drives a vehicle.
    package enum Propulsion: String, Hashable, Sendable, CaseIterable {
        /// Muscles alone, by pedals or otherwise.
        case human
        /// Muscles with the help of a battery.
        case electricAssist = "electric_assist"
        /// An electric motor with a battery.
        case electric
        /// A combustion engine that burns petrol.
        case combustion
        /// A combustion engine that burns diesel.
        case diesel = "combustion_diesel"
        /// Petrol or diesel with a battery.
        case hybrid
        /// A hybrid that can be charged.
        case plugInHybrid = "plug_in_hybrid"
        /// An electric motor with a hydrogen fuel cell.
        case hydrogen = "hydrogen_fuel_cell"
    }

    /// Where a vehicle must be returned.
    package enum ReturnRule: String, Hashable, Sendable, CaseIterable {
        /// Anywhere in the area of the system.
        case freeFloating = "free_floating"
        /// Where it was rented.
        case sameStation = "roundtrip_station"
        /// At any station of the system.
        case anyStation = "any_station"
        /// At a station or anywhere in the area.
        case hybrid
    }

    /// The number of vehicles or docks for certain types.
    package struct TypeCount: Hashable, Sendable {
        /// The vehicle types that are counted together.
        package let typeIDs: [String]
        /// How many vehicles or docks there are for these types together.
        package let count: Int
    }

    /// A station at which vehicles are rented and returned.
    package struct Station: Hashable, Sendable {
        /// The identifier of the station.
        package let id: String
        /// The name of the station.
        package let name: LocalizedText
        /// The position of the station.
        package let place: Coordinate
        /// The street and number; nil if the feed has none.
        package let address: String?
        /// How many vehicles fit; nil if the feed does not say so.
        package let capacity: Int?
        /// How many vehicles of each type fit; empty if the feed does not say so.
        package let typeCapacities: [TypeCount]
        /// Whether it is an area without docks.
        package let isVirtual: Bool
        /// The area of a station without docks.
        package let area: MultiPolygon?
        /// When it is open; nil if it always is, or as the system is.
        package let hours: OperatingHours?
        /// Where to rent at this station.
        package let rental: RentalURIs
    }

    /// What a station has now.
    package struct StationState: Hashable, Sendable {
        /// How many vehicles can be rented.
        package let vehicles: Int
        /// How many of each type can be rented; empty if the feed does not say so.
        package let vehiclesByType: [TypeCount]
        /// How many vehicles can be returned; nil if there is no limit.
        package let docks: Int?
        /// How many vehicles of certain types can be returned; empty if the feed does not say so.
        package let docksByType: [TypeCount]
        /// Whether the station is in the street.
        package let isInstalled: Bool
        /// Whether it rents vehicles out.
        package let isRenting: Bool
        /// Whether it takes vehicles back.
        package let isReturning: Bool
        /// When it reported this; nil if the feed does not say so.
        package let reported: Instant?

        /// How many vehicles a rider can take: none where the station does not rent.
        package var rentable: Int { isInstalled && isRenting ? vehicles : 0 }

        /// How many vehicles a rider can bring: none where the station takes none back, and nil
        /// where there is no limit.
        package var returnable: Int? { isInstalled && isReturning ? docks : 0 }
    }

    /// A single vehicle.
    package struct Vehicle: Hashable, Sendable {
        /// The identifier, which changes after each rental so that nobody can be followed.
        package let id: String
        /// Where it is; nil if it is at a station that it names.
        package let place: Coordinate?
        /// The station that it is at.
        package let stationID: String?
        /// Its type; nil if the system has no types.
        package let typeID: String?
        /// Whether someone has reserved it.
        package let isReserved: Bool
        /// Whether it is out of order.
        package let isDisabled: Bool
        /// How far it goes now; nil if the feed does not say so.
        package let rangeMetres: Double?
        /// Its plan; nil for that of its type.
        package let planID: String?
        /// The station that it must return to.
        package let homeStationID: String?
        /// Until when it can be rented; nil without a limit.
        package let availableUntil: Instant?
        /// Where to rent it.
        package let rental: RentalURIs

        /// Whether a rider can take it now.
        package var isRentable: Bool { !isReserved && !isDisabled }
    }

    /// A disruption that the provider announces.
    package struct Alert: Hashable, Sendable {
        /// The identifier of the alert.
        package let id: String
        /// The kind of disruption.
        package let kind: Kind
        /// When it applies; empty for always.
        package let times: [Span]
        /// The stations that it applies to; empty for the whole system.
        package let stationIDs: [String]
        /// What to read first.
        package let summary: LocalizedText
        /// The full description, by language; nil if the feed has none.
        package let details: LocalizedText?
        /// The address of a page with more; nil if the feed has none.
        package let url: String?

        /// The kinds of disruptions.
        package enum Kind: String, Hashable, Sendable {
            /// The whole system is closed.
            case systemClosure = "system_closure"
            /// Stations are closed.
            case stationClosure = "station_closure"
            /// Stations have moved.
            case stationMove = "station_move"
            /// A disruption of another kind.
            case other
        }
    }

    /// A span of time that may be open at either end.
    package struct Span: Hashable, Sendable {
        /// Its first moment.
        package let start: Instant?
        /// The moment after its last; nil if it is open.
        package let end: Instant?

        /// Whether a moment lies in it.
        package func contains(_ moment: Instant) -> Bool {
            (start.map { $0 <= moment } ?? true) && (end.map { moment < $0 } ?? true)
        }
    }
}
