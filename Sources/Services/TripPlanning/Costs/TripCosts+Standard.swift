extension TripCosts {
    /// The values that hold where a city states none.
    ///
    /// The factors of public transport and of the taxi are per passenger, that of the car is per
    /// vehicle. Means without a row are unknown: no published value was at hand.
    package static let standard: TripCosts = {
        do throws(TripCostsFailure) {
            return try TripCostsReader.costs(Array(standardTable.utf8))
        } catch {
            preconditionFailure("the standard table of costs is valid: \(error)")
        }
    }()

    /// The table in the form of a city's own file.
    package static let standardTable = """
        key,value,unit,scope,source,year
        walk,0,g/km,tank-to-wheel,no engine,2024
        bicycle,0,g/km,tank-to-wheel,no engine,2024
        car,170,g/km,tank-to-wheel,UK government conversion factors: average petrol car,2024
        taxi,149,g/km,tank-to-wheel,UK government conversion factors: regular taxi,2024
        tram,28,g/km,tank-to-wheel,UK government conversion factors: light rail and tram,2024
        metro,28,g/km,tank-to-wheel,UK government conversion factors: London Underground,2024
        bus,97,g/km,tank-to-wheel,UK government conversion factors: average local bus,2024
        rail,35.49,g/km,tank-to-wheel,UK government conversion factors: national rail,2024
        car-consumption,6.0,l/100km,,"IEA, Fuel economy in the European Union: new cars",2019
        fuel-price,1.743,EUR/l,,"MIMIT: petrol in Italy, 16 to 22 September, self-service",2024

        """
}
