/// The words for the kinds of places in English, Italian and Portuguese.
extension PlaceKind {
    /// A part of a query that names kinds of places: "pharmacy", "ufficio postale".
    struct Phrase: Equatable {
        /// The positions of its words in the query.
        var range: Range<Int>
        /// The kinds that it may mean, one bit each.
        var kinds: UInt64
        /// How the last word was matched.
        var match: Match

        /// How the last word of a phrase was matched.
        enum Match { case whole, beginning, mistyped }
    }

    /// The kinds in a set of bits.
    static func kinds(in bits: UInt64) -> [PlaceKind] { allCases.filter { bits & $0.bit != 0 } }

    /// The least number of letters that count as the beginning of a word for a kind, or as such a
    /// word with a typing error.
    private static let leastBegun = 4
    private static let leastMistyped = 5

    /// The longest sequence of words that names kinds; of equally long ones the first.
    ///
    /// - Parameters:
    ///   - words: folded words.
    ///   - matches: how the last word may be matched, in order of preference.
    /// - Returns: nil if no words name a kind.
    static func phrase(in words: [[UInt8]], _ matches: [Phrase.Match]) -> Phrase? {
        for match in matches {
            let longest = match == .mistyped ? 1 : longestPhrase
            for length in stride(from: min(longest, words.count), to: 0, by: -1) {
                let first = match == .beginning ? words.count - length : 0
                for start in first...(words.count - length) {
                    let range = start..<start + length
                    let kinds = kinds(of: words[range], match)
                    if kinds != 0 { return Phrase(range: range, kinds: kinds, match: match) }
                }
            }
        }
        return nil
    }

    private static func kinds(of words: ArraySlice<[UInt8]>, _ match: Phrase.Match) -> UInt64 {
        let key = Array(words.joined(separator: [0x20]))
        switch match {
        case .whole: return phrases[key] ?? 0
        case .beginning:
            guard key.count >= leastBegun else { return 0 }
            // If several words are needed, the first one says too little: "cent" does not yet mean
            // "centro sportivo".
            return phrases.reduce(0) { bits, phrase in
                let isBegun =
                    phrase.key.starts(with: key)
                    && (words.count > 1 || !phrase.key.contains(0x20))
                return isBegun ? bits | phrase.value : bits
            }
        case .mistyped:
            guard words.count == 1, key.count >= leastMistyped else { return 0 }
            return phrases.reduce(0) { isOneErrorAway($1.key, key) ? $0 | $1.value : $0 }
        }
    }

    /// Whether adding, removing or replacing one letter, or swapping two neighbours, turns one word
    /// into the other.
    static func isOneErrorAway(_ word: [UInt8], _ other: [UInt8]) -> Bool {
        guard abs(word.count - other.count) <= 1, word != other else { return false }
        let start = zip(word, other).prefix { $0 == $1 }.count
        let (rest, otherRest) = (word[start...], other[start...])
        if word.count != other.count {
            return word.count > other.count
                ? rest.dropFirst() == otherRest : rest == otherRest.dropFirst()
        }
        if rest.dropFirst().elementsEqual(otherRest.dropFirst()) { return true }
        return rest.count > 1 && rest[start] == otherRest[start + 1]
            && rest[start + 1] == otherRest[start]
            && rest.dropFirst(2).elementsEqual(otherRest.dropFirst(2))
    }

    private static let longestPhrase =
        phrases.keys.map { key in
            key.count { $0 == 0x20 } + 1
        }.max() ?? 1

    /// The kinds of each phrase in its folded form.
    private static let phrases: [[UInt8]: UInt64] = {
        var phrases: [[UInt8]: UInt64] = [:]
        for (kinds, text) in texts {
            let bits = kinds.reduce(0) { $0 | $1.bit }
            for phrase in text.split(separator: ",") {
                phrases[AddressText.key(String(phrase)), default: 0] |= bits
            }
        }
        return phrases
    }()

