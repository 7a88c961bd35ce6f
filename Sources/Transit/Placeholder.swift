enum TransitRoom {}
