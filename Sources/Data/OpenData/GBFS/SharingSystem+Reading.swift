import Geo

extension SharingSystem {
    /// What came of reading a file.
    package struct Reading: Hashable, Sendable {
        /// The state of the file.
        package let header: GBFSHeader
        /// How many entries were taken over.
        package let acceptedCount: Int
        /// How many entries were left out.
        package let rejectedCount: Int
        /// The first error that made an entry unusable.
        package let firstFailure: FeedFailure?
    }

    /// Replaces a part of the system by the content of a file of version 1.0 to 3.0.
    ///
    /// Entries with an error are left out and counted; of entries with the same identifier the
    /// first counts. On an error of the whole file the system stays as it was.
    ///
    /// - Throws: what is wrong with which field.
    package mutating func read(
        _ bytes: [UInt8],
        as file: GBFSFile
    ) throws(FeedFailure) -> Reading {
        do throws(FeedTrouble) {
            let document = try FeedFields(parsing: bytes)
            let header = try GBFSHeader(document)
            let data = try document.required("data", try document.fields("data"))
            let counts: Counts
            do throws(FeedTrouble) {
                counts = try read(data, file)
            } catch {
                throw error.path.hasPrefix("data") ? error : error.within("data")
            }
            return Reading(
                header: header,
                acceptedCount: counts.accepted,
                rejectedCount: counts.rejected,
                firstFailure: counts.first
            )
        } catch {
            throw error.failure(in: file.rawValue)
        }
    }

    /// How many entries of a file could be used.
    private struct Counts {
        var accepted = 1
        var rejected = 0
        var first: FeedFailure?

        init() {}

        init<Entry>(_ found: FeedEntries<Entry>) {
            accepted = found.entries.count
            rejected = found.rejectedCount
            first = found.firstFailure
        }
    }

    private mutating func read(_ data: FeedFields, _ file: GBFSFile) throws(FeedTrouble) -> Counts {
        func usable<Entry: Sendable>(
            _ name: String,
            _ read: (FeedFields) throws(FeedTrouble) -> Entry
        ) throws(FeedTrouble) -> FeedEntries<Entry> {
            try data.usable(name, in: file.rawValue, under: "data", read)
        }
        switch file {
        case .systemInformation:
            information = try Information(data)
            if let text = try data.text("opening_hours") {
                hours = OperatingHours(openingHours: text)
            }
            return Counts()
        case .vehicleTypes:
            let found = try usable("vehicle_types", VehicleType.init)
            vehicleTypes = Self.byID(found.entries, \.id)
            return Counts(found)
        case .stationInformation:
            let found = try usable("stations", Station.init)
            var seen: Set<String> = []
            stations = found.entries.filter { seen.insert($0.id).inserted }
            return Counts(found)
        case .stationStatus:
            let found = try usable("stations") { fields throws(FeedTrouble) in
                (id: try fields.id("station_id"), state: try StationState(fields))
            }
            stationStates = Self.byID(found.entries, \.id).mapValues(\.state)
            return Counts(found)
        case .vehicleStatus:
            let found = try usable(data["vehicles"] == nil ? "bikes" : "vehicles", Vehicle.init)
            var seen: Set<String> = []
            vehicles = found.entries.filter { seen.insert($0.id).inserted }
            return Counts(found)
        case .systemPricingPlans:
            let found = try usable("plans", PricingPlan.init)
            pricingPlans = Self.byID(found.entries, \.id)
            return Counts(found)
        case .geofencingZones: return try readZones(data)
        case .systemHours:
            let found = try usable("rental_hours", OperatingHours.Period.init)
            hours.periods = found.entries
            return Counts(found)
        case .systemCalendar:
            let found = try usable("calendars", OperatingHours.Season.init)
            hours.seasons = found.entries
            return Counts(found)
        case .systemAlerts:
            let found = try usable("alerts", Alert.init)
            alerts = found.entries
            return Counts(found)
        }
    }

