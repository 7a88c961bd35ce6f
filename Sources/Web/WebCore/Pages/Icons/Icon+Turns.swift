import Markup

extension Icon {
    /// An arrow ahead: straight on.
    package static let ahead = Icon(path: "M12 21V4M6 10l6-6 6 6")
    /// An arrow that turns to the left.
    package static let turnLeft = Icon(path: "M18 21v-7q0-4-4-4H4M10 4l-6 6 6 6")
    /// An arrow that turns to the right.
    package static let turnRight = Icon(path: "M6 21v-7q0-4 4-4h10M14 4l6 6-6 6")
    /// An arrow a little to the left: keep left, bear left.
    package static let bearLeft = Icon(path: "M15 21v-7L6 5M6 12V5h7")
    /// An arrow a little to the right: keep right, bear right.
    package static let bearRight = Icon(path: "M9 21v-7l9-9M11 5h7v7")
    /// An arrow back to the left: a sharp turn.
    package static let sharpLeft = Icon(path: "M17 21V4L5 15M5 8v7h7")
    /// An arrow back to the right: a sharp turn.
    package static let sharpRight = Icon(path: "M7 21V4l12 11M12 15h7V8")
    /// An arrow back to where it came from: a U-turn.
    package static let turnBack = Icon(path: "M17 21V9A5 5 0 007 9v10M3 15l4 4 4-4")
    /// A circle with an arrow out of it: a roundabout.
    package static let roundabout = Icon(
        path: "M12 22v-4M12 18a5 5 0 100-10 5 5 0 000 10zM15.5 9.500L21 4M16 4h5v5"
    )
}
