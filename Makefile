# The menu of this repository. `make` alone lists it.

.DEFAULT_GOAL := help
SHELL := /bin/bash
CARGO ?= cargo
MDBOOK_VERSION ?= 0.5.4

.PHONY: help
help: ## List the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: test
test: ## Run every test: unit, property, golden, crash, compile, control plane (where there is one), packaging
	$(CARGO) test --workspace --all-targets
	$(CARGO) test --workspace --doc
	$(MAKE) --no-print-directory package

.PHONY: lint
lint: ## Check formatting, lints and documentation
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --document-private-items

.PHONY: goldens
goldens: ## Rewrite the golden projects, the YAML of every marker, the book's reference, what macros expand to and say of mistakes
	UPDATE_GOLDENS=1 $(CARGO) test -p scaffold-tests --test goldens every_scenario_makes_its_golden
	UPDATE_GOLDENS=1 $(CARGO) test -p scaffold-tests --test markers
	UPDATE_GOLDENS=1 $(CARGO) test -p scaffold-tests --test book the_reference
	UPDATE=1 $(CARGO) test -p kb-macros
	TRYBUILD=overwrite $(CARGO) test -p kb-runtime --test ui
	git status --short scaffold-tests/goldens scaffold-tests/markers macros/tests runtime/tests book/src/reference/made

.PHONY: package
package: ## Check that every crate that is published can be packaged
	CARGO="$(CARGO)" hack/package

.PHONY: bench
bench: ## Measure speed and memory, beside Kubebuilder and an operator of it, controller-gen and plain kube
	$(CARGO) build --release -p kb-rs
	$(CARGO) run --release --quiet -p scaffold-tests --bin bench

.PHONY: book
book: ## Build the book into target/book, check its links and its reference, and follow its quick start and tutorials
	@command -v mdbook >/dev/null || $(CARGO) install mdbook --locked --version $(MDBOOK_VERSION)
	CARGO="$(CARGO)" hack/book
	$(CARGO) test -p scaffold-tests --test book

.PHONY: control-plane
control-plane: ## Build etcd, kube-apiserver, kube-controller-manager and kubectl with go, into a cache folder
	hack/control-plane
