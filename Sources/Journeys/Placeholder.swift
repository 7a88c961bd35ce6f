enum JourneysRoom {}
