package import CityData
package import Localization

extension PlaceKind {
    /// The name of the kind, in the singular.
    package var text: Text {
        switch self {
        case .station: PlaceKindTexts.station
        case .metro: PlaceKindTexts.metro
        case .stop: PlaceKindTexts.stop
        case .airport: PlaceKindTexts.airport
        case .taxiRank: PlaceKindTexts.taxiRank
        case .parking: PlaceKindTexts.parking
        case .fuel: PlaceKindTexts.fuel
        case .chargingStation: PlaceKindTexts.chargingStation
        case .pharmacy: PlaceKindTexts.pharmacy
        case .doctor: PlaceKindTexts.doctor
        case .dentist: PlaceKindTexts.dentist
        case .hospital: PlaceKindTexts.hospital
        case .clinic: PlaceKindTexts.clinic
        case .veterinarian: PlaceKindTexts.veterinarian
        case .supermarket: PlaceKindTexts.supermarket
        case .bakery: PlaceKindTexts.bakery
        case .greengrocer: PlaceKindTexts.greengrocer
        case .butcher: PlaceKindTexts.butcher
        case .market: PlaceKindTexts.market
        case .shoppingCentre: PlaceKindTexts.shoppingCentre
        case .shop: PlaceKindTexts.shop
        case .clothes: PlaceKindTexts.clothes
        case .hairdresser: PlaceKindTexts.hairdresser
        case .bookshop: PlaceKindTexts.bookshop
        case .hardware: PlaceKindTexts.hardware
        case .electronics: PlaceKindTexts.electronics
        case .laundry: PlaceKindTexts.laundry
        case .florist: PlaceKindTexts.florist
        case .optician: PlaceKindTexts.optician
        case .cafe: PlaceKindTexts.cafe
        case .restaurant: PlaceKindTexts.restaurant
        case .fastFood: PlaceKindTexts.fastFood
        case .bar: PlaceKindTexts.bar
        case .iceCream: PlaceKindTexts.iceCream
        case .nightclub: PlaceKindTexts.nightclub
        case .school: PlaceKindTexts.school
        case .kindergarten: PlaceKindTexts.kindergarten
        case .university: PlaceKindTexts.university
        case .library: PlaceKindTexts.library
        case .bank: PlaceKindTexts.bank
        case .cashMachine: PlaceKindTexts.cashMachine
        case .postOffice: PlaceKindTexts.postOffice
        case .townHall: PlaceKindTexts.townHall
        case .police: PlaceKindTexts.police
        case .sportsCentre: PlaceKindTexts.sportsCentre
        case .gym: PlaceKindTexts.gym
        case .swimmingPool: PlaceKindTexts.swimmingPool
        case .stadium: PlaceKindTexts.stadium
        case .park: PlaceKindTexts.park
        case .playground: PlaceKindTexts.playground
        case .cinema: PlaceKindTexts.cinema
        case .theatre: PlaceKindTexts.theatre
        case .museum: PlaceKindTexts.museum
        case .hotel: PlaceKindTexts.hotel
        case .placeOfWorship: PlaceKindTexts.placeOfWorship
        case .cemetery: PlaceKindTexts.cemetery
        case .toilets: PlaceKindTexts.toilets
        }
    }
}
