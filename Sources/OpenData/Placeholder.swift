enum OpenDataRoom {}
