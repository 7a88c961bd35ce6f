import Chronology
package import Taxi
package import WebCore

extension TaxiPageModule {
    /// What the map of a live ride shows: the ends of the ride, the taxi, and its way through the
    /// streets.
    ///
    /// After boarding, the meeting point has no use. A passenger on board with others sees no taxi
    /// and no way (``RideView/isAboardWithOthers``).
    package func scene(_ view: RideView, _ context: RequestContext) async -> MapScene {
        let isAboard = RideState(view) == .aboard
        var scene = MapScene()
        if let meeting = view.meeting, !isAboard {
            scene.marks.append(MapScene.Mark(.meeting, at: meeting, CheckTexts.meeting))
        }
        if let destination = view.destination {
            scene.marks.append(MapScene.Mark(.destination, at: destination, CheckTexts.destination))
        }
        if !isAboard, let way = await taxi.way(from: view.meeting, to: view.destination) {
            scene.lines.append(MapScene.Line(.route, way))
        }
        guard let position = view.position else { return scene }
        let goal = isAboard ? view.destination : view.meeting
        let ahead = await taxi.way(from: position.place, to: goal).map {
            MapScene.Line(isAboard ? .route : .approach, $0)
        }
        if let ahead { scene.lines.append(ahead) }
        let age = (context.now.milliseconds - position.at.milliseconds) / 1_000
        scene.marks.append(
            MapScene.Mark(
                .taxi,
                at: position.place,
                RideTexts.taxi,
                headingDegrees: ahead?.headingDegrees,
                isFaint: age > RideTexts.staleSeconds
            )
        )
        return scene
    }
}
