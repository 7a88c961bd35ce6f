"""The visitors of the pages: what they enter when registering."""

PASSWORD = "Passw0rdOne"
# The password that the administrator must choose at the first sign-in.
NEW_PASSWORD = "N3wAdministrator"


def passenger(name):
    """What a passenger enters; the user name and the address are derived from the name."""
    return {
        "name": name.capitalize(),
        "surname": "Bruni",
        "email": f"{name}@example.org",
        "user_name": name,
        "password": PASSWORD,
        "password_again": PASSWORD,
    }


def papers(number, until="2031-06-30"):
    """The documents of a taxi and its driver; no two numbers share any."""
    return {
        "taxi_code": f"MI{7000 + number}",
        "plate": f"GZ {100 + number} ZZ",
        "taxi_licence": str(70_000 + number),
        "taxi_licence_expires": until,
        "driving_licence": f"U1A23B{400 + number}C",
        "driving_licence_expires": "2032-05-31",
    }


def driver(name, number, until="2031-06-30"):
    """What a driver enters: a passenger's fields, phone number, address and documents."""
    more = {"phone": f"+39 349 55501{number:02}", "address": "Via Dante 7"}
    return passenger(name) | more | papers(number, until)
