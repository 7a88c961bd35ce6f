import OpenData
import SeededRandom
import TestSupport

/// A small random feed with everything that affects a journey: trips that overtake each other, run
/// past midnight and on certain days, lines of three modes, blocks, frequencies of both kinds,
/// stops without boarding or alighting, and transfers of every type for stops, stations,
/// routes and trips.
enum RandomFeed {
    static func texts(seed: UInt64) -> [String: String] {
        var random = SeededRandom(seed: seed)
        let stopCount = Int.random(in: 4...9, using: &random)
        let routeCount = Int.random(in: 1...5, using: &random)
        var texts = [
            "agency.txt":
                "agency_id,agency_name,agency_url,agency_timezone\nA,A,http://a.it,Europe/Rome",
            "calendar.txt":
                """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            W,1,1,1,1,1,0,0,20141001,20141130
            E,0,0,0,0,0,1,1,20141001,20141130
            D,1,1,1,1,1,1,1,20141001,20141130
            """,
            "calendar_dates.txt": "service_id,date,exception_type\nW,20141021,2\nE,20141021,1",
        ]
        texts["stops.txt"] = stops(stopCount, &random)
        texts["routes.txt"] =
            "route_id,route_short_name,route_type\n"
            + (0..<routeCount).map { "R\($0),\($0),\([3, 0, 2][$0 % 3])" }.joined(separator: "\n")
        let trips = trips(stopCount, routeCount, &random)
        texts["trips.txt"] = trips.trips
        texts["stop_times.txt"] = trips.stopTimes
        texts["frequencies.txt"] = frequencies(trips.count, &random)
        texts["transfers.txt"] = transfers(stopCount, routeCount, trips.count, &random)
        return texts
    }

    /// Says of each stop and trip of a feed whether it takes wheelchairs; most do.
    static func withWheelchairs(
        _ texts: [String: String],
        _ random: inout SeededRandom
    ) -> [String: String] {
        var texts = texts
        for (file, column) in [
            ("stops.txt", "wheelchair_boarding"), ("trips.txt", "wheelchair_accessible"),
        ] {
            let lines = (texts[file] ?? "").split(separator: "\n")
            texts[file] = lines.enumerated().map { number, line in
                let value = Int.random(in: 0..<4, using: &random) == 0 ? "2" : "1"
                return "\(line),\(number == 0 ? column : value)"
            }.joined(separator: "\n")
        }
        return texts
    }

    private static func stops(_ count: Int, _ random: inout SeededRandom) -> String {
        var lines = ["stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station"]
        lines.append("P,Station,45.0,9.0,1,")
        for stop in 0..<count {
            let parent = Int.random(in: 0..<4, using: &random) == 0 ? "P" : ""
            let north = 45 + Double(Int.random(in: 0...30, using: &random)) / 1_000
            let east = 9 + Double(Int.random(in: 0...30, using: &random)) / 1_000
            lines.append("S\(stop),Stop \(stop),\(north),\(east),0,\(parent)")
        }
        return lines.joined(separator: "\n")
    }

    private static func trips(
        _ stopCount: Int,
        _ routeCount: Int,
        _ random: inout SeededRandom
    ) -> (trips: String, stopTimes: String, count: Int) {
        var trips = ["trip_id,route_id,service_id,block_id"]
        var times = [
            "trip_id,stop_id,stop_sequence,arrival_time,departure_time,pickup_type,drop_off_type"
        ]
        var number = 0
        for route in 0..<routeCount {
            let length = Int.random(in: 2...min(4, stopCount), using: &random)
            let stops = Array((0..<stopCount).shuffled(using: &random).prefix(length))
            for _ in 0..<Int.random(in: 1...7, using: &random) {
                let service = ["W", "E", "D", "D"].randomElement(using: &random) ?? "D"
                let block =
                    Int.random(in: 0..<3, using: &random) == 0
                    ? "B\(Int.random(in: 0..<2, using: &random))" : ""
                trips.append("T\(number),R\(route),\(service),\(block)")
                var clock = Int.random(in: 0...95, using: &random) * 900
                for (sequence, stop) in stops.enumerated() {
                    let arrival = clock
                    clock += [0, 0, 60, 300].randomElement(using: &random) ?? 0
                    let boarding = [0, 0, 0, 0, 1, 3]
                    let pickup = boarding.randomElement(using: &random) ?? 0
                    let dropOff = boarding.randomElement(using: &random) ?? 0
                    times.append(
                        "T\(number),S\(stop),\(sequence),\(time(arrival)),\(time(clock)),"
                            + "\(pickup),\(dropOff)"
                    )
                    clock += Int.random(in: 0...20, using: &random) * 60
                }
                number += 1
            }
        }
        return (trips.joined(separator: "\n"), times.joined(separator: "\n"), number)
    }

    private static func frequencies(_ count: Int, _ random: inout SeededRandom) -> String {
        var lines = ["trip_id,start_time,end_time,headway_secs,exact_times"]
        for trip in 0..<count where Int.random(in: 0..<8, using: &random) == 0 {
            let start = Int.random(in: 0...80, using: &random) * 900
            let end = start + Int.random(in: 1...8, using: &random) * 900
            let headway = [420, 600, 1_800].randomElement(using: &random) ?? 600
            let exact = Int.random(in: 0...1, using: &random)
            lines.append("T\(trip),\(time(start)),\(time(end)),\(headway),\(exact)")
        }
        return lines.joined(separator: "\n")
    }

    private static func transfers(
        _ stopCount: Int,
        _ routeCount: Int,
        _ tripCount: Int,
        _ random: inout SeededRandom
    ) -> String {
        var lines = [
            "from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_route_id,to_route_id,"
                + "from_trip_id,to_trip_id"
        ]
        func stop() -> String {
            Int.random(in: 0..<8, using: &random) == 0
                ? "P" : "S\(Int.random(in: 0..<stopCount, using: &random))"
        }
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            let type = Int.random(in: 0...3, using: &random)
            let seconds =
                type == 2 || Int.random(in: 0..<3, using: &random) == 0
                ? "\(Int.random(in: 0...10, using: &random) * 60)" : ""
            lines.append("\(stop()),\(stop()),\(type),\(seconds),,,,")
        }
        // Only every second feed has rules for routes and trips, so that both cases are tested.
        guard Bool.random(using: &random) else { return lines.joined(separator: "\n") }
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            func choice(_ letter: String, _ count: Int) -> String {
                Bool.random(using: &random)
                    ? "\(letter)\(Int.random(in: 0..<count, using: &random))" : ""
            }
            let type = Int.random(in: 1...3, using: &random)
            let seconds = type == 2 ? "\(Int.random(in: 0...10, using: &random) * 60)" : ""
            let trip = Int.random(in: 0..<3, using: &random) == 0
            lines.append(
                "\(stop()),\(stop()),\(type),\(seconds),\(choice("R", routeCount)),"
                    + "\(choice("R", routeCount)),\(trip ? choice("T", tripCount) : ""),"
                    + "\(trip ? choice("T", tripCount) : "")"
            )
        }
        let from = Int.random(in: 0..<tripCount, using: &random)
        let to = Int.random(in: 0..<tripCount, using: &random)
        lines.append(",,5,,,,T\(from),T\(to)")
        return lines.joined(separator: "\n")
    }

    private static func time(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(seconds / 3_600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }
}
