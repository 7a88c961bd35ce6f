# The doors of the house. What is longer than a line stands in scripts/.

.DEFAULT_GOAL := help
.PHONY: help demo release test test-everything bench load crowd format lint

help: ## say what can be made
	@sed -n 's/^\([a-z-]*\): ## /\1\t/p' Makefile | expand -t 20

demo: ## set up, build, make the demo city, travel in it and serve it, alive, until Ctrl-C
	@scripts/demo

release: ## build the program that a city runs, for a machine without Swift (minutes)
	@scripts/release

test: ## set up, check the format, build, run every test (minutes)
	@scripts/test

test-everything: ## the long door: far more random cases, a debug build too; writes docs/verification.md
	@scripts/test-everything

load: ## put the server under load and measure it: pages, then a city (hours)
	@Benchmarks/load
	@Benchmarks/crowd

crowd: ## let ten thousand drivers and their passengers use the server, and measure it
	@Benchmarks/crowd

bench: ## measure side by side with the peers
	@Benchmarks/run

format: ## bring every Swift file into the house format
	@scripts/format

lint: ## check the format of Swift files and scripts
	@scripts/lint
