/// Draws stops, stations and tracks of the demo city into its map.
enum TransitMap {
    /// Adds the stops and stations of a plan of transport.
    static func drawStops(_ transit: TransitPlan, on map: inout MapDraft) {
        var modes = [TransitPlan.Mode?](repeating: nil, count: transit.stops.count)
        for line in transit.lines.reversed() {
            for direction in line.directions {
                for stop in direction.stops { modes[stop] = line.mode }
            }
        }
        for (index, stop) in transit.stops.enumerated() {
            switch (stop.locationType, modes[index]) {
            case (0, .bus):
                map.add(stop.place, tags: [("highway", "bus_stop"), ("name", stop.name)])
            case (0, .tram):
                map.add(stop.place, tags: [("railway", "tram_stop"), ("name", stop.name)])
            case (1, _):
                var tags = [("railway", "station"), ("name", stop.name)]
                if !stop.isRail { tags.append(("station", "subway")) }
                map.add(stop.place, tags: tags)
            case (2, _):
                map.add(stop.place, tags: [("railway", "subway_entrance"), ("name", stop.name)])
            default: break
            }
        }
    }

    /// Adds the tracks of railways, underground and trams.
    static func drawTracks(
        railways: [(polyline: [Point], isTunnel: Bool)],
        tunnels: [[Point]],
        tramways: [[StreetPlan.Step]],
        plan: StreetPlan,
        on map: inout MapDraft
    ) {
        for track in railways {
            for side in [-2.5, 2.5] {
                var tags = [("railway", "rail"), ("electrified", "contact_line")]
                if track.isTunnel { tags += [("tunnel", "yes"), ("layer", "-2")] }
                map.add(polyline: DemoPolyline.offset(track.polyline, by: side), tags: tags)
            }
        }
        for (index, tunnel) in tunnels.enumerated() {
            map.add(
                polyline: tunnel,
                tags: [
                    ("railway", "subway"), ("name", "M\(index + 1)"), ("tunnel", "yes"),
                    ("layer", "-3"),
                ]
            )
        }
        var drawn: Set<Int32> = []
        for tramway in tramways {
            var polyline: [Point] = []
            for step in tramway {
                if drawn.insert(step.stretch).inserted {
                    let piece = plan.polyline(of: step)
                    polyline += polyline.isEmpty ? piece : Array(piece.dropFirst())
                } else {
                    drawTramway(polyline, on: &map)
                    polyline = []
                }
            }
            drawTramway(polyline, on: &map)
        }
    }

    private static func drawTramway(_ polyline: [Point], on map: inout MapDraft) {
        guard polyline.count > 1 else { return }
        map.add(polyline: polyline, tags: [("railway", "tram")])
    }

    /// Adds a footway below the tracks at each station, between the streets on both sides.
    static func drawSubways(
        _ stations: [(stop: Int, place: Point)],
        plan: StreetPlan,
        streets: StreetMap,
        on map: inout MapDraft
    ) {
        for station in stations {
            var near: [(distance: Double, junction: Int32)] = []
            for junction in plan.junctions.indices where !plan.stars[junction].isEmpty {
                let distance = plan.junctions[junction].distance(to: station.place)
                if distance < 160 { near.append((distance, Int32(junction))) }
            }
            near.sort { ($0.distance, $0.junction) < ($1.distance, $1.junction) }
            guard let first = near.first else { continue }
            let side = plan.junctions[Int(first.junction)] - station.place
            let opposite = near.first {
                side.dot(plan.junctions[Int($0.junction)] - station.place) < -100
            }
            guard let opposite else { continue }
            map.add(
                way: [streets.places[Int(first.junction)], streets.places[Int(opposite.junction)]],
                tags: [
                    ("highway", "footway"), ("tunnel", "yes"), ("layer", "-1"), ("lit", "yes"),
                ]
            )
        }
    }
}
