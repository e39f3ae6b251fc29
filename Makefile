# A thin task runner over CMake. `make run` and `make test` work on a bare Debian machine: they install
# what is missing, configure, build and go. CI=true makes warnings errors.
BUILD ?= build
JOBS ?= $(shell nproc)
WERROR := $(if $(filter-out false 0 no,$(CI)),ON,OFF)
# Not the prelude: it is CUDA, laid out by hand.
SOURCES = $$(git ls-files -co --exclude-standard 'app/*.cpp' 'app/*.h' 'sim/*.cpp' 'sim/*.h' \
	| grep -v prelude/)

PREFIX ?= /usr/local

.PHONY: help run test build program bench sheet format install package dependencies configure

help:
	@echo "make run      open Lanescope (without a display: write its picture to a PNG)"
	@echo "make test     build and run every test"
	@echo "make program  build the program only: $(BUILD)/lanescope"
	@echo "make build    build the program and its tests"
	@echo "make install  into PREFIX ($(PREFIX)), below DESTDIR if that is set; the tree may be moved afterwards"
	@echo "make package  a Debian package in $(BUILD)"
	@echo "make bench    build and run the benchmarks"
	@echo "make sheet    draw every view in every look into assets/screenshots (needs python3-pil)"
	@echo "make format   clang-format our sources"

# Only the program: the tests wait until `make test`.
run: program
	@$(BUILD)/lanescope $(ARGS)

# One more at once than there are cores: what drives a window waits for it much of the time.
test: build
	@ctest --test-dir $(BUILD) --output-on-failure -j $$(($(JOBS) + 1))

build: configure
	@cmake --build $(BUILD) -j $(JOBS)

program: configure
	@cmake --build $(BUILD) -j $(JOBS) --target lanescope

bench: configure
	@cmake --build $(BUILD) -j $(JOBS) --target lanescope_bench
	@$(BUILD)/lanescope_bench $(ARGS)

sheet: program
	@assets/contact_sheet.py --lanescope $(BUILD)/lanescope $(ARGS)

format:
	@third_party/install.sh clang-format
	@clang-format -i $(SOURCES)

# The binary finds its data beside itself, wherever the tree is put.
install: program
	@DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(PREFIX)" --strip

package: program
	@third_party/install.sh dpkg-dev
	@cd $(BUILD) && cpack -G DEB

dependencies:
	@third_party/install.sh

# CMake runs again by itself when its own files change; only the first time and a change of CI need us.
configure: dependencies
	@grep -qs '^LANESCOPE_WERROR:BOOL=$(WERROR)$$' $(BUILD)/CMakeCache.txt && [ -f $(BUILD)/build.ninja ] \
	  || cmake -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Release -DLANESCOPE_WERROR=$(WERROR)