    private static let texts: [([PlaceKind], String)] = [
        (
            [.station],
            "train station,railway station,stazione ferroviaria,stazione dei treni"
        ),
        ([.station, .metro], "station,stazione,staz,estacao,stn"),
        ([.metro, .station], "metro,metropolitana,underground,subway,metro station,tube"),
        ([.stop], "stop,bus stop,tram stop,fermata,paragem"),
        ([.airport], "airport,aeroporto,aerodrome"),
        ([.taxiRank], "taxi,taxi rank,taxi stand,posteggio taxi,stazione taxi,praca de taxis"),
        ([.parking], "parking,car park,parcheggio,posteggio,estacionamento"),
        (
            [.fuel],
            "petrol station,gas station,petrol,fuel,filling station,benzinaio,distributore,"
                + "stazione di servizio,posto de gasolina,bomba de gasolina"
        ),
        ([.chargingStation], "charging station,colonnina,ricarica elettrica"),
        ([.pharmacy], "pharmacy,pharmacies,chemist,drugstore,farmacia,farmacie,farmacias"),
        ([.doctor, .clinic], "doctor,doctors,gp,medico,medici,dottore,studio medico,medicos"),
        ([.dentist], "dentist,dentista,dentisti"),
        ([.hospital], "hospital,ospedale,ospedali,pronto soccorso,emergency room,hospitais"),
        ([.clinic, .doctor], "clinic,clinica,ambulatorio,poliambulatorio,health centre"),
        ([.veterinarian], "vet,veterinary,veterinarian,veterinario"),
        (
            [.supermarket],
            "supermarket,supermarkets,groceries,grocery,supermercato,supermercati,"
                + "alimentari,supermercado,mercearia,convenience store"
        ),
        (
            [.bakery],
            "bakery,panetteria,panificio,fornaio,panettiere,pasticceria,padaria,pastelaria"
        ),
        ([.greengrocer], "greengrocer,fruttivendolo,ortofrutta,frutaria"),
        ([.butcher], "butcher,macelleria,macellaio,talho"),
        ([.market], "market,mercato,mercado,marketplace"),
        (
            [.shoppingCentre],
            "shopping centre,shopping center,mall,department store,centro commerciale,"
                + "grande magazzino,centro comercial,shopping"
        ),
        (
            [
                .shop, .clothes, .bookshop, .hardware, .electronics, .supermarket, .bakery,
                .greengrocer, .butcher, .shoppingCentre, .florist, .optician,
            ], "shop,shops,store,negozio,negozi,loja"
        ),
        (
            [.clothes],
            "clothes,clothes shop,clothing,shoes,abbigliamento,vestiti,scarpe,roupa,sapatos"
        ),
        ([.hairdresser], "hairdresser,barber,parrucchiere,parrucchiera,barbiere,cabeleireiro"),
        ([.bookshop], "bookshop,bookstore,books,libreria,livraria"),
        ([.hardware], "hardware store,diy,ferramenta,fai da te,ferragens"),
        ([.electronics], "electronics,elettronica,computer,electronica"),
        ([.laundry], "laundry,dry cleaner,dry cleaners,lavanderia,tintoria"),
        ([.florist], "florist,fiorista,fioraio,florista"),
        ([.optician], "optician,ottico,oculista"),
        ([.cafe, .bar], "bar,bars"),
        ([.cafe], "cafe,coffee,coffee shop,caffe,caffetteria"),
        (
            [.restaurant],
            "restaurant,restaurants,ristorante,ristoranti,trattoria,pizzeria,osteria,restaurante"
        ),
        ([.fastFood], "fast food,takeaway,tavola calda"),
        ([.bar], "pub,pubs,birreria"),
        ([.iceCream], "ice cream,gelateria,gelato,gelataria"),
        ([.nightclub], "nightclub,club,discoteca"),
        ([.school], "school,scuola,scuole,escola"),
        (
            [.kindergarten],
            "kindergarten,nursery,asilo,asilo nido,scuola materna,jardim de infancia"
        ),
        ([.university], "university,universita,universidade,college"),
        ([.library], "library,biblioteca"),
        ([.bank], "bank,banca,banche,banco"),
        (
            [.cashMachine],
            "atm,cash machine,cash point,cashpoint,bancomat,prelievo,multibanco,"
                + "caixa automatico"
        ),
        ([.postOffice], "post office,post,ufficio postale,poste,posta,correios,posto dei correios"),
        ([.townHall], "town hall,city hall,municipio,comune,camara municipal"),
        ([.police], "police,police station,polizia,questura,carabinieri,policia"),
        (
            [.sportsCentre, .gym],
            "sports centre,sports center,leisure centre,centro sportivo,palestra,gym,fitness,"
                + "ginasio,pavilhao"
        ),
        ([.swimmingPool], "swimming pool,pool,piscina"),
        ([.stadium], "stadium,stadio,estadio"),
        ([.park], "park,parco,parchi,giardini,giardino,gardens,parque,jardim"),
        ([.playground], "playground,parco giochi,area giochi,parque infantil"),
        ([.cinema], "cinema,movie theatre,multisala"),
        ([.theatre], "theatre,theater,teatro"),
        ([.museum], "museum,museo,musei,museu"),
        ([.hotel], "hotel,hotels,albergo,hostel,ostello,guest house"),
        ([.placeOfWorship], "church,chiesa,igreja,mosque,moschea,synagogue,sinagoga"),
        ([.cemetery], "cemetery,cimitero,cemiterio"),
        ([.toilets], "toilet,toilets,wc,bagno pubblico,bagni pubblici"),
    ]
}
