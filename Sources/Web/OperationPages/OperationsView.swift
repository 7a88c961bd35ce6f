import Dispatching
import Markup
import Taxi
import TaxiPages
import WebCore

/// What the pages of live operations show, as their address says.
///
/// The same address gives the same page, without scripts too, and can be sent to a colleague.
struct OperationsView: Hashable, Sendable {
    /// What the drawer shows.
    enum Selection: Hashable, Sendable {
        case request(RequestNumber)
        case taxi(TaxiNumber)
    }

    /// Which requests are listed.
    var filter = RequestFilter.waiting
    /// The zone to which the list and the map are limited; nil for all.
    var zone: ZoneNumber?
    /// The request or taxi in the drawer; nil if it is closed.
    var selection: Selection?
    /// Whether phones show the map in place of the list.
    var isMap = false
    /// Whether all zones are listed, not only the busiest.
    var hasAllZones = false

    /// Creates the view of all zones, or of one.
    init(_ filter: RequestFilter = .waiting, in zone: ZoneNumber? = nil) {
        self.filter = filter
        self.zone = zone
    }

    /// Reads the address of a request; what names nothing is left out.
    init(_ context: RequestContext) {
        func number(_ name: String) -> UInt64? {
            context.query[name].flatMap { UInt64($0) }
        }
        filter = context.query["show"].flatMap(RequestFilter.init(rawValue:)) ?? .waiting
        zone = number("zone").flatMap { UInt32(exactly: $0) }.map(ZoneNumber.init(rawValue:))
        isMap = context.query["view"] == "map"
        hasAllZones = context.query["zones"] == "all"
        if let taxi = number("taxi").flatMap({ UInt32(exactly: $0) }) {
            selection = .taxi(TaxiNumber(rawValue: taxi))
        }
        if let request = number("request") {
            selection = .request(RequestNumber(rawValue: request))
        }
    }

    /// The view with another selection.
    func selecting(_ selection: Selection?) -> OperationsView {
        var view = self
        view.selection = selection
        view.isMap = false
        return view
    }

    /// The view as the map of phones, or as the list.
    func showing(map isMap: Bool) -> OperationsView {
        var view = selecting(nil)
        view.isMap = isMap
        return view
    }

    /// The address of the view; what is usual is left out.
    var address: Address {
        var parts: [String] = []
        if filter != .waiting { parts.append("show=\(filter.rawValue)") }
        if let zone { parts.append("zone=\(zone.rawValue)") }
        if hasAllZones { parts.append("zones=all") }
        if isMap { parts.append("view=map") }
        switch selection {
        case .request(let number): parts.append("request=\(number.rawValue)")
        case .taxi(let number): parts.append("taxi=\(number.rawValue)")
        case nil: break
        }
        let start = Address("/console/operations")
        guard !parts.isEmpty else { return start }
        let text = "\(start.text)?\(parts.joined(separator: "&"))"
        guard let address = Address(withinServer: text) else {
            preconditionFailure("numbers and words make an address")
        }
        return address
    }
}

/// How many people wait in a zone for how many free taxis.
enum ZoneLevel: String, CaseIterable, Sendable {
    /// Nobody waits for a taxi.
    case calm
    /// The free taxis suffice for those who wait.
    case busy
    /// More people wait than taxis are free.
    case short

    /// The level for numbers of waiting people and free taxis.
    init(waiting: Int, free: Int) {
        precondition(waiting >= 0 && free >= 0, "a zone has negative counts")
        self = waiting == 0 ? .calm : waiting <= free ? .busy : .short
    }
}

extension ZoneLine {
    /// How many people wait for how many free taxis.
    var level: ZoneLevel { ZoneLevel(waiting: waiting, free: free) }
}
