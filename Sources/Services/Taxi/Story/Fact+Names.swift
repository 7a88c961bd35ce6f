extension Fact {
    /// The codes of the taxis that the fact names.
    package var taxis: [String] {
        switch self {
        case .offered(let taxi, _, _, _, let passed): [taxi] + passed.map(\.taxi)
        case .shown(let taxi), .renewed(let taxi, _), .declined(let taxi, _),
            .accepted(let taxi), .assigned(let taxi, _), .reached(let taxi),
            .wrongCode(let taxi), .boarded(let taxi, _), .arrived(let taxi), .stated(let taxi),
            .givenBack(let taxi, _, _):
            [taxi]
        default: []
        }
    }

    /// Returns the fact with other names of taxis and zones.
    ///
    /// The log contains pseudonyms of taxis (decision 0017) and codes of zones; people know the
    /// city's codes of taxis and the names of zones.
    ///
    /// - Parameters:
    ///   - name: returns the public code of a taxi.
    ///   - called: returns the name of a zone.
    /// - Returns: the same fact with the new names.
    package func naming(
        _ name: (String) -> String,
        zone called: (String) -> String = { $0 }
    ) -> Fact {
        switch self {
        case .asked(let zone, let needs, let isShared):
            .asked(zone: called(zone), needs, isShared: isShared)
        case .booked(let zone, let needs, let due, let first):
            .booked(zone: called(zone), needs, due: due, firstTry: first)
        case .offered(let taxi, let rule, let place, let deadline, let passed):
            .offered(
                taxi: name(taxi),
                rule,
                place: place,
                deadline: deadline,
                passed: passed.map { driver in
                    var reason = driver.reason
                    if case .elsewhere(let zone) = reason {
                        reason = .elsewhere(zone: called(zone))
                    } else if case .nearer(let zone) = reason {
                        reason = .nearer(zone: called(zone))
                    }
                    return Passed(taxi: name(driver.taxi), reason: reason)
                }
            )
        case .shown(let taxi): .shown(taxi: name(taxi))
        case .renewed(let taxi, let deadline): .renewed(taxi: name(taxi), deadline: deadline)
        case .declined(let taxi, let outcome): .declined(taxi: name(taxi), outcome)
        case .accepted(let taxi): .accepted(taxi: name(taxi))
        case .assigned(let taxi, let reason): .assigned(taxi: name(taxi), reason: reason)
        case .reached(let taxi): .reached(taxi: name(taxi))
        case .wrongCode(let taxi): .wrongCode(taxi: name(taxi))
        case .boarded(let taxi, let count): .boarded(taxi: name(taxi), count)
        case .arrived(let taxi): .arrived(taxi: name(taxi))
        case .stated(let taxi): .stated(taxi: name(taxi))
        case .givenBack(let taxi, let cause, let reason):
            .givenBack(taxi: name(taxi), cause, reason: reason)
        default: self
        }
    }
}
