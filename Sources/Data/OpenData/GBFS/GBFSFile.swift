package import Chronology

/// The files of a GBFS system that are read, by the names of version 3.0.
package enum GBFSFile: String, Hashable, Sendable, CaseIterable {
    /// Who runs the system and where.
    case systemInformation = "system_information"
    /// The kinds of vehicles.
    case vehicleTypes = "vehicle_types"
    /// Where stations are.
    case stationInformation = "station_information"
    /// What is available at stations now.
    case stationStatus = "station_status"
    /// Where vehicles are now.
    case vehicleStatus = "vehicle_status"
    /// The prices of rides.
    case systemPricingPlans = "system_pricing_plans"
    /// Where vehicles may be ridden and left.
    case geofencingZones = "geofencing_zones"
    /// The hours of operation; part of the system information since version 3.0.
    case systemHours = "system_hours"
    /// The seasons of operation; part of the system information since version 3.0.
    case systemCalendar = "system_calendar"
    /// The present and announced disruptions of the system.
    case systemAlerts = "system_alerts"

    /// Creates a file from the name that a feed of any version gives it; nil if it is not read.
    package init?(feedName: String) {
        self.init(rawValue: feedName == "free_bike_status" ? "vehicle_status" : feedName)
    }
}

/// The state of a file, which each file of GBFS begins with.
package struct GBFSHeader: Hashable, Sendable {
    /// When the content was last updated.
    package let lastUpdated: Instant
    /// How many seconds the content may be used for before it is fetched again.
    package let timeToLiveSeconds: Int
    /// The version of the format; 1.0 if the file states none.
    package let version: String

    init(_ document: FeedFields) throws(FeedTrouble) {
        let text = try document.text("version") ?? "1.0"
        let major = text.hasPrefix("v") ? text.dropFirst().first : text.first
        guard let major, "123".contains(major) else {
            throw FeedTrouble("version", .unsupportedVersion(text))
        }
        version = text
        lastUpdated = try document.required("last_updated", try document.instant("last_updated"))
        timeToLiveSeconds = try document.count("ttl") ?? 0
    }
}

/// The entry point of a system: which files it has, and where.
package struct GBFSDiscovery: Hashable, Sendable {
    /// The state of the entry point.
    package let header: GBFSHeader
    /// The URL of each file that is read.
    package let urls: [GBFSFile: String]

    /// Reads `gbfs.json`.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - language: the language that is preferred where a system has its files in several.
    /// - Throws: what is wrong with which field.
    package init(_ bytes: [UInt8], language: String) throws(FeedFailure) {
        do {
            let document = try FeedFields(parsing: bytes)
            header = try GBFSHeader(document)
            let data = try document.required("data", try document.fields("data"))
            urls = try Self.urls(in: data, language: language)
        } catch {
            throw error.failure(in: "gbfs")
        }
    }

    /// The files, which up to version 2.3 are listed once for each language.
    private static func urls(
        in data: FeedFields,
        language: String
    ) throws(FeedTrouble) -> [GBFSFile: String] {
        var path = "data"
        var lists = data
        if data["feeds"] == nil {
            let names = data.object.members.map(\.name)
            guard let name = names.first(where: { $0 == language }) ?? names.first else {
                throw FeedTrouble("data.feeds", .missing)
            }
            path += ".\(name)"
            lists = try data.required(name, try data.fields(name))
        }
        var urls: [GBFSFile: String] = [:]
        do {
            let feeds = try lists.each("feeds") { feed throws(FeedTrouble) in
                (try feed.id("name"), try feed.id("url"))
            }
            for (name, url) in feeds {
                if let file = GBFSFile(feedName: name) { urls[file] = url }
            }
        } catch {
            throw error.within(path)
        }
        guard urls[.systemInformation] != nil else {
            throw FeedTrouble("\(path).feeds", .missing)
        }
        return urls
    }
}
