package import Dispatching
import Synchronization

/// The open offers of which no message reached the driver who is asked (R53).
///
/// Such a driver may still see the offer on an open page, so the offers are kept until that is
/// decided. They are in memory only: after a restart a driver who does not answer is passed over
/// when the time to answer ends.
package final class UndeliveredOffers: Sendable {
    /// An offer whose driver got no message.
    package struct Offer: Hashable, Sendable {
        /// The request that is offered.
        package let request: RequestNumber
        /// The taxi that is asked.
        package let taxi: TaxiNumber
        /// Identifies the offer among those of the request.
        package let epoch: Int64
        /// The driver of the taxi's last shift.
        package let driver: Int64
    }

    private let offers = Mutex<Set<Offer>>([])
    /// Yields when an offer was added.
    package let additions: AsyncStream<Void>
    private let addition: AsyncStream<Void>.Continuation

    init() {
        (additions, addition) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The offers, in the order of their opening.
    package var all: [Offer] { offers.withLock { $0.sorted { $0.epoch < $1.epoch } } }

    func add(_ offer: Offer) {
        offers.withLock { _ = $0.insert(offer) }
        addition.yield()
    }

    func keep(_ isOpen: (Offer) -> Bool) {
        offers.withLock { $0 = $0.filter(isOpen) }
    }
}

extension TaxiService {
    /// Notes that no message about an offer reached the driver who is asked.
    ///
    /// It has no effect if the driver's device has shown the offer, or another driver is asked now.
    ///
    /// - Throws: `DispatchService.Failure.notServing`; any `DatabaseFailure`.
    package func noteUndelivered(_ request: RequestNumber, to driver: Int64) async throws {
        let offer = try await dispatch.read { $0.request(request)?.offer }
        guard let offer, !offer.isDelivered, try await shift(of: offer.taxi) == driver else {
            return
        }
        undelivered.add(
            UndeliveredOffers.Offer(
                request: request,
                taxi: offer.taxi,
                epoch: offer.epoch,
                driver: driver
            )
        )
    }

    /// Passes over the drivers whom no message has reached and who have no page open (R53).
    ///
    /// - Parameter seesPage: whether an open page shows a driver the offer.
    /// - Throws: `DispatchService.Failure`.
    package func passOverUndelivered(unless seesPage: (_ driver: Int64) -> Bool) async throws {
        let offers = undelivered.all
        if offers.isEmpty { return }
        let open = try await dispatch.read { state in
            Set(
                offers.filter { offer in
                    let now = state.request(offer.request)?.offer
                    return now?.epoch == offer.epoch && now?.isDelivered == false
                }
            )
        }
        undelivered.keep { open.contains($0) || !offers.contains($0) }
        for offer in offers where open.contains(offer) && !seesPage(offer.driver) {
            do {
                _ = try await dispatch.give(
                    .reportUndeliverable(offer.request, offer.taxi, epoch: offer.epoch)
                )
            } catch is Refusal {
                // The driver has answered in the meantime.
            }
            undelivered.keep { $0 != offer }
        }
    }
}
