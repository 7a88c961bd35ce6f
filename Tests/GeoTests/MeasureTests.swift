import Foundation
import Geo
import SeededRandom
import TestSupport
import Testing

@Suite("Distances, bearings, planes")
struct MeasureTests {
    @Test("sine, cosine and arc tangent are those of the system to 1e-15")
    func trigonometry() {
        var random = SeededRandom(seed: 61)
        for _ in 0..<Effort.instances(200_000) {
            let angle = Double.random(in: -13...13, using: &random)
            #expect((Trigonometry.sine(angle) - sin(angle)).magnitude < 1e-15)
            #expect((Trigonometry.cosine(angle) - cos(angle)).magnitude < 1e-15)
            let x = Double.random(in: -1...1, using: &random)
            let y = Double.random(in: -1...1, using: &random)
            #expect((Trigonometry.angle(y: y, x: x) - atan2(y, x)).magnitude < 1e-15)
        }
        #expect(Trigonometry.sine(0) == 0)
        #expect(Trigonometry.cosine(0) == 1)
        #expect(Trigonometry.angle(y: 0, x: 0) == 0)
        #expect(Trigonometry.angle(y: 0, x: -1) == .pi)
        #expect(Trigonometry.angle(y: 1, x: 0) == .pi / 2)
        #expect(Trigonometry.sine(.infinity).isNaN && Trigonometry.cosine(.nan).isNaN)
        #expect(Trigonometry.sine(1e300).isNaN)
    }

