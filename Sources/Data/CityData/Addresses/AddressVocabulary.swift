/// Knowledge about words in addresses, for all languages: synonyms, words that may be left out, and
/// words that only name a kind of street.
enum AddressVocabulary {
    /// The words that a word may stand for, itself first.
    ///
    /// A word for a kind of street does not match a single letter: "via" never means the Rua V.
    static func variants(_ word: [UInt8]) -> [[UInt8]] {
        guard let classes = table.classes[word] else { return [word] }
        let isGeneric = isGeneric(word)
        var result = [word]
        for number in classes {
            for other in table.members[number]
            where !result.contains(other) && (other.count > 1 || !isGeneric) {
                result.append(other)
            }
        }
        return result
    }

    /// Whether a word is an abbreviation, so that dots within it do not separate words.
    static func isAbbreviation(_ word: [UInt8]) -> Bool { table.classes[word] != nil }

    /// Whether a word may be left out of a name or added to it: articles, prepositions, initials,
    /// words before a number, and words for relative position.
    static func isOptional(_ word: [UInt8]) -> Bool {
        (word.count == 1 && !AddressText.isDigit(word[0])) || table.optional.contains(word)
    }

    /// Whether a word, or the word that it abbreviates, only names a kind of street.
    static func isGeneric(_ word: [UInt8]) -> Bool { table.generic.contains(word) }

    /// Whether a word is a number, however it is written: 20, xx, venti.
    ///
    /// Single letters do not count, since they are more often initials.
    static func isNumber(_ word: [UInt8]) -> Bool {
        table.numbers.contains(word) && (word.count > 1 || AddressText.isDigit(word[0]))
    }

    /// Whether a word names a kind of street in English, where the number comes first.
    static func isEnglishStreet(_ word: [UInt8]) -> Bool { table.english.contains(word) }

    /// Whether a word names a kind of street in a language where the number comes last.
    static func isRomanceStreet(_ word: [UInt8]) -> Bool { table.romance.contains(word) }

    /// Synonyms, one group per line.
    private static let synonyms = """
        via v
        viale vle
        corso cso
        piazza pza pzza
        piazzale ple pzle
        piazzetta ptta
        largo lgo
        vicolo vlo vic
        strada str
        stradone sne
        campo cpo
        contrada cda
        localita loc
        frazione fraz
        cascina cna
        fratelli flli
        fs ffss
        stazione staz station stn estacao
        fermata ferm
        ospedale osp hospital hosp
        centrale central
        porta pta
        ponte pte
        giardini giard
        san santa santo sant s ss saint st sto sta sao
        professor prof professore
        generale gen
        monsignor mons monsignore
        cardinale card
        dottor dott dr doutor
        engenheiro eng
        ingegner ing ingegnere
        street st str
        road rd
        avenue ave av
        drive dr drv
        lane ln
        court ct
        close cl
        crescent cres cresc
        gardens gdns gdn
        grove gr gro
        place pl
        square sq
        terrace ter terr
        park pk
        hill hl
        mount mt mtn
        north n
        south s
        east e
        west w
        boulevard blvd
        parkway pkwy
        highway hwy
        universita univ university universidade
        rua r
        avenida av avda
        travessa tv
        praca pc pca
        and e
        """
    private static let optionalText = """
        il lo la le gli i un di del dello della delle dei degli dell de da dal dalla al allo alla \
        alle ai agli all in nel nella su sul sulla e ed d l a the of and at on du des do das dos \
        n nr no num numero civico snc prima dopo fronte angolo altezza presso near opposite opp \
        vicino nearest any qualsiasi fs ffss fn fnm rfi mm m1 m2 m3 m4 m5 m6 perto
        """
    /// The numbers of dates and rulers in words, from 1 on; their numerals are computed.
    private static let numberText = """
        primo primeiro
        due dois
        tre tres
        quattro quatro
        cinque cinco
        sei seis
        sette sete
        otto oito
        nove
        dieci dez
        undici onze
        dodici doze
        tredici treze
        quattordici catorze
        quindici quinze
        sedici dezasseis
        diciassette
        diciotto dezoito
        diciannove
        venti vinte
        ventuno
        ventidue
        ventitre
        ventiquattro
        venticinque
        ventisei
        ventisette
        ventotto
        ventinove
        trenta trinta
        trentuno
        """
    private static let romanceText = """
        via viale corso piazza piazzale piazzetta largo vicolo strada stradone contrada rua \
        avenida travessa praca calle rue
        """
    private static let englishText = """
        street road avenue drive lane court close crescent gardens grove place square terrace \
        way walk row rise mews
        """

    private struct Table {
        var members: [[[UInt8]]] = []
        var classes: [[UInt8]: [Int]] = [:]
        var optional: Set<[UInt8]> = []
        var romance: Set<[UInt8]> = []
        var english: Set<[UInt8]> = []
        var generic: Set<[UInt8]> = []
        var numbers: Set<[UInt8]> = []
    }

    /// A Roman numeral below 40, in small letters.
    private static func roman(_ number: Int) -> [UInt8] {
        let ones = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"]
        return Array((String(repeating: "x", count: number / 10) + ones[number % 10]).utf8)
    }

    private static let table: Table = {
        func words(_ text: Substring) -> [[UInt8]] {
            text.split(separator: " ").map { Array($0.utf8) }
        }
        var table = Table()
        for (number, line) in synonyms.split(separator: "\n").enumerated() {
            table.members.append(words(line))
            for word in words(line) { table.classes[word, default: []].append(number) }
        }
        for (number, line) in numberText.split(separator: "\n").enumerated() {
            let forms = [Array("\(number + 1)".utf8), roman(number + 1)] + words(line)
            for word in forms { table.classes[word, default: []].append(table.members.count) }
            table.numbers.formUnion(forms)
            table.members.append(forms)
        }
        table.optional = Set(words(optionalText[...]))
        table.romance = Set(words(romanceText[...]))
        table.english = Set(words(englishText[...]))
        table.generic = table.romance.union(table.english)
        for members in table.members where members.contains(where: table.generic.contains) {
            table.generic.formUnion(members)
        }
        return table
    }()
}
