extension DatabaseFailure {
    /// Maps an error of PostgreSQL by its SQLSTATE (PostgreSQL 15, appendix A).
    init(state: String, message: String) {
        switch state {
        case "23505": self = .constraint(.unique, message)
        case "23503": self = .constraint(.foreignKey, message)
        case "23502": self = .constraint(.notNull, message)
        case "23514": self = .constraint(.check, message)
        case "40001", "40P01": self = .conflict
        case "53100": self = .diskFull(message)
        case "55P03": self = .busy
        case "57014": self = .deadlineExceeded
        case "58030": self = .inputOutput(message)
        case "XX001", "XX002": self = .damaged(message)
        case "57P01", "57P02", "57P03", "57P05", "25P03": self = .connectionLost(message)
        // A prepared statement no longer matches an altered table; a new connection has none.
        case "0A000" where message.contains("cached plan"): self = .connectionLost(message)
        case "25006", "53200", "53300": self = .unavailable(message)
        default:
            switch state.prefix(2) {
            case "08": self = .connectionLost(message)
            case "23": self = .constraint(.other, message)
            case "58": self = .inputOutput(message)
            default: self = .badStatement(message)
            }
        }
    }
}
