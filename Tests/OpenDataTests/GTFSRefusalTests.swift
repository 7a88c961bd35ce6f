import Foundation
import OpenData
import SeededRandom
import TestSupport
import Testing

/// Issue 2, "How sure": broken and fuzzed feeds give a typed error that names file and field.
@Suite("What is refused in GTFS feeds, and what any bytes do")
struct GTFSRefusalTests {
    @Test("a missing file is named", arguments: GTFSSample.texts.keys.sorted())
    func missingFile(_ file: String) {
        let name = file == "calendar.txt" ? "calendar.txt or calendar_dates.txt" : file
        let texts = GTFSSample.replacing(file, with: nil)
        #expect(
            GTFSSample.failure(.texts(texts)) == .missingFile(feed: "sample", file: name)
        )
    }

    @Test(
        "a missing column is named",
        arguments: [
            ("agency.txt", "agency_timezone"), ("stops.txt", "stop_id"),
            ("routes.txt", "route_id"), ("routes.txt", "route_type"), ("trips.txt", "trip_id"),
            ("trips.txt", "route_id"), ("trips.txt", "service_id"),
            ("calendar.txt", "service_id"), ("calendar.txt", "wednesday"),
            ("calendar.txt", "end_date"), ("stop_times.txt", "trip_id"),
            ("stop_times.txt", "stop_id"), ("stop_times.txt", "stop_sequence"),
        ]
    )
    func missingColumn(file: String, column: String) {
        let text = GTFSSample.texts[file]?.replacingOccurrences(of: column, with: "other")
        #expect(
            GTFSSample.failure(.texts(GTFSSample.replacing(file, with: text)))
                == .missingColumn(feed: "sample", file: file, column: column)
        )
    }

    @Test(
        "a file without a usable row is named",
        arguments: ["agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt"]
    )
    func nothingUsable(_ file: String) {
        let header = GTFSSample.texts[file]?.split(separator: "\n").first.map(String.init)
        #expect(
            GTFSSample.failure(.texts(GTFSSample.replacing(file, with: header)))
                == .nothingUsable(feed: "sample", file: file)
        )
    }

    @Test("byte-order marks, CRLF, quotes, blank lines and spaces change nothing")
    func spellings() throws {
        let plain = try GTFSSample.read(GTFSSample.texts)
        for spell in [
            { "\u{FEFF}" + $0 }, { $0.replacingOccurrences(of: "\n", with: "\r\n") },
            { $0.replacingOccurrences(of: "\n", with: "\n\n") + "\n\n" },
            { $0.replacingOccurrences(of: ",", with: " , ") },
            {
                "\""
                    + $0.replacingOccurrences(of: ",", with: "\",\"")
                    .replacingOccurrences(of: "\n", with: "\"\n\"") + "\""
            },
        ] as [(String) -> String] {
            let result = try GTFSSample.read(GTFSSample.texts.mapValues(spell))
            #expect(result.feed.stops == plain.feed.stops)
            #expect(result.feed.routes == plain.feed.routes)
            var trips = result.feed.trips
            for trip in trips.indices { trips[trip].line = plain.feed.trips[trip].line }
            #expect(trips == plain.feed.trips)
            #expect(result.feed.stopTimes == plain.feed.stopTimes)
            #expect(result.feed.services == plain.feed.services)
            #expect(result.log.counts.isEmpty)
        }
    }

    @Test("quotes hold commas, quotes and line ends, and lines are counted through them")
    func quotedText() throws {
        let result = try GTFSSample.read(
            GTFSSample.adding(
                "S4,\"Via \"\"Roma\"\", 1\nsud\",45,9,0,\nS4,Again,45,9,0,",
                to: "stops.txt"
            )
        )
        #expect(result.feed.stops[3].name == "Via \"Roma\", 1\nsud")
        #expect(result.log.counts.map(\.example.line) == [7])
    }

    @Test("bytes that are no UTF-8 are read with replacement characters, and it is said")
    func wrongUTF8() throws {
        var files = GTFSSample.texts.mapValues { Array($0.utf8) }
        files["stops.txt", default: []] += Array("\nS4,Citt".utf8) + [0xE0] + Array(",45,9,0,".utf8)
        let result = try GTFSSample.withFile(GTFSSample.archive(files)) {
            try GTFSReader.read(.archive(path: $0), name: "sample")
        }
        #expect(result.feed.stops[3].name == "Citt\u{FFFD}")
        #expect(
            result.log.counts.map(\.example)
                == [Diagnostic(file: "stops.txt", line: 0, field: "", kind: .notUTF8)]
        )
    }

    @Test("a feed in a folder inside its archive is read, and it is said")
    func nestedFolder() throws {
        var files: [String: [UInt8]] = [:]
        for (name, text) in GTFSSample.texts { files["feed/" + name] = Array(text.utf8) }
        let result = try GTFSSample.withFile(GTFSSample.archive(files)) {
            try GTFSReader.read(.archive(path: $0), name: "sample")
        }
        #expect(result.feed.stops.count == 3)
        #expect(result.log.counts.map(\.example.kind) == [.nestedFolder])
    }

    @Test("a member that claims to unpack far is refused", arguments: [100_000_000, 4_000_000_000])
    func zipBomb(size: UInt32) throws {
        var bytes = try GTFSSample.archive(GTFSSample.texts.mapValues { Array($0.utf8) })
        // The unpacked size is 22 bytes into a member's header and 24 into the directory's.
        for (mark, place) in [([0x50, 0x4B, 3, 4], 22), ([0x50, 0x4B, 1, 2], 24)]
            as [([UInt8], Int)]
        {
            for start in bytes.indices.dropLast(30)
            where bytes[start..<(start + 4)].elementsEqual(mark) {
                for byte in 0..<4 {
                    bytes[start + place + byte] = UInt8(
                        truncatingIfNeeded: size >> (8 * UInt32(byte))
                    )
                }
            }
        }
        try GTFSSample.withFile(bytes) { path in
            let failure = GTFSSample.failure(.archive(path: path))
            #expect(failure == .archive(.tooLarge(path: path, member: "agency.txt")))
        }
    }

    @Test("an archive cut anywhere or with any byte changed is refused or read, never a trap")
    func damagedArchives() throws {
        let bytes = try GTFSSample.archive(GTFSSample.texts.mapValues { Array($0.utf8) })
        var random = SeededRandom(seed: 3)
        for cut in stride(from: 0, to: bytes.count, by: 37) {
            try GTFSSample.withFile(Array(bytes.prefix(cut))) { path in
                #expect(GTFSSample.failure(.archive(path: path)) != nil, "cut at \(cut)")
            }
        }
        for _ in 0..<Effort.instances(500) {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                damaged[Int.random(in: bytes.indices, using: &random)] = .random(
                    in: 0...255,
                    using: &random
                )
            }
            try GTFSSample.withFile(damaged) { _ = GTFSSample.failure(.archive(path: $0)) }
        }
    }

    @Test("texts cut or changed anywhere are refused or read, never a trap")
    func damagedTexts() throws {
        var whole = GTFSSample.adding("T1,08:00:00,09:00:00,600", to: "frequencies.txt")
        whole["frequencies.txt"] =
            "trip_id,start_time,end_time,headway_secs\nT1,08:00:00,09:00:00,600"
        whole["calendar_dates.txt"] = "service_id,date,exception_type\nW,20141001,2"
        whole["transfers.txt"] =
            "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nS1,S2,2,60"
        whole["shapes.txt"] =
            "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nX,45,9,1\nX,46,9,2"
        whole["pathways.txt"] = "from_stop_id,to_stop_id,pathway_mode,length\nS1,S2,1,40"
        whole["levels.txt"] = "level_id,level_index\nL,-1"
        whole["fare_attributes.txt"] = "fare_id,price,currency_type\nF,1.50,EUR"
        let names = whole.keys.sorted()
        let marks = Array("0123456789,,\"\n\r:-+.eE \u{0}TSW\u{E0}".unicodeScalars)
        for seed in 0..<UInt64(Effort.instances(6_000)) {
            var random = SeededRandom(seed: seed)
            var texts = whole
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let name = names.randomElement(using: &random) ?? ""
                var scalars = Array((texts[name] ?? "").unicodeScalars)
                for _ in 0..<Int.random(in: 1...4, using: &random) where !scalars.isEmpty {
                    let place = Int.random(in: scalars.indices, using: &random)
                    let mark = marks.randomElement(using: &random) ?? "0"
                    switch Int.random(in: 0..<8, using: &random) {
                    case 0: scalars.removeLast(scalars.count - place)
                    case 1: scalars.remove(at: place)
                    case 2: scalars.insert(mark, at: place)
                    default: scalars[place] = mark
                    }
                }
                var text = String.UnicodeScalarView()
                text.append(contentsOf: scalars)
                texts[name] = String(text)
            }
            _ = GTFSSample.failure(.texts(texts))
        }
    }
}
