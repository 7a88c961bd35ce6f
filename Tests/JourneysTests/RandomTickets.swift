import SeededRandom

/// Random fares for a random feed, of either version of the standard.
enum RandomTickets {
    /// A feed with fares.
    ///
    /// Vehicles that riders stay seated in are left out: there the reference would have to know how
    /// the timetable joins trips.
    static func withFares(
        _ texts: [String: String],
        _ random: inout SeededRandom
    ) -> [String: String] {
        var texts = texts
        texts["trips.txt"] = changed(texts["trips.txt"]) { row, number in
            if number > 0 { row[3] = "" }
        }
        // In-seat transfers are of type 4 and 5.
        let transfers = (texts["transfers.txt"] ?? "").split(separator: "\n")
        texts["transfers.txt"] = transfers.filter { !$0.hasPrefix(",,5") && !$0.hasPrefix(",,4") }
            .joined(separator: "\n")
        let routes = rows(texts["routes.txt"]).dropFirst().map { $0[0] }
        let stops = rows(texts["stops.txt"]).dropFirst().map { $0[0] }
        if random.below(2) == 0 {
            addZones(routes, &texts, &random)
        } else {
            addLegs(routes, stops, &texts, &random)
        }
        return texts
    }

    private static func rows(_ text: String?) -> [[String]] {
        (text ?? "").split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }

    private static func changed(_ text: String?, _ change: (inout [String], Int) -> Void) -> String
    {
        rows(text).enumerated().map { number, row in
            var row = row
            change(&row, number)
            return row.joined(separator: ",")
        }.joined(separator: "\n")
    }

    private static func price(_ random: inout SeededRandom) -> String {
        "\(random.below(5)).\(random.below(10))0"
    }

    // MARK: Fares v1

    private static func addZones(
        _ routes: [String],
        _ texts: inout [String: String],
        _ random: inout SeededRandom
    ) {
        texts["stops.txt"] = changed(texts["stops.txt"]) { row, number in
            row.append(number == 0 ? "zone_id" : random.below(6) == 0 ? "" : "Z\(random.below(3))")
        }
        var attributes = [
            "fare_id,price,currency_type,payment_method,transfers,transfer_duration"
        ]
        var rules = ["fare_id,route_id,origin_id,destination_id,contains_id"]
        func maybe(_ name: String) -> String { random.below(5) < 2 ? name : "" }
        for fare in 0..<(2 + random.below(4)) {
            let transfers = ["0", "1", "2", ""][random.below(4)]
            let seconds = random.below(2) == 0 ? "\(600 * (1 + random.below(12)))" : ""
            attributes.append("F\(fare),\(price(&random)),EUR,1,\(transfers),\(seconds)")
            for _ in 0..<random.below(4) {
                let route = maybe(routes[random.below(routes.count)])
                let origin = maybe("Z\(random.below(3))")
                let destination = maybe("Z\(random.below(3))")
                let contained = random.below(4) == 0 ? "Z\(random.below(3))" : ""
                rules.append("F\(fare),\(route),\(origin),\(destination),\(contained)")
            }
        }
        texts["fare_attributes.txt"] = attributes.joined(separator: "\n")
        texts["fare_rules.txt"] = rules.joined(separator: "\n")
    }

    // MARK: Fares v2

    private static func addLegs(
        _ routes: [String],
        _ stops: [String],
        _ texts: inout [String: String],
        _ random: inout SeededRandom
    ) {
        func maybe(_ chance: Int, _ name: String, _ count: Int) -> String {
            random.below(10) < chance ? "\(name)\(random.below(count))" : ""
        }
        texts["networks.txt"] = "network_id\nN0\nN1"
        texts["route_networks.txt"] =
            "network_id,route_id\n"
            + routes.map { "N\(random.below(2)),\($0)" }.joined(separator: "\n")
        texts["areas.txt"] = "area_id\nA0\nA1"
        texts["stop_areas.txt"] =
            "area_id,stop_id\n"
            + stops.filter { _ in random.below(2) == 0 }.map { "A\(random.below(2)),\($0)" }
            .joined(separator: "\n")
        texts["timeframes.txt"] =
            "timeframe_group_id,start_time,end_time,service_id\n"
            + "T0,06:00:00,12:00:00,D\nT1,10:00:00,24:00:00,D"
        texts["fare_products.txt"] =
            "fare_product_id,amount,currency\nP0,\(price(&random)),EUR\nP1,\(price(&random)),EUR\n"
            + "P2,\(price(&random)),EUR\nP3,-0.50,EUR"
        let usesTimes = random.below(3) == 0
        var legs = [
            "leg_group_id,network_id,from_area_id,to_area_id,from_timeframe_group_id,"
                + "to_timeframe_group_id,fare_product_id"
        ]
        for _ in 0...random.below(5) {
            let frames = usesTimes ? "\(maybe(3, "T", 2)),\(maybe(2, "T", 2))" : ","
            legs.append(
                "\(maybe(8, "G", 2)),\(maybe(4, "N", 2)),\(maybe(3, "A", 2)),\(maybe(3, "A", 2)),"
                    + "\(frames),P\(random.below(3))"
            )
        }
        var transfers = [
            "from_leg_group_id,to_leg_group_id,transfer_count,duration_limit,"
                + "duration_limit_type,fare_transfer_type,fare_product_id"
        ]
        for _ in 0..<random.below(5) {
            let from = maybe(9, "G", 2)
            let to = random.below(2) == 0 ? from : maybe(9, "G", 2)
            let count = from == to && !from.isEmpty ? ["-1", "1", "2"][random.below(3)] : ""
            let isTimed = random.below(2) == 0
            let seconds = isTimed ? "\(600 * (1 + random.below(9))),\(random.below(4))" : ","
            transfers.append(
                "\(from),\(to),\(count),\(seconds),\(random.below(3)),\(maybe(5, "P", 4))"
            )
        }
        texts["fare_leg_rules.txt"] = legs.joined(separator: "\n")
        texts["fare_transfer_rules.txt"] = transfers.joined(separator: "\n")
        if random.below(3) == 0 {
            texts["fare_leg_join_rules.txt"] =
                "from_network_id,to_network_id\nN\(random.below(2)),N\(random.below(2))"
        }
    }
}
