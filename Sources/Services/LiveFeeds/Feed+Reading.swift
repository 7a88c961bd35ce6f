import Chronology
import HTTPClient
import OpenData

extension Feed {
    /// Replaces what is known by the content of a file, unless that is unusable or older.
    mutating func read(
        _ body: [UInt8],
        _ position: Int,
        fetched: Instant,
        now: Instant,
        _ place: Place
    ) throws(FeedProblem) {
        switch content {
        case .sharing(let system):
            if position == 0 {
                try readDiscovery(body, now, place)
            } else {
                try readSharing(system, body, position)
            }
        case .weather:
            guard let service = source.kind.weatherService else {
                preconditionFailure("A feed of the weather has no weather service")
            }
            let forecast = try Self.reading { () throws(FeedFailure) in
                try Forecast(body, from: service, fetched: fetched)
            }
            try note(position, made: forecast.made, usable: forecast.intervals.count)
            content = .weather(forecast)
        case .strikes(let known):
            let register = try Self.reading { () throws(FeedFailure) in try StrikeRegister(body) }
            let notices = register.notices
            try note(
                position,
                made: register.published,
                usable: notices.entries.count,
                total: notices.entries.count + notices.rejectedCount,
                notices.firstFailure
            )
            content = .strikes(
                TrackedStrike.updated(
                    known,
                    with: notices.entries,
                    published: register.published,
                    today: place.zone.local(now).date
                )
            )
        case .alerts:
            let alerts = try Self.reading { () throws(FeedFailure) in try ServiceAlerts(body) }
            try note(position, made: alerts.made, usable: alerts.alerts.count)
            content = .alerts(alerts)
        case .traffic:
            let table = try Self.reading { () throws(FeedFailure) in try TrafficTable(body) }
            let lines = table.lines
            try note(
                position,
                made: nil,
                usable: lines.entries.count,
                total: lines.entries.count + lines.rejectedCount,
                lines.firstFailure
            )
            content = .traffic(table)
        }
    }

    /// Notes how many entries of a file can be used.
    ///
    /// - Throws: why the file must not replace what is known.
    private mutating func note(
        _ position: Int,
        made: Instant?,
        usable: Int,
        total: Int? = nil,
        _ failure: FeedFailure? = nil
    ) throws(FeedProblem) {
        let total = total ?? usable
        if let failure, usable * 2 < total {
            throw .mostlyUnusable(usable: usable, total: total, failure)
        }
        if let made, let known = resources[position].made, made < known { throw .older }
        resources[position].made = made
        resources[position].usableCount = usable
        resources[position].totalCount = total
    }

    /// Turns an error of the format into a problem of the feed.
    private static func reading<Value>(
        _ body: () throws(FeedFailure) -> Value
    ) throws(FeedProblem) -> Value {
        do throws(FeedFailure) {
            return try body()
        } catch {
            throw .content(error)
        }
    }
}

// GBFS.
extension Feed {
    private mutating func readDiscovery(
        _ body: [UInt8],
        _ now: Instant,
        _ place: Place
    ) throws(FeedProblem) {
        let discovery = try Self.reading { () throws(FeedFailure) in
            try GBFSDiscovery(body, language: place.language)
        }
        try note(0, made: nil, usable: discovery.urls.count)
        stateTimeToLive(discovery.header.timeToLiveSeconds, 0)
        add(discovery.urls, now: now)
        // A file that the system no longer has must not be used any longer.
        let dropped = resources.dropFirst().compactMap { GBFSFile(rawValue: $0.name) }
            .filter { discovery.urls[$0] == nil }
        guard !dropped.isEmpty, case .sharing(var system) = content else { return }
        resources.removeAll { resource in dropped.contains { $0.rawValue == resource.name } }
        for file in dropped { system.forget(file) }
        content = .sharing(system)
    }

    private mutating func readSharing(
        _ system: SharingSystem,
        _ body: [UInt8],
        _ position: Int
    ) throws(FeedProblem) {
        guard let file = GBFSFile(rawValue: resources[position].name) else {
            preconditionFailure("A system of shared vehicles has a file that is not read")
        }
        var system = system
        let reading = try Self.reading { () throws(FeedFailure) in
            try system.read(body, as: file)
        }
        var usable = reading.acceptedCount
        if file == .stationStatus, !system.stations.isEmpty {
            // A state without its station can be shown nowhere.
            let stations = Set(system.stations.map(\.id))
            usable = system.stationStates.keys.count { stations.contains($0) }
        }
        try note(
            position,
            made: reading.header.lastUpdated,
            usable: usable,
            total: reading.acceptedCount + reading.rejectedCount,
            reading.firstFailure
        )
        stateTimeToLive(reading.header.timeToLiveSeconds, position)
        content = .sharing(system)
    }
}

// How often.
extension Feed {
    /// The seconds until a file is fetched again after it was fetched well.
    ///
    /// Never more often than twice a minute, whatever the feed says, and at least once an hour.
    func pause(_ resource: FeedResource) -> Int64 {
        switch source.kind {
        case .openMeteo, .metNorway: 1_800
        case .strikes: 3_600
        case .alerts: 60
        case .traffic: 120
        case .sharing:
            switch GBFSFile(rawValue: resource.name) {
            case .stationStatus, .vehicleStatus: min(max(30, resource.timeToLive), 300)
            default: min(max(300, resource.timeToLive), 3_600)
            }
        }
    }
}
