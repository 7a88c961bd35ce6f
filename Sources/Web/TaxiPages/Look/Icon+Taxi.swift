import Markup
package import WebCore

extension Icon {
    /// The icon of a car with a roof sign.
    package static let taxi = Icon(
        path: "M4 17v-4l2-5q.4-1 1.4-1h9.2q1 0 1.4 1l2 5v4zM4 13h16M9 7V4h6v3M6 17v2M18 17v2"
    )
}
