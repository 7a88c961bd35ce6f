import Chronology
import Geo

extension PublishedTariff {
    /// The tariffs of the Azienda Trasporti Milanesi, whose feeds state no prices.
    ///
    /// Within the city, a ticket is good for 90 minutes. What the area leaves out: the metro beyond
    /// it, which cost more before 2019, and the 21 neighbouring municipalities in which urban
    /// tickets are good since then. Until 2019 a ticket allowed a single entry into the metro; a
    /// journey that leaves the metro, takes a tram and enters it again has too low a price here.
    static var milan: [PublishedTariff] {
        [
            atm(
                from: "2013-02-01",
                source: "ATM, urban tickets and passes, 2014",
                (single: 150, day: 450, month: 3_500)
            ),
            atm(
                from: "2019-07-15",
                source: "ATM, new tariff system (STIBM), zones Mi1 to Mi3, July 2019",
                (single: 200, day: 700, month: 3_900)
            ),
            atm(
                from: "2023-01-09",
                source: "ATM, STIBM, zones Mi1 to Mi3, January 2023",
                (single: 220, day: 760, month: 3_900)
            ),
        ]
    }

    private static func atm(
        from day: String,
        source: String,
        _ prices: (single: Int64, day: Int64, month: Int64)
    ) -> PublishedTariff {
        guard let day = CivilDate(iso8601: day) else {
            preconditionFailure("the days of the tariffs are dates")
        }
        return PublishedTariff(
            name: "ATM Milano",
            hosts: ["atm.it", "atm-mi.it"],
            firstDay: day,
            source: source,
            area: milanOutline,
            currency: "EUR",
            seconds: 90 * 60,
            products: [
                Product(id: "atm-single", name: "Biglietto ordinario", minorUnits: prices.single),
                Product(
                    id: "atm-day",
                    name: "Biglietto giornaliero",
                    minorUnits: prices.day,
                    period: .days(1)
                ),
                Product(
                    id: "atm-month",
                    name: "Abbonamento mensile",
                    minorUnits: prices.month,
                    period: .calendarMonth
                ),
                Product(
                    id: "atm-year",
                    name: "Abbonamento annuale",
                    minorUnits: 33_000,
                    period: .days(365)
                ),
            ]
        )
    }

    /// A line about 100 m outside of the border of the municipality of Milan, so that stops on
    /// streets along the border lie within; as an encoded polyline.
    ///
    /// Made from "Municipi" (ds379) of Comune di Milano, CC BY 4.0, simplified.
    private static let milanOutline: Polygon = {
        let text =
            #"cjktGgndv@_KyBuSeq@_UlDuM~P}_@xOkUqDmC_QfQgLqD_QjO{UiGwWuAs|@sJaHxHwWqa@jIoKkSeH"#
            + #"zGqJuBog@~y@g\@uFbYk[l@cYn\kg@zQkMcAwFmZhEwWfJmHwNuQyD{o@|FgHpKjB`\mMbDeOmHai@fC"#
            + #"}L}s@iNnByQaFqPefAv^{VwKwKfKoS[eZwk@pAwQ~GyFfRxAjErGdYmRsLe^`T{YzAaPsGsGxCs]iIwB"#
            + #"eAwVkL}IrJaO_E}_@vWuIuNcb@hFyb@oVgKqDoQcJ`@s_@uSmPsy@~Dmb@aE_SxIko@bj@oc@Uy[aIgB"#
            + #"yAaKrHyIcKqPfIqe@s@kSeHmI`Au]xPaE|BoQxOgAnAu~@r`@cXaIk_@lBs\iIo}@xKwHwI{F~AsTzWq"#
            + #"LoFy_@to@aFz@oLdMkBjMmg@jR`ClIdPxA|_@qVhACnI`F~c@pRvE|^kJb_@rEbFzN`QkADi]`HsFra@"#
            + #"zAjEdPt[tFoEgbA~GwG~p@rEt[uEzR`XvBbXzI|Ar\wSdaBpFds@lnAbMsB~F|DrFdVqEfRlLl[|Xsr@"#
            + #"nNVbMvXYzOjL@rLpWyGvS`NnbAaL`UnGlQ`YbLlZeMdI|AzEbz@tQYzExPiDzS{WxO~^uHvNpL`Oz^`A"#
            + #"bXsNnM{MjAdKhVgEvWgNxNgHri@cd@d@c@hLyGzCvJlMu@hMsMb@o@zFfLbb@qBzLgIfCib@{Oyf@~Sb"#
            + #"Hxd@{XzSxO~d@~Dpc@mW`Vye@}GkNfVkWdG_Z`_@_M^ud@ba@iAjLcj@xS~Un]l@v_@mNbZaRjLeBrLy"#
            + #"AjMtM|s@`IhEvX_IhJnLnPoPtIh@j^hk@v@`ZaG|KrIlM_IbMv@rL{SnN_Np[a\Z}GdhA"#
        do {
            let corners = try Polyline.decoded(text, precision: .five)
            return Polygon(outline: try Ring(corners + corners.prefix(1)))
        } catch {
            preconditionFailure("the outline of Milan is a ring: \(error)")
        }
    }()
}
