/// The keys of OpenStreetMap that decide how a street may be used.
enum StreetKey: String, CaseIterable {
    case highway, railway, route, area, junction, service, construction, layer, level, indoor
    case publicTransport = "public_transport"
    case name, ref, duration, tunnel, bridge, covered, toll, lit, motorroad, conveying, segregated
    case access, vehicle, motorcar, bicycle, foot, psv, taxi, wheelchair
    case motorVehicle = "motor_vehicle"
    case accessForward = "access:forward"
    case accessBackward = "access:backward"
    case vehicleForward = "vehicle:forward"
    case vehicleBackward = "vehicle:backward"
    case motorVehicleForward = "motor_vehicle:forward"
    case motorVehicleBackward = "motor_vehicle:backward"
    case motorcarForward = "motorcar:forward"
    case motorcarBackward = "motorcar:backward"
    case bicycleForward = "bicycle:forward"
    case bicycleBackward = "bicycle:backward"
    case footForward = "foot:forward"
    case footBackward = "foot:backward"
    case psvForward = "psv:forward"
    case psvBackward = "psv:backward"
    case taxiForward = "taxi:forward"
    case taxiBackward = "taxi:backward"
    case oneway
    case onewayBicycle = "oneway:bicycle"
    case onewayPsv = "oneway:psv"
    case onewayTaxi = "oneway:taxi"
    case onewayFoot = "oneway:foot"
    case cycleway
    case cyclewayLeft = "cycleway:left"
    case cyclewayRight = "cycleway:right"
    case cyclewayBoth = "cycleway:both"
    case cyclewayLeftOneway = "cycleway:left:oneway"
    case cyclewayRightOneway = "cycleway:right:oneway"
    case cyclewayBothOneway = "cycleway:both:oneway"
    case busway
    case buswayLeft = "busway:left"
    case buswayRight = "busway:right"
    case zoneTraffic = "zone:traffic"
    case maxspeed
    case maxspeedForward = "maxspeed:forward"
    case maxspeedBackward = "maxspeed:backward"
    case maxspeedType = "maxspeed:type"
    case surface, smoothness, tracktype, incline, width
    case rampWheelchair = "ramp:wheelchair"
    case rampBicycle = "ramp:bicycle"
    case barrier, kerb, locked, bollard, crossing, direction, stop
    case signalsDirection = "traffic_signals:direction"
}

/// The values of OpenStreetMap that a rule asks for.
enum StreetWord: String, CaseIterable {
    /// The element has no such key.
    case absent = ""
    /// The value is one that no rule asks for.
    case other = "\u{0}"
    case yes, no, both, forward, backward, separate, none, up, down
    case minusOne = "-1"
    case zero = "0"
    case one = "1"
    case isTrue = "true"
    case isFalse = "false"
    case reversible, alternating, reverse
    // Access.
    case `private`, destination, customers, permit, residents, delivery, agricultural, forestry
    case designated, permissive, official, permitted, dismount, emergency, military, restricted
    case use_sidepath, psv, taxi, bus, limited, unknown, hov, `public`
    // Values of `highway` and other ways for pedestrians.
    case motorway, motorway_link, trunk, trunk_link, primary, primary_link, secondary
    case secondary_link, tertiary, tertiary_link, unclassified, road, residential
    case living_street, service, track, pedestrian, cycleway, footway, path, bridleway
    case corridor, steps, platform, elevator, ferry, busway, bus_guideway, crossing
    // Junctions, services, tunnels.
    case roundabout, circular, emergency_access, driveway, parking_aisle, alley
    case building_passage, arcade, colonnade, covered, avalanche_protector
    // Cycleways.
    case opposite, opposite_lane, opposite_track, opposite_share_busway, lane
    case shared_lane, share_busway
    // Surfaces.
    case asphalt, concrete, paved, paving_stones, sett, cobblestone, unhewn_cobblestone
    case compacted, fine_gravel, gravel, pebblestone, ground, dirt, earth, grass, grass_paver
    case unpaved, mud, sand, wood, metal, woodchips, rock
    case cobblestoneFlattened = "cobblestone:flattened"
    // Smoothness and track types.
    case excellent, good, intermediate, bad, very_bad, horrible, very_horrible, impassable
    case grade1, grade2, grade3, grade4, grade5
    // Barriers and other points.
    case gate, lift_gate, swing_gate, bollard, block, cycle_barrier, chain, kerb, turnstile, fence
    case full_height_turnstile = "full-height_turnstile"
    case stile, wall, hedge, ditch, debris, jersey_barrier, kissing_gate, rope, spikes, bus_trap
    case sump_buster, log, motorcycle_barrier, planter, barrier_board, city_wall
    case raised, lowered, flush, regular, rising, traffic_signals, give_way, minor
    case stop, level_crossing
}
