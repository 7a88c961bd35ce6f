# The commands of the project. Anything longer than a line is in scripts/.

.DEFAULT_GOAL := help
.PHONY: help demo release test test-everything bench load crowd format lint

help: ## list the commands
	@sed -n 's/^\([a-z-]*\): ## /\1\t/p' Makefile | expand -t 20

demo: ## install packages, build, generate the demo city and serve it until Ctrl-C
	@scripts/demo

release: ## build the program that a city runs, for a machine without Swift (minutes)
	@scripts/release

test: ## install packages, check the format, build, run every test (50 minutes)
	@scripts/test

test-everything: ## far more random cases, a debug build too (hours); writes docs/verification.md
	@scripts/test-everything

load: ## measure the server under load: pages, plans, the API, then a city (hours)
	@Benchmarks/load
	@Benchmarks/plans
	@Benchmarks/api
	@Benchmarks/crowd

crowd: ## measure the server with ten thousand drivers and their passengers
	@Benchmarks/crowd

bench: ## compare the planners and the dispatcher with others
	@Benchmarks/run
	@Benchmarks/days

format: ## format every Swift file
	@scripts/format

lint: ## check the format of Swift files and scripts
	@scripts/lint
