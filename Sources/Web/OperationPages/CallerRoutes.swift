import TaxiPages
import WebCore

extension OperationPages {
    /// Ordering a taxi for a caller.
    var callerRoutes: [Route] {
        [
            .get(
                "/console/operations/call",
                as: "operations.call.form",
                for: .staff,
                showCallerForm
            )
            .taking([.query("when", .choice(["later"]), "Asks for a reservation.")]),
            .post("/console/operations/call", as: "operations.call.check", for: .staff, checkCall)
                .taking([
                    .language,
                    .contact,
                    .from,
                    .to,
                    .set("from_place", .text(60), "Which of several places of the name is meant.")
                        .explained,
                    .set("to_place", .text(60), "Which of several places of the name is meant.")
                        .explained,
                ])
                .taking(.pickupTime)
                .taking(.party)
                .repeated(because: "it shows what would be asked for, and changes nothing"),
            .post(
                "/console/operations/call/request",
                as: "operations.call.request",
                for: .staff,
                callForCaller
            )
            .taking([.order, .language, .contact])
            .onceByKey,
        ]
    }
}
