# Development tasks. Run `make` to list them.

.DEFAULT_GOAL := help
SHELL := /bin/bash
CARGO ?= cargo
MDBOOK_VERSION ?= 0.5.4

.PHONY: help
help: ## List the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Test programs that run cargo on scaffolded projects or need an API server. `make test` runs them; `make test-fast` does not.
SLOW_TESTS := book compile conformance control_plane core_types environments envtest generate generated_tests kustomize manifests markers operator_faults operators \
	random_apis schemas ui webhooks
TEST_PROGRAMS := $(basename $(notdir $(wildcard */tests/*.rs))) $(notdir $(patsubst %/main.rs,%,$(wildcard */tests/*/main.rs)))
FAST_TESTS := $(sort $(filter-out $(SLOW_TESTS),$(TEST_PROGRAMS)))

.PHONY: test
test: ## Run the tests: unit, property, golden, crash, compile, control plane (found or fetched by hack/test), packaging
	CARGO="$(CARGO)" hack/test $(CARGO) test --workspace --all-targets --no-fail-fast
	$(CARGO) test --workspace --doc
	$(MAKE) --no-print-directory package

.PHONY: test-fast
test-fast: ## Run the tests that need neither a second cargo build nor an API server
	KB_TEST_CONTROL_PLANE=off hack/test $(CARGO) test --workspace --no-fail-fast --lib --bins $(FAST_TESTS:%=--test %)

.PHONY: test-all
test-all: ## Run all tests, including slow ones that rarely fail
	CARGO="$(CARGO)" hack/test $(CARGO) test --workspace --all-targets --no-fail-fast -- --include-ignored
	$(CARGO) test --workspace --doc
	$(MAKE) --no-print-directory package

.PHONY: lint
lint: ## Check formatting, lints and documentation
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --document-private-items

# One directory per test program.
SNAPSHOT_TESTS := $(wildcard scaffold-tests/tests/snapshots/*)

.PHONY: goldens
goldens: ## Regenerate golden projects, snapshots, marker examples, generated parts of the book and macro expansions
	UPDATE_GOLDENS=1 $(CARGO) test -p scaffold-tests --test goldens every_scenario_makes_its_golden
	SNAPSHOTS=overwrite $(CARGO) test -p scaffold-tests $(SNAPSHOT_TESTS:scaffold-tests/tests/snapshots/%=--test %)
	SNAPSHOTS=overwrite $(CARGO) test -p kb-rs --test command_line --test envtest --test project
	UPDATE_GOLDENS=1 $(CARGO) test -p scaffold-tests --test markers
	UPDATE_GOLDENS=1 $(CARGO) test -p scaffold-tests --test book in_sync
	UPDATE=1 $(CARGO) test -p kb-macros
	UPDATE_GOLDENS=1 $(CARGO) test -p kb-markers --test mistakes
	TRYBUILD=overwrite $(CARGO) test -p kb-runtime --test ui
	git status --short scaffold-tests/goldens scaffold-tests/markers scaffold-tests/tests/snapshots cli/tests macros/tests markers/tests runtime/tests book/src

.PHONY: package
package: ## Check that the published crates can be packaged
	CARGO="$(CARGO)" hack/package

.PHONY: bench
bench: ## Measure speed and memory next to Kubebuilder and controller-gen
	$(CARGO) build --release -p kb-rs
	$(CARGO) run --release --quiet -p scaffold-tests --bin bench

.PHONY: book
book: ## Build the book and the API documentation into target/book, check the links, and run the quick start and the tutorials
	@command -v mdbook >/dev/null || $(CARGO) install mdbook --locked --version $(MDBOOK_VERSION)
	CARGO="$(CARGO)" hack/book
	$(CARGO) test -p scaffold-tests --test book

.PHONY: control-plane
control-plane: ## Build etcd, kube-apiserver, kube-controller-manager and kubectl with Go
	hack/control-plane
