import Chronology
import Dispatching
import Drivers
import Identity
import Localization
import OpenData
import Taxi
import TaxiPages
import WebCore

/// The vehicles, queues and open requests of the city, as its operators see them.
///
/// There are no names, contacts or pickup places of people among them: for these, applications of
/// the city's own staff use the console.
extension CityAPI {
    var fleetOperations: [Operation] {
        [
            .get(
                "/api/fleet",
                as: "api.fleet.read",
                "Read how busy the fleet is",
                in: .fleet,
                for: [.readFleet],
                returns: .busyness
            ) { _ in
                let found = try await taxi.operations(.waiting, limit: 0)
                func counts<Key: RawRepresentable<String> & CaseIterable & Hashable>(
                    _ numbers: [Key: Int]
                ) -> JSONValue {
                    .object(
                        JSONObject(
                            Key.allCases.map { .init($0.rawValue, JSONValue(numbers[$0] ?? 0)) }
                        )
                    )
                }
                return Answer([
                    "taxis": counts(found.taxis), "requests": counts(found.requests),
                    "median_wait_seconds": JSONValue(found.medianWaitSeconds),
                    "unserved_last_hour": .integer(found.unserved),
                ])
            },
            .get(
                "/api/fleet/taxis",
                as: "api.fleet.taxis",
                "List the taxis",
                in: .fleet,
                for: [.readFleet],
                returns: .page(of: .taxi),
                listTaxis
            )
            .taking([
                .query("state", .choice(of: TaxiStand.self), "Only taxis in this state."),
                .query("zone", .text(200), "Only taxis in the zone with this code."),
                .after(.number(0...Int64(UInt32.max))), .limit,
            ]),
            .get(
                "/api/fleet/taxis/{taxi}",
                as: "api.fleet.taxi",
                "Read a taxi",
                in: .fleet,
                for: [.readFleet],
                returns: .taxi,
                readTaxi
            )
            .taking([.path("taxi", .text(40), "The code on the taxi.")]),
            .get(
                "/api/fleet/positions",
                as: "api.fleet.positions",
                "List where the taxis on duty are",
                in: .fleet,
                for: [.readFleet],
                returns: .object([
                    .init("items", .list(.position), "At most 1,000 taxis."),
                    .init("has_more", .boolean, "Whether there are more."),
                ]),
                listPositions
            )
            .taking([
                .query("state", .choice(of: TaxiStand.self), "Only taxis in this state."),
                .query("zone", .text(200), "Only taxis in the zone with this code."),
            ])
            .explained("The position of a driver off duty is private, and not among them."),
            .get(
                "/api/fleet/queues/{zone}",
                as: "api.fleet.queue",
                "List the queue of a zone",
                in: .fleet,
                for: [.readFleet],
                returns: .page(of: .queued),
                listQueue
            )
            .taking([.zoneCode, .after(.number(0...1_000_000)), .limit])
            .explained("In the order in which drivers are asked."),
            .get(
                "/api/fleet/requests",
                as: "api.fleet.requests",
                "List open requests",
                in: .fleet,
                for: [.readFleet],
                returns: .object([
                    .init("items", .list(.openRequest), "The requests, oldest first."),
                    .init("has_more", .boolean, "Whether there are more."),
                ]),
                listRequests
            )
            .taking([
                InputField.query("state", .choice(of: RequestFilter.self), "How far they are.")
                    .required,
                .query("zone", .text(200), "Only requests in the zone with this code."), .limit,
            ]),
            .get(
                "/api/fleet/notices",
                as: "api.fleet.notices",
                "List the notices to drivers",
                in: .fleet,
                for: [.readFleet],
                returns: .object([.init("items", .list(.notice), "The notices, newest first.")])
            ) { call in
                let notices = try await taxi.notices(at: call.now)
                return Answer(["items": .list(notices.map(notice))])
            },
            .get(
                "/api/fleet/drivers",
                as: "api.fleet.drivers",
                "List the drivers",
                in: .fleet,
                for: [.readFleet],
                returns: .page(of: .driver),
                listDrivers
            )
            .taking([
                .query("filter", .choice(of: DriverFilter.self), "Which drivers; all by default."),
                .after(.number(1...Int64.max)), .limit,
            ])
            .explained("Drivers have numbers here; their names stay in the console."),
        ]
    }

    // MARK: Taxis

    private func zone(_ call: Call) async throws -> ZoneNumber? {
        guard let code = call["zone"] else { return nil }
        let number = try await taxi.zoneLines().first { $0.code == code }?.number
        guard let number else {
            throw ProgramRefusal.field("zone", "unknown", "There is no zone with this code.")
        }
        return number
    }

    /// The codes on taxis, by their codes in the log.
    private func codes(_ taxis: [TaxiReference]) async throws -> [String: String] {
        let people = Set(taxis.map(\.code)).compactMap { PersonNumber(dispatcherCode: $0) }
        let names = try await accounts.drivers.taxiNames(of: people.sorted())
        return names.reduce(into: [:]) { $0[$1.key.dispatcherCode] = $1.value.code }
    }

    private func listTaxis(_ call: Call) async throws -> Answer {
        let last = call.number("after").map { TaxiNumber(rawValue: UInt32(clamping: $0)) }
        let (lines, hasMore) = try await taxi.taxis(
            call["state"].flatMap { TaxiStand(rawValue: $0) },
            in: try await zone(call),
            after: last,
            limit: call.limit
        )
        let codes = try await codes(lines.map(\.taxi))
        let next = hasMore ? lines.last.map { "\($0.taxi.number.rawValue)" } : nil
        return Answer([
            "items": .list(lines.map { json($0, codes) }), "next": JSONValue(next),
        ])
    }

