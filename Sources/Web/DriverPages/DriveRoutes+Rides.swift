import Chronology
import Dispatching
import Drivers
import HTTPTypes
import Identity
import Markup
import Taxi
import TaxiPages
import WebCore

extension DriverPages {
    /// A ride that takes place: arrival, boarding and end.
    var rideRoutes: [Route] {
        [
            .post("/drive/ride/arrived", as: "drive.ride.arrived", for: .person, atTheWheel(arrive))
                .open(to: [.driverRides])
                .taking([.ride])
                .failing(.conflict)
                .repeated(because: "it asks what the positions show now"),
            .post("/drive/ride/board", as: "drive.ride.board", for: .person, atTheWheel(board))
                .open(to: [.driverRides])
                .taking([
                    .ride,
                    .typed("code", .secret(10), "The code that the passenger says."),
                    .typed("aboard", .number(1...16), "How many people are on board."),
                ])
                .failing(.conflict)
                .onceByKey,
            .get(
                "/drive/ride/finish",
                as: "drive.ride.finish.form",
                for: .person,
                atTheWheel(showFinish)
            )
            .failing(.conflict),
            .post("/drive/ride/finish", as: "drive.ride.finish", for: .person, atTheWheel(finish))
                .open(to: [.driverRides])
                .taking([
                    .ride,
                    .reason,
                    .typed(
                        "extra-*",
                        .number(0...FinishTexts.mostExtras),
                        "How often a surcharge applies."
                    ),
                ])
                .failing(.conflict),
        ]
    }

    /// A ride that does not take place, or only in part.
    var leavingRoutes: [Route] {
        [
            .get(
                "/drive/ride/no-show",
                as: "drive.ride.no-show.form",
                for: .person,
                atTheWheel(showNoShow)
            )
            .failing(.conflict),
            .post(
                "/drive/ride/no-show",
                as: "drive.ride.no-show",
                for: .person,
                atTheWheel(reportNoShow)
            )
            .taking([.ride])
            .failing(.conflict),
            .get(
                "/drive/ride/absent",
                as: "drive.ride.absent.form",
                for: .person,
                atTheWheel(showAbsent)
            )
            .taking([
                .query("party", .identifier, "The request of the party that did not come.")
            ])
            .failing(.conflict),
            .post(
                "/drive/ride/absent",
                as: "drive.ride.absent",
                for: .person,
                atTheWheel(leaveBehind)
            )
            .taking([
                .ride,
                .set("party", .identifier, "The request of the party that did not come."),
            ])
            .failing(.conflict),
            .get(
                "/drive/ride/give-back",
                as: "drive.ride.give-back.form",
                for: .person,
                atTheWheel(showGiveBack)
            )
            .failing(.conflict),
            .post(
                "/drive/ride/give-back",
                as: "drive.ride.give-back",
                for: .person,
                atTheWheel(giveBack)
            )
            .taking([
                .ride,
                .set(
                    "reason",
                    .choice(GiveBackCause.allCases.map { "\($0)" }),
                    "Why the ride is given back."
                ).explained,
            ])
            .failing(.conflict),
        ]
    }
}

extension InputField {
    /// The ride that the driver saw: a form of an earlier ride does nothing (F6).
    static let ride = set("ride", .identifier, "The ride that the page showed.")
}