    @Test("known distances and bearings come out")
    func known() throws {
        func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
            try #require(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
        }
        let pole = try place(90, 0)
        let origin = try place(0, 0)
        let quarter = earthRadiusMetres * .pi / 2
        #expect((origin.distanceMetres(to: pole) - quarter).magnitude < 1e-6)
        #expect((origin.distanceMetres(to: try place(0, 180)) - 2 * quarter).magnitude < 1e-6)
        #expect((try place(0, -179)).distanceMetres(to: try place(0, 179)) < 222_400)
        // Nashville airport to Los Angeles airport, a common example of the haversine formula:
        // 2886.44444283798 km on a sphere of 6371 km.
        let nashville = try place(36.12, -86.67)
        let losAngeles = try place(33.94, -118.40)
        let expected = 2_886_444.44283798 / 6_371_000 * earthRadiusMetres
        #expect((nashville.distanceMetres(to: losAngeles) - expected).magnitude < 1e-3)
        #expect(nashville.distanceMetres(to: nashville) == 0)
        #expect(origin.bearingDegrees(to: pole) == 0)
        #expect((origin.bearingDegrees(to: try place(0, 10)) - 90).magnitude < 1e-12)
        #expect((origin.bearingDegrees(to: try place(-10, 0)) - 180).magnitude < 1e-12)
        #expect((origin.bearingDegrees(to: try place(0, -10)) - 270).magnitude < 1e-12)
    }

    @Test("distances and bearings are those of the textbook formulae")
    func textbook() {
        var random = SeededRandom(seed: 62)
        for _ in 0..<Effort.instances(20_000) {
            let first = random.placeOnEarth()
            let second = random.placeOnEarth()
            let (phi1, phi2) = (
                first.latitudeDegrees * .pi / 180, second.latitudeDegrees * .pi / 180
            )
            let lambda = (second.longitudeDegrees - first.longitudeDegrees) * .pi / 180
            let x = cos(phi1) * sin(phi2) - sin(phi1) * cos(phi2) * cos(lambda)
            let y = cos(phi2) * sin(lambda)
            let z = sin(phi1) * sin(phi2) + cos(phi1) * cos(phi2) * cos(lambda)
            let expected = earthRadiusMetres * atan2(hypot(x, y), z)
            #expect((first.distanceMetres(to: second) - expected).magnitude < 0.2)
            #expect(first.distanceMetres(to: second) == second.distanceMetres(to: first))
            let bearing = first.bearingDegrees(to: second)
            #expect(0..<360 ~= bearing)
            let difference = (bearing - atan2(y, x) * 180 / .pi).magnitude
            #expect(min(difference, (difference - 360).magnitude) < 1e-6)
        }
    }

    @Test("the plane is as exact as it says, at the latitude of Milan")
    func plane() {
        let origin = Coordinate(latitude: 454_640_000, longitude: 91_900_000)
        let plane = LocalPlane(at: origin)
        var random = SeededRandom(seed: 63)
        for (reach, tolerance) in [(6_000.0, 0.001), (30_000.0, 0.005)] {
            for _ in 0..<Effort.instances(5_000) {
                let places = (0..<2).map { _ in
                    plane.place(
                        east: Double.random(in: -reach...reach, using: &random),
                        north: Double.random(in: -reach...reach, using: &random)
                    )
                }
                let exact = places[0].distanceMetres(to: places[1])
                let flat = plane.distanceMetres(places[0], places[1])
                #expect((flat - exact).magnitude <= exact * tolerance + 0.01)
                let (east, north) = plane.project(places[0])
                #expect(plane.place(east: east, north: north) == places[0])
            }
        }
    }

    @Test("the foot point is the nearest of many points of the line")
    func footPoints() {
        var random = SeededRandom(seed: 64)
        for _ in 0..<Effort.instances(2_000) {
            let line = (0..<Int(random.number(1...6))).map { _ in
                random.place(450_000_000...450_010_000)
            }
            let place = random.place(449_995_000...450_015_000)
            let plane = LocalPlane(at: place)
            guard let foot = plane.footPoint(of: place, on: line) else { continue }
            var best = line.map { plane.distanceMetres($0, place) }.min() ?? 0
            for (start, end) in zip(line, line.dropFirst()) {
                let (x1, y1) = plane.project(start)
                let (x2, y2) = plane.project(end)
                for step in 0...50 {
                    let t = Double(step) / 50
                    best = min(best, hypot(x1 + t * (x2 - x1), y1 + t * (y2 - y1)))
                }
            }
            #expect(foot.metres <= best + 1e-9)
            #expect(foot.metres >= best - 8, "the sampled points are at most 8 m from the best")
            #expect((plane.distanceMetres(foot.place, place) - foot.metres).magnitude < 0.02)
            #expect((0...1).contains(foot.fraction))
        }
        #expect(
            LocalPlane(at: Coordinate(latitude: 0, longitude: 0)).footPoint(
                of: Coordinate(latitude: 0, longitude: 0),
                on: []
            ) == nil
        )
    }

    @Test("degrees become fixed-point numbers, and what are no degrees is refused")
    func degrees() {
        let place = Coordinate(latitudeDegrees: 45.4640976, longitudeDegrees: -9.1919265)
        #expect(place == Coordinate(latitude: 454_640_976, longitude: -91_919_265))
        #expect(Coordinate(latitudeDegrees: 90.0000001, longitudeDegrees: 0) == nil)
        #expect(Coordinate(latitudeDegrees: 0, longitudeDegrees: -180.1) == nil)
        #expect(Coordinate(latitudeDegrees: .nan, longitudeDegrees: 0) == nil)
        #expect(Coordinate(latitudeDegrees: 0, longitudeDegrees: .infinity) == nil)
    }

    @Test("a box with a margin holds everything within the margin")
    func margins() {
        var random = SeededRandom(seed: 65)
        for _ in 0..<Effort.instances(5_000) {
            let place = random.placeOnEarth()
            var box = BoundingBox(place)
            box.extend(to: random.placeOnEarth())
            let metres = Double(random.number(0...50_000))
            let wide = box.expanded(byMetres: metres)
            let corner = Coordinate(latitude: box.north, longitude: box.west)
            let near = LocalPlane(at: corner).place(
                east: Double.random(in: -metres...metres, using: &random) * 0.7,
                north: Double.random(in: -metres...metres, using: &random) * 0.7
            )
            #expect(wide.contains(near), "\(box) \(metres)")
            #expect(wide.contains(place) && wide.meets(box) && box.meets(wide))
        }
        let box = BoundingBox(south: 5, west: 9, north: 1, east: 3)
        #expect(box == BoundingBox(south: 1, west: 3, north: 5, east: 9))
        #expect(box.centre == Coordinate(latitude: 3, longitude: 6))
        #expect(!box.meets(BoundingBox(south: 6, west: 3, north: 9, east: 9)))
        #expect(BoundingBox(around: [] as [Coordinate]) == nil)
    }
}
