import Testing

@testable import OpenData

/// Issue 33, "Tickets": the files of fares v1 and v2, and what is wrong with them.
@Suite("Fares of a feed")
struct GTFSFareTests {
    private static func read(_ files: [String: String]) throws -> (GTFSFares, [String]) {
        let texts = GTFSSample.texts.merging(files) { _, new in new }
        let result = try GTFSSample.read(texts)
        let notes = result.log.counts.map(\.example).map {
            "\($0.file):\($0.line) \($0.field) \($0.kind)"
        }
        return (result.feed.fares, notes)
    }

    @Test("fares v1: prices in minor units, rules by route and zones, rows that name nothing noted")
    func zones() throws {
        let (fares, notes) = try Self.read([
            "fare_attributes.txt": """
            fare_id,price,currency_type,payment_method,transfers,transfer_duration,agency_id
            single,1.4,EUR,1,0,,A
            hour,2.755,EUR,1,,3600,
            yen,210,JPY,1,1,0,
            minus,-1,EUR,0,,,
            euro,1,euro,0,,,
            """,
            "fare_rules.txt": """
            fare_id,route_id,origin_id,destination_id,contains_id
            single,R1,,,
            single,X,,,
            single,,,,2
            lost,R1,,,
            """,
        ])
        #expect(
            notes == [
                "fare_attributes.txt:3 price badValue",
                "fare_attributes.txt:6 currency_type badValue",
                "fare_rules.txt:3 route_id unknownReference",
                "fare_rules.txt:5 fare_id unknownReference",
            ]
        )
        #expect(fares.products.map(\.id) == ["single", "yen"])
        #expect(fares.products.map(\.prices.first?.minorUnits) == [140, 210])
        #expect(fares.currencies.map(\.code) == ["EUR", "JPY"])
        #expect(fares.products.map(\.transfers) == [0, 1])
        #expect(fares.products.map(\.seconds) == [nil, nil])
        #expect(fares.products.map(\.agency) == [0, nil])
        #expect(fares.zoneRules.map(\.route) == [0, -1, -1])
        #expect(fares.zoneRules.map { fares.zones[Int($0.contains)] } == ["", "2", ""])
        // A fare without rules is good everywhere.
        #expect(fares.zoneRules.map(\.product) == [0, 0, 1])
    }

    @Test("fares v2: rules refer to what is there, stations hand areas on to their platforms")
    func products() throws {
        let (fares, notes) = try Self.read([
            "stops.txt": """
            stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
            S1,Alba,45.00,9.00,0,P
            S2,Borgo,45.01,9.00,0,P
            S3,Corte,45.02,9.00,0,
            P,Piazza,45.02,9.00,1,
            """,
            "routes.txt": "route_id,route_short_name,route_type,network_id\nR1,1,3,bus",
            "rider_categories.txt": """
            rider_category_id,rider_category_name,is_default_fare_category
            adult,Adult,1
            child,Child,0
            """,
            "fare_products.txt": """
            fare_product_id,fare_product_name,rider_category_id,fare_media_id,amount,currency
            one,One ride,adult,,2.00,EUR
            one,One ride,child,,1.00,EUR
            one,One ride,dog,,0.50,EUR
            less,Discount,,,-0.50,EUR
            """,
            "areas.txt": "area_id,area_name\nin,In\nout,Out",
            "stop_areas.txt": "area_id,stop_id\nin,P\nout,S2\nout,S9",
            "timeframes.txt": """
            timeframe_group_id,start_time,end_time,service_id
            early,00:00:00,07:00:00,W
            all,,,W
            """,
            "fare_leg_rules.txt": """
            leg_group_id,network_id,from_area_id,from_timeframe_group_id,\
            fare_product_id,rule_priority
            bus,bus,in,early,one,2
            bus,ferry,,,one,
            bus,,,,none,
            """,
            "fare_leg_join_rules.txt": "from_network_id,to_network_id,to_stop_id\nbus,bus,S3",
            "fare_transfer_rules.txt": """
            from_leg_group_id,to_leg_group_id,transfer_count,duration_limit,duration_limit_type,\
            fare_transfer_type,fare_product_id
            bus,bus,-1,5400,1,0,less
            bus,tram,,,,0,
            bus,bus,1,soon,1,0,
            """,
        ])
        #expect(
            notes == [
                "fare_products.txt:4 rider_category_id unknownReference",
                "stop_areas.txt:4 stop_id unknownReference",
                "fare_leg_rules.txt:3 network_id unknownReference",
                "fare_leg_rules.txt:4 fare_product_id unknownReference",
                "fare_transfer_rules.txt:3 to_leg_group_id unknownReference",
                "fare_transfer_rules.txt:4 duration_limit badOptionalValue",
            ]
        )
        #expect(fares.products.map(\.id) == ["one", "less"])
        #expect(fares.products[0].prices.map(\.minorUnits) == [200, 100])
        #expect(fares.products[0].prices.map(\.category) == [0, 1])
        #expect(fares.products[1].prices.map(\.minorUnits) == [-50])
        #expect(fares.stopAreas == [[1], [2], [], [1]])
        #expect(fares.routeNetworks == [1])
        #expect(fares.frames.map(\.end) == [25_200, 86_400])
        #expect(fares.isRanked && fares.legRules.count == 1)
        #expect(fares.legRules.first?.priority == 2 && fares.legRules.first?.from == 1)
        #expect(fares.joins.map(\.toStop) == [2] && fares.joins.map(\.fromStop) == [nil])
        #expect(fares.transfers.map(\.count) == [-1])
        #expect(fares.transfers.map(\.seconds) == [5_400])
        #expect(fares.transfers.map(\.product) == [1])
    }

    @Test("a file without a required column is left out, and the feed stays usable")
    func missingColumn() throws {
        let (fares, notes) = try Self.read([
            "fare_attributes.txt": "fare_id,price\nsingle,1.40",
            "areas.txt": "area_id\nin",
        ])
        #expect(fares == GTFSFares())
        #expect(notes == ["fare_attributes.txt:1 currency_type missingColumn"])
    }

    @Test(
        "amounts are read exactly",
        arguments: [
            ("1.40", 2, 140), ("3.2", 2, 320), ("7", 2, 700), ("210", 0, 210), ("2.750", 3, 2_750),
            ("2.7500", 2, 275), (".5", 2, 50), ("-0.50", 2, -50), ("0", 2, 0), ("2.755", 2, nil),
            ("210.5", 0, nil), ("", 2, nil), (".", 2, nil), ("1,40", 2, nil), ("1e2", 2, nil),
            ("--1", 2, nil), ("9999999999", 2, nil), ("1.2.3", 2, nil),
        ] as [(String, Int, Int64?)]
    )
    func amounts(text: String, digits: Int, expected: Int64?) {
        #expect(CurrencyText.minorUnits(Array(text.utf8)[...], digits: digits) == expected)
    }
}