    private func json(_ line: TaxiLine, _ codes: [String: String]) -> JSONValue {
        [
            "number": JSONValue(line.taxi.number.rawValue),
            "code": JSONValue(codes[line.taxi.code]),
            "state": .text(line.stand.rawValue), "zone": JSONValue(line.zone),
            "place_in_queue": JSONValue(line.place), "request": JSONValue(line.request?.rawValue),
            "heard": JSONValue(line.heard),
        ]
    }

    private func readTaxi(_ call: Call) async throws -> Answer {
        let code = try call.required("taxi")
        guard let person = try await accounts.drivers.findTaxi(code),
            let number = try await fleet.number(of: person)
        else { throw Failure.notFound }
        let last = number.rawValue == 0 ? nil : TaxiNumber(rawValue: number.rawValue - 1)
        let found = try await taxi.taxis(nil, after: last, limit: 1).lines.first
        guard let line = found, line.taxi.number == number else { throw Failure.notFound }
        return Answer(json(line, try await codes([line.taxi])))
    }

    /// How many positions are listed at most.
    private static let mostPositions = 1_000

    private func listPositions(_ call: Call) async throws -> Answer {
        let (marks, hasMore) = try await taxi.marks(
            call["state"].flatMap { TaxiStand(rawValue: $0) },
            in: try await zone(call),
            limit: Self.mostPositions
        )
        let codes = try await codes(marks.map(\.taxi))
        let items = marks.map { mark -> JSONValue in
            [
                "number": JSONValue(mark.taxi.number.rawValue),
                "code": JSONValue(codes[mark.taxi.code]), "state": .text(mark.stand.rawValue),
                "position": JSONValue(mark.place, name: nil), "at": JSONValue(mark.at),
            ]
        }
        return Answer(["items": .list(items), "has_more": .bool(hasMore)])
    }

    private func listQueue(_ call: Call) async throws -> Answer {
        let code = try call.required("zone")
        let zone = try await taxi.zoneLines().first { $0.code == code }?.number
        let place = Int(clamping: call.number("after") ?? 0)
        guard let zone,
            let queue = try await taxi.queue(of: zone, after: place, limit: call.limit)
        else { throw Failure.notFound }
        let codes = try await codes(queue.lines.map(\.taxi))
        let items = queue.lines.map { line -> JSONValue in
            [
                "place": JSONValue(line.place), "number": JSONValue(line.taxi.number.rawValue),
                "code": JSONValue(codes[line.taxi.code]), "state": .text(line.stand.rawValue),
                "since": JSONValue(line.since), "is_restored": .bool(line.isRestored),
            ]
        }
        let last = queue.lines.last?.place ?? queue.count
        return Answer([
            "items": .list(items), "next": JSONValue(last < queue.count ? "\(last)" : nil),
        ])
    }

    // MARK: Requests, notices and drivers

    private func listRequests(_ call: Call) async throws -> Answer {
        let filter = RequestFilter(rawValue: try call.required("state")) ?? .waiting
        let found = try await taxi.operations(filter, in: try await zone(call), limit: call.limit)
        let codes = try await codes(found.lines.compactMap(\.taxi))
        let items = found.lines.map { line -> JSONValue in
            [
                "request": JSONValue(line.request.number.rawValue), "zone": .text(line.zone),
                "asked": JSONValue(line.asked), "due": JSONValue(line.request.due),
                "seats": JSONValue(line.request.needs.seats),
                "wheelchair": .bool(line.request.needs.wheelchair),
                "drivers_asked": JSONValue(line.request.asked.count),
                "taxi": JSONValue(line.taxi.flatMap { codes[$0.code] }),
            ]
        }
        return Answer(["items": .list(items), "has_more": .bool(found.hasMore)])
    }

    private func notice(_ notice: DriverNotice) -> JSONValue {
        var zone: String?
        var taxi: UInt32?
        switch notice.audience {
        case .everybody: break
        case .zone(let code): zone = code
        case .taxi(let number): taxi = number.rawValue
        }
        return [
            "number": .integer(notice.number), "zone": JSONValue(zone), "taxi": JSONValue(taxi),
            "made": JSONValue(notice.made), "until": JSONValue(notice.until),
            "texts": .list(
                notice.text.languages.map { language in
                    [
                        "language": .text(language.rawValue),
                        "text": .text(notice.text[language]),
                    ]
                }
            ),
            // Programs of before `texts` read these two.
            "english": .text(notice.text[.english]), "italian": .text(notice.text[.italian]),
        ]
    }

    private func listDrivers(_ call: Call) async throws -> Answer {
        let drivers = try await accounts.drivers.list(
            call["filter"].flatMap { DriverFilter(rawValue: $0) } ?? .all,
            after: call.number("after").map { PersonNumber(rawValue: $0) },
            limit: call.limit,
            at: call.now
        )
        let items = drivers.map { driver -> JSONValue in
            [
                "number": .integer(driver.person.rawValue),
                "taxi": .text(driver.papers.taxiCode), "plate": .text(driver.papers.plate),
                "verification": .text("\(driver.verification)"),
                "is_suspended": .bool(driver.isSuspended),
                "taxi_licence_expires": .text(driver.papers.taxiLicenceExpires),
                "driving_licence_expires": .text(driver.papers.drivingLicenceExpires),
            ]
        }
        let last = drivers.count == call.limit ? drivers.last : nil
        return Answer([
            "items": .list(items), "next": JSONValue(last.map { "\($0.person.rawValue)" }),
        ])
    }
}
