import Geo
import SeededRandom
import TestSupport
import Testing

@Suite("Polylines")
struct PolylineTests {
    @Test("Google's example is encoded and decoded")
    func googleExample() throws {
        let line = [
            Coordinate(latitude: 385_000_000, longitude: -1_202_000_000),
            Coordinate(latitude: 407_000_000, longitude: -1_209_500_000),
            Coordinate(latitude: 432_520_000, longitude: -1_264_530_000),
        ]
        let text = "_p~iF~ps|U_ulLnnqC_mqNvxq`@"
        #expect(Polyline.encoded(line, precision: .five) == text)
        #expect(try Polyline.decoded(text, precision: .five) == line)
        #expect(Polyline.encoded([], precision: .five).isEmpty)
        #expect(try Polyline.decoded("", precision: .six).isEmpty)
    }

    @Test("what is decoded is what was encoded, to the precision", arguments: [100, 10] as [Int64])
    func roundTrip(units: Int64) throws {
        let precision = try #require(Polyline.Precision(rawValue: units))
        var random = SeededRandom(seed: 51)
        for _ in 0..<Effort.instances(500) {
            let line = (0..<20).map { _ in random.placeOnEarth() }
            let text = Polyline.encoded(line, precision: precision)
            let back = try Polyline.decoded(text, precision: precision)
            #expect(back.count == line.count)
            for (place, original) in zip(back, line) {
                let north = Int64(place.latitude) - Int64(original.latitude)
                let east = Int64(place.longitude) - Int64(original.longitude)
                #expect(abs(north) <= units / 2 && abs(east) <= units / 2)
            }
            #expect(Polyline.encoded(back, precision: precision) == text)
        }
    }

    @Test("halves are rounded away from zero on both sides")
    func halves() {
        let line = [Coordinate(latitude: 50, longitude: -50)]
        #expect(Polyline.encoded(line, precision: .five) == "A@")
    }

    @Test("broken texts give typed errors")
    func broken() {
        typealias Failure = Polyline.DecodingFailure
        func decode(_ text: String) throws(Failure) {
            _ = try Polyline.decoded(text, precision: .five)
        }
        #expect(throws: Failure.truncated) { try decode("_p~iF") }
        #expect(throws: Failure.truncated) { try decode("_p~iF~ps|") }
        #expect(throws: Failure.unexpectedByte(0x20, position: 2)) { try decode("_p iF") }
        #expect(throws: Failure.unexpectedByte(0xC3, position: 0)) { try decode("è") }
        #expect(throws: Failure.numberTooLong(position: 0)) { try decode("~~~~~~~~~~") }
        #expect(throws: Failure.offEarth(point: 0)) { try decode("~~~~~~A?") }
    }

    @Test("random texts never trap")
    func fuzzed() {
        var random = SeededRandom(seed: 52)
        var good = 0
        for _ in 0..<Effort.instances(20_000) {
            let length = Int(random.number(0...12))
            let bytes = (0..<length).map { _ in UInt8(random.number(60...127)) }
            let text = String(decoding: bytes, as: UTF8.self)
            if (try? Polyline.decoded(text, precision: .five)) != nil { good += 1 }
        }
        #expect(good > 0)
    }

    @Test("a simplified line keeps its ends, and drops nothing farther than the tolerance")
    func simplified() {
        var random = SeededRandom(seed: 53)
        for _ in 0..<Effort.instances(500) {
            var line = [random.place(450_000_000...450_100_000)]
            for _ in 0..<Int(random.number(0...60)) {
                let last = line[line.count - 1]
                line.append(
                    Coordinate(
                        latitude: last.latitude + random.number(-2_000...2_000),
                        longitude: last.longitude + random.number(-2_000...4_000)
                    )
                )
            }
            if random.number(0...3) == 0 { line.append(line[0]) }
            let tolerance = Double(random.number(0...60))
            let short = Polyline.simplified(line, toleranceMetres: tolerance)
            #expect(short.first == line.first && short.last == line.last)
            let plane = LocalPlane(at: line[0])
            var rest = line[...]
            for place in short {
                let cut = rest.firstIndex(of: place)
                #expect(cut != nil, "its places are those of the line, in order")
                rest = rest[(cut ?? rest.startIndex)...]
            }
            for place in line {
                let metres = plane.footPoint(of: place, on: short)?.metres ?? .infinity
                #expect(metres <= tolerance * 1.001 + 0.01)
            }
        }
    }

    @Test("a straight line is simplified to its ends, however long")
    func straight() {
        let line = (0..<100_000).map { Coordinate(latitude: $0 * 10, longitude: $0 * 20) }
        #expect(Polyline.simplified(line, toleranceMetres: 0.01) == [line[0], line[99_999]])
        let zigzag = line.indices.map { index in
            Coordinate(latitude: index.isMultiple(of: 2) ? 0 : 9, longitude: Int32(index) * 20)
        }
        #expect(Polyline.simplified(zigzag, toleranceMetres: 5).count == 2)
    }

    @Test("lengths add up")
    func length() {
        let line = [0, 10_000_000, 20_000_000].map { Coordinate(latitude: $0, longitude: 0) }
        let degree = earthRadiusMetres * Trigonometry.pi / 180
        #expect((Polyline.metres(line) - 2 * degree).magnitude < 1e-6)
        #expect(Polyline.metres([line[0]]) == 0)
        #expect(Polyline.metres([]) == 0)
    }
}