    private mutating func readZones(_ data: FeedFields) throws(FeedTrouble) -> Counts {
        let zones = try data.required("geofencing_zones", try data.fields("geofencing_zones"))
        var counts = Counts()
        do throws(FeedTrouble) {
            // A zone without a place is nowhere. Any other error could be in a zone where riding
            // is forbidden, so then the file is not used at all.
            let read = try zones.each("features") { feature throws(FeedTrouble) in
                feature["geometry"] == nil ? nil : try Geofencing.Zone(feature)
            }
            let rules = try data.each("global_rules", Geofencing.Rule.init)
            geofencing = Geofencing(zones: read.compactMap { $0 }, globalRules: rules)
            counts.accepted = geofencing.zones.count
            counts.rejected = read.count - counts.accepted
            if let nowhere = read.firstIndex(where: { $0 == nil }) {
                let path = "data.geofencing_zones.features[\(nowhere)].geometry"
                let file = GBFSFile.geofencingZones.rawValue
                counts.first = FeedFailure(file: file, field: path, problem: .missing)
            }
        } catch {
            throw error.path.hasPrefix("global_rules") ? error : error.within("geofencing_zones")
        }
        return counts
    }

    private static func byID<Entry>(
        _ entries: [Entry],
        _ id: (Entry) -> String
    ) -> [String: Entry] {
        Dictionary(entries.map { (id($0), $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension SharingSystem.Information {
    init(_ fields: FeedFields) throws(FeedTrouble) {
        id = try fields.id("system_id")
        name = try fields.required("name", try fields.localized("name"))
        operatorName = try fields.localized("operator")
        timeZone = try fields.id("timezone")
        url = try fields.text("url")
        purchaseURL = try fields.text("purchase_url")
        phoneNumber = try fields.text("phone_number")
        let apps = try fields.fields("rental_apps")
        self.apps = SharingSystem.RentalURIs(
            android: try apps?.fields("android")?.text("discovery_uri"),
            ios: try apps?.fields("ios")?.text("discovery_uri"),
            web: nil
        )
    }
}

extension SharingSystem.RentalURIs {
    init(_ fields: FeedFields) throws(FeedTrouble) {
        let uris = try fields.fields("rental_uris")
        android = try uris?.text("android")
        ios = try uris?.text("ios")
        web = try uris?.text("web")
    }
}

extension SharingSystem.VehicleType {
    init(_ fields: FeedFields) throws(FeedTrouble) {
        id = try fields.id("vehicle_type_id")
        name = try fields.localized("name")
        let form = try fields.required("form_factor", try fields.text("form_factor"))
        // `scooter` is the name of version 2.2 for those that one stands on.
        guard let known = form == "scooter" ? .standingScooter : SharingSystem.Form(rawValue: form)
        else { throw FeedTrouble("form_factor", .badValue(form)) }
        self.form = known
        propulsion = try fields.required(
            "propulsion_type",
            try fields.choice("propulsion_type", of: SharingSystem.Propulsion.self)
        )
        rangeMetres = try fields.amount("max_range_meters")
        returnRule = try fields.choice("return_constraint", of: SharingSystem.ReturnRule.self)
        defaultPlanID = try fields.text("default_pricing_plan_id")
        planIDs = try fields.texts("pricing_plan_ids")
        gramsPerKilometre = try fields.amount("g_CO2_km")
    }
}

extension SharingSystem.Station {
    init(_ fields: FeedFields) throws(FeedTrouble) {
        id = try fields.id("station_id")
        name = try fields.required("name", try fields.localized("name"))
        guard let place = try fields.place() else { throw FeedTrouble("lat", .missing) }
        self.place = place
        address = try fields.text("address")
        capacity = try fields.count("capacity")
        typeCapacities = try fields.capacities()
        isVirtual = try fields.flag("is_virtual_station") ?? false
        area = try fields["station_area"]?.area(in: "station_area")
        hours = try fields.text("station_opening_hours").map {
            SharingSystem.OperatingHours(openingHours: $0)
        }
        rental = try SharingSystem.RentalURIs(fields)
    }
}

extension SharingSystem.StationState {
    init(_ fields: FeedFields) throws(FeedTrouble) {
        // Version 3.0 counts vehicles where earlier ones count bicycles.
        let name = fields["num_vehicles_available"] == nil ? "bikes" : "vehicles"
        vehicles = try fields.required(
            "num_\(name)_available",
            try fields.count("num_\(name)_available")
        )
        vehiclesByType = try fields.each("vehicle_types_available") { entry throws(FeedTrouble) in
            SharingSystem.TypeCount(
                typeIDs: [try entry.id("vehicle_type_id")],
                count: try entry.required("count", try entry.count("count"))
            )
        }
        docks = try fields.count("num_docks_available")
        docksByType = try fields.each(
            "vehicle_docks_available",
            SharingSystem.TypeCount.init(several:)
        )
        isInstalled = try fields.required("is_installed", try fields.flag("is_installed"))
        isRenting = try fields.required("is_renting", try fields.flag("is_renting"))
        isReturning = try fields.required("is_returning", try fields.flag("is_returning"))
        reported = try fields.instant("last_reported")
    }
}

extension SharingSystem.TypeCount {
    init(several fields: FeedFields) throws(FeedTrouble) {
        typeIDs = try fields.texts("vehicle_type_ids")
        count = try fields.required("count", try fields.count("count"))
    }
}

extension SharingSystem.Vehicle {
    init(_ fields: FeedFields) throws(FeedTrouble) {
        id = try fields.id(fields["vehicle_id"] == nil ? "bike_id" : "vehicle_id")
        place = try fields.place()
        stationID = try fields.text("station_id")
        guard place != nil || stationID != nil else { throw FeedTrouble("lat", .missing) }
        typeID = try fields.text("vehicle_type_id")
        isReserved = try fields.required("is_reserved", try fields.flag("is_reserved"))
        isDisabled = try fields.required("is_disabled", try fields.flag("is_disabled"))
        rangeMetres = try fields.amount("current_range_meters")
        planID = try fields.text("pricing_plan_id")
        homeStationID = try fields.text("home_station_id")
        availableUntil = try fields.instant("available_until")
        rental = try SharingSystem.RentalURIs(fields)
    }
}

extension SharingSystem.Alert {
    init(_ fields: FeedFields) throws(FeedTrouble) {
        id = try fields.id("alert_id")
        let type = try fields.required("type", try fields.text("type"))
        // Version 2.x writes some kinds in capitals.
        guard let kind = Kind(rawValue: type.lowercased()) else {
            throw FeedTrouble("type", .badValue(type))
        }
        self.kind = kind
        times = try fields.each("times") { span throws(FeedTrouble) in
            SharingSystem.Span(start: try span.instant("start"), end: try span.instant("end"))
        }
        stationIDs = try fields.texts("station_ids")
        summary = try fields.required("summary", try fields.localized("summary"))
        details = try fields.localized("description")
        url = try fields.localized("url")?.variants.first?.text
    }
}

extension FeedFields {
    /// A place from the members `lat` and `lon`; nil if neither is there.
    fileprivate func place() throws(FeedTrouble) -> Coordinate? {
        guard self["lat"] != nil || self["lon"] != nil else { return nil }
        let latitude = try required("lat", try number("lat"))
        let longitude = try required("lon", try number("lon"))
        guard
            let place = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude),
            latitude != 0 || longitude != 0
        else { throw FeedTrouble("lat", .badValue("\(latitude), \(longitude)")) }
        return place
    }

    fileprivate func choice<Choice: RawRepresentable<String>>(
        _ name: String,
        of type: Choice.Type
    ) throws(FeedTrouble) -> Choice? {
        guard let text = try text(name) else { return nil }
        guard let choice = Choice(rawValue: text) else { throw FeedTrouble(name, .badValue(text)) }
        return choice
    }

    /// How many vehicles of each type fit: an object up to version 2.3, a list in 3.0.
    fileprivate func capacities() throws(FeedTrouble) -> [SharingSystem.TypeCount] {
        for name in ["vehicle_type_capacity", "vehicle_capacity"] {
            guard let byType = try fields(name) else { continue }
            var counts: [SharingSystem.TypeCount] = []
            for member in byType.object.members {
                do {
                    let count = try byType.required(member.name, try byType.count(member.name))
                    counts.append(SharingSystem.TypeCount(typeIDs: [member.name], count: count))
                } catch {
                    throw error.within(name)
                }
            }
            return counts
        }
        let name =
            self["vehicle_docks_capacity"] == nil
            ? "vehicle_types_capacity" : "vehicle_docks_capacity"
        return try each(name, SharingSystem.TypeCount.init(several:))
    }
}
