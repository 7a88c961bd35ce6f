/// The word lists for the demo city's names; people and saints' epithets are invented combinations.
enum WordLists {
    /// The names for the city, one of which the seed chooses.
    static let cities = [
        "Castelmora", "Valdoria", "Pontelirio", "Montalbera", "Roccaviva", "Serralba",
    ]
    /// TownNames for its river.
    static let rivers = ["Lirio", "Ardena", "Vesina", "Orbella", "Tessaro", "Navona"]

    /// The themes of street names, one list for each theme that a quarter may have; each entry
    /// follows "Via", "Viale" or "Corso".
    static let themes: [[String]] = [trees, trades, saints, places, virtues, nature, memory]

    /// Names of trees and flowers.
    static let trees = list(
        """
        dei Tigli|delle Querce|degli Olmi|dei Platani|delle Acacie|dei Faggi|dei Frassini|
        dei Larici|degli Abeti|dei Cipressi|dei Pioppi|dei Salici|delle Betulle|dei Castagni|
        dei Ciliegi|dei Mandorli|degli Ulivi|dei Gelsi|delle Magnolie|dei Noci|dei Noccioli|
        delle Robinie|dei Cedri|degli Allori|dei Mirti|delle Ginestre|dei Gelsomini|delle Rose|
        delle Viole|dei Garofani|delle Primule|dei Ciclamini|delle Camelie|delle Ortensie|
        degli Oleandri|dei Lillà|delle Peonie|dei Papaveri|dei Girasoli|delle Mimose|
        delle Azalee|dei Gerani|dell'Edera|del Biancospino|del Rosmarino|della Lavanda
        """
    )
    /// Trades and places of trade.
    static let trades = list(
        """
        dei Fabbri|degli Orefici|dei Calzolai|dei Tintori|dei Setaioli|dei Cordai|dei Vasai|
        dei Fornai|dei Mugnai|dei Barcaioli|dei Pescatori|dei Librai|degli Speziali|
        dei Carpentieri|degli Scalpellini|dei Vetrai|dei Cappellai|dei Sellai|dei Bottai|
        dei Ramai|dei Pellai|dei Lanaioli|dei Mercanti|dei Notai|degli Armaioli|dei Carbonai|
        dei Macellai|delle Ricamatrici|delle Lavandaie|dei Tessitori|dei Ferrovieri|
        dei Tipografi|dei Panettieri|degli Orologiai|dei Liutai|dei Giardinieri|
        del Mercato Vecchio|della Zecca|della Dogana|del Torchio|della Filanda|del Mulino|
        della Fornace|della Cartiera|della Conceria|del Lanificio|dell'Arsenale
        """
    )
    /// Saints after whom streets are named.
    static let saints = list(
        """
        San Martino|San Rocco|Sant'Anna|Santa Lucia|San Biagio|Santa Chiara|San Vito|
        San Lorenzo|Santo Stefano|San Giorgio|Santa Caterina|San Nicola|Sant'Agata|San Donato|
        San Fermo|Santa Marta|San Carlo|San Felice|Sant'Elena|San Giacomo|San Leonardo|
        Santa Barbara|San Vittore|San Zeno|Santa Cecilia|San Bartolomeo|San Paolo|San Marco|
        San Luca|San Matteo|Sant'Andrea|San Tommaso|San Cristoforo|Santa Teresa|San Benedetto|
        Sant'Ambrogio|San Siro|San Colombano|Santa Giulia|Santa Sofia|San Gallo|San Calogero|
        San Maurizio|San Sebastiano|Sant'Orsola|Santa Monica|San Damiano|San Cassiano
        """
    )
    /// Towns, rivers and lands.
    static let places = list(
        """
        Torino|Genova|Bologna|Firenze|Venezia|Trieste|Verona|Padova|Ferrara|Ravenna|Perugia|
        Siena|Pisa|Lucca|Ancona|Bari|Lecce|Palermo|Catania|Messina|Cagliari|Sassari|Trento|
        Bolzano|Udine|Gorizia|Cuneo|Asti|Novara|Pavia|Cremona|Mantova|Brescia|Bergamo|Como|
        Varese|Lecco|Sondrio|Modena|Rimini|Urbino|Pesaro|Assisi|Orvieto|Viterbo|Gaeta|Amalfi|
        Salerno|Potenza|Matera|Taranto|Brindisi|Cosenza|Lisbona|Vienna|Praga|Lione|Marsiglia|
        Siviglia|Atene|Cracovia|Budapest|Zagabria|Lubiana|Bruxelles|Dublino|Edimburgo|Oslo|
        Helsinki|Riga|Varsavia|Bucarest|Sofia|del Piave|del Tagliamento|dell'Adige|del Po|
        dell'Arno|del Tevere|dell'Isonzo|del Monviso|del Cervino|del Gran Sasso|della Maiella|
        delle Dolomiti|dell'Etna|del Vesuvio|del Lago Maggiore|del Garda|dell'Adriatico
        """
    )
    /// Names of virtues and ideas.
    static let virtues = list(
        """
        della Pace|della Concordia|della Libertà|della Speranza|della Giustizia|del Lavoro|
        dell'Unione|della Fratellanza|della Costituzione|della Repubblica|dell'Indipendenza|
        della Costanza|della Prudenza|della Temperanza|della Gioia|della Fortuna|
        dell'Amicizia|della Scienza|delle Arti|della Musica|della Poesia|della Memoria|
        del Progresso|dell'Industria|dell'Agricoltura|del Commercio|dei Volontari|
        delle Scoperte|dell'Astronomia|della Geometria|della Ragione|della Quiete|
        dell'Ospitalità|della Solidarietà|dell'Armonia|della Provvidenza|della Vittoria
        """
    )
    /// Words for animals, land and sky.
    static let nature = list(
        """
        delle Rondini|delle Allodole|degli Aironi|dei Falchi|delle Cicogne|dei Cardellini|
        delle Lucciole|dei Grilli|dei Cavalli|delle Cerve|dei Lupi|delle Volpi|dei Ricci|
        della Fontana|del Pozzo|della Roggia|delle Sorgenti|del Prato|dei Campi|della Vigna|
        del Boschetto|del Colle|della Valletta|della Rupe|delle Pietre|dell'Argine|del Guado|
        del Traghetto|della Palude|delle Ghiaie|dell'Isola|del Sole|della Luna|delle Stelle|
        dell'Aurora|del Tramonto|del Vento|delle Nuvole|della Neve|dell'Orizzonte|
        delle Stagioni|dell'Orsa Maggiore|di Mezzogiorno|di Levante|di Ponente
        """
    )
    /// Names of days and events to be remembered.
    static let memory = list(
        """
        IV Novembre|XXV Aprile|II Giugno|I Maggio|XX Settembre|dei Mille|dei Caduti|
        delle Cinque Giornate|degli Alpini|dei Bersaglieri|dei Partigiani|delle Mondine|
        della Rimembranza|del Vecchio Ospedale|delle Mura|dei Bastioni|della Torre|del Castello|
        della Rocca|del Ponte Vecchio|della Porta Nuova|delle Quattro Strade|della Croce|
        della Pieve|dell'Abbazia|del Convento|della Certosa|dei Cappuccini|delle Orsoline|
        del Seminario|dell'Accademia|del Teatro|della Fiera|delle Poste|del Municipio|
        del Tribunale|della Prefettura|dell'Università|del Ginnasio|della Biblioteca
        """
    )
    /// Places that a street may lead to; with an adjective, one of many.
    static let spots = list(
        """
        del Molino|del Pozzo|del Prato|del Ponte|del Borgo|del Forno|del Lavatoio|del Campo|
        del Bosco|del Fosso|del Canale|del Porto|del Mercato|del Chiostro|del Giardino|
        del Frantoio|del Colle|del Sentiero|del Podere|del Casale
        """
    )
    /// Adjectives for place names.
    static let adjectives = list(
        """
        Vecchio|Nuovo|Alto|Basso|Grande|Piccolo|Lungo|Bianco|Rosso|Antico|Fiorito|Nascosto|
        Solitario|Secco|Maggiore|Reale|Rotondo|Storto|Sereno|Ombroso
        """
    )
    /// Epithets that distinguish saints of the same name.
    static let parishes = list(
        """
        in Valle|al Monte|alle Vigne|in Campo|al Ponte|alla Porta|in Selva|ai Prati|al Fonte|
        fuori le Mura|in Colle|alla Fossa|del Bosco|al Castello|in Borgo
        """
    )
    /// First names of the invented people after whom most streets are named.
    static let firstNames = list(
        """
        Adele|Agostino|Alberto|Alessandro|Alfredo|Amalia|Amedeo|Andrea|Angelo|Anita|Anna|Antonio|
        Arturo|Attilio|Augusto|Beatrice|Benedetto|Bernardo|Bianca|Bruno|Camilla|Carlo|Carolina|
        Caterina|Cecilia|Cesare|Chiara|Claudio|Corrado|Costanza|Cristina|Dario|Domenico|Edoardo|
        Elena|Eleonora|Elisa|Emilio|Emma|Enrico|Ernesto|Ettore|Eugenio|Fabio|Federico|Felice|
        Ferdinando|Filippo|Francesca|Francesco|Gabriele|Gaetano|Gaspare|Gemma|Giacomo|Gino|
        Giordano|Giorgio|Giovanna|Giovanni|Girolamo|Giulia|Giuliano|Giulio|Giuseppe|Giuseppina|
        Guglielmo|Guido|Ida|Ignazio|Ippolito|Irene|Isabella|Jacopo|Laura|Lavinia|Leonardo|Lidia|
        Livia|Lodovico|Lorenzo|Luca|Lucia|Luigi|Luisa|Maddalena|Manlio|Marcello|Marco|Margherita|
        Maria|Mario|Martino|Massimo|Matilde|Matteo|Maurizio|Michele|Natale|Nicola|Nina|Olga|
        Orazio|Oreste|Ottavio|Paolina|Paolo|Pasquale|Pietro|Raffaele|Regina|Renato|Riccardo|
        Roberto|Rodolfo|Romano|Rosa|Ruggero|Salvatore|Sandro|Saverio|Sebastiano|Silvia|Silvio|
        Simone|Stefano|Teresa|Tommaso|Ugo|Umberto|Valentina|Vincenzo|Virginia|Vito|Vittoria
        """
    )
    /// First parts of surnames.
    static let surnameStems = list(
        """
        Albar|Ambros|Anton|Arcang|Bald|Balestr|Barb|Bassan|Bell|Beltram|Bened|Bertol|Bianch|
        Boldr|Bonav|Borgh|Brambill|Brun|Calder|Campan|Carav|Castell|Cavall|Ceres|Cesar|Colomb|
        Cont|Corn|Dall|Donat|Fabr|Falc|Farin|Ferr|Fior|Font|Franz|Fulg|Galv|Gasp|Gherard|Grand|
        Gualt|Lamb|Lanfr|Leon|Lomb|Lucch|Maffe|Magn|Malas|Mant|March|Marin|Mart|Mass|Mazz|Merl|
        Mont|Morand|Negr|Nicol|Novell|Orland|Palm|Pell|Peruzz|Piazz|Polid|Quadr|Ram|Ravagn|Ricc|
        Rin|Roncagl|Ross|Sabb|Salv|Sangall|Scarp|Sever|Sold|Spin|Stanz|Tebald|Torr|Trev|Ubald|
        Valent|Vannucc|Vergan|Vid|Vill|Zambr|Zan|Zerb
        """
    )
    /// Last parts of surnames.
    static let surnameEndings = list(
        "ini|elli|oni|ari|etti|ardi|eri|ani|ati|ucci|aldi|otti|oli|azzi|essi|igo|esco|ora"
    )
    /// First parts of the names of quarters.
    static let quarterHeads = list(
        """
        Borgo|Porta|Villa|Castel|Ponte|Monte|Pieve di|Cascina|Torre|Rocca|Campo|Valle|
        Molino|Certosa di|Quattro|Bosco
        """
    )
    /// Second parts of the names of quarters.
    static let quarterTails = list(
        """
        Nuovo|Vecchia|Lungo|Alto|Basso|Fiorito|Sereno|Vigentina|Lauro|Ortica|Rosaria|Baronia|
        Gallarana|Lorica|Mirabello|Olmeto|Pratolungo|Quercia|Saliceto|Tavernelle|Vercana|Zelo
        """
    )

    private static func list(_ text: String) -> [String] {
        text.split(separator: "|").map { entry in
            String(entry.drop { $0 == "\n" })
        }
    }
}
