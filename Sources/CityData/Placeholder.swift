enum CityDataRoom {}
