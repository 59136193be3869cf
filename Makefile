# The front door. Every target works alone on a fresh Debian 12 that has git and make.
#
#	make demo      build, make an example trace, say which operator owns its GPU time
#	make check     build, run all tests
#	make asan      the same under clang's address and undefined-behaviour sanitizers
#	make lint      clang-tidy, cppcheck, formatting, layers, a build with zlib alone, a static one
#	make fuzz      fuzz every reader, FUZZ_SECONDS=60 in all
#	make soak      the laws on random data with SOAK_SEEDS=5000 seeds each (200 in CI)
#	make bench     speed and memory against the machine's own limits (bench/README.md); BENCH_SIZE=1G
#	make docs      run the examples of the documents again and write down what they print
#	make format    clang-format over the tree
#	make install   PREFIX=/usr/local DESTDIR=
#	make clean

BUILD        ?= build
ASAN         ?= build-asan
FUZZ_SECONDS ?= 60
SOAK_SEEDS   ?= 5000
BENCH_SIZE   ?= 1G
PREFIX       ?= /usr/local

# Warnings are errors in CI only: a newer compiler must not stop a user.
WERROR := $(if $(CI),true,false)

# Light optimization and line tables only: compiling is half of the time.
SANITIZE := -Db_sanitize=address,undefined -Db_lundef=false -Db_ndebug=false \
	-Doptimization=1 -Ddebug=false -Dc_args=-gline-tables-only
export UBSAN_OPTIONS ?= halt_on_error=1:print_stacktrace=1
export ASAN_OPTIONS ?= detect_stack_use_after_return=1

all: build

demo: bootstrap-demo
	@scripts/setup $(BUILD)
	@ninja -C $(BUILD) --quiet
	@$(BUILD)/tools/synth/synth --size 2M --seed 1 --python -o $(BUILD)/demo.json.gz
	@echo '$$ longpole ops demo.json.gz'
	@cd $(BUILD) && ./longpole ops demo.json.gz
	@cd $(BUILD) && if ./longpole --version | grep -q page; then \
		echo '$$ longpole report demo.json.gz -o demo.html' && \
		./longpole report demo.json.gz -o demo.html && \
		echo "The page: $$PWD/demo.html"; fi

build: bootstrap-demo
	@scripts/setup $(BUILD)
	ninja -C $(BUILD)

check: bootstrap-check
	@scripts/setup $(BUILD) -Dtests=enabled -Dwerror_ci=$(WERROR)
	@ninja -C $(BUILD)
	@meson test -C $(BUILD) --no-rebuild --print-errorlogs --timeout-multiplier 4

asan: bootstrap-lint
	@CC=clang scripts/setup $(ASAN) -Dtests=enabled -Dfuzz=true -Dwerror_ci=$(WERROR) $(SANITIZE)
	@ninja -C $(ASAN)
	@meson test -C $(ASAN) --no-rebuild --print-errorlogs --timeout-multiplier 10

lint: bootstrap-lint
	@scripts/lint

fuzz: bootstrap-lint
	@CC=clang scripts/setup $(ASAN) -Dtests=enabled -Dfuzz=true -Dwerror_ci=$(WERROR) $(SANITIZE)
	@ninja -C $(ASAN)
	@scripts/fuzz $(ASAN) $(FUZZ_SECONDS)

soak: bootstrap-check
	@scripts/setup $(BUILD) -Dtests=enabled
	@ninja -C $(BUILD)
	@PROP_ROUNDS=$(SOAK_SEEDS) meson test -C $(BUILD) --no-rebuild --print-errorlogs \
		--suite prop --timeout-multiplier 0

bench: bootstrap-check
	@scripts/setup $(BUILD)
	@ninja -C $(BUILD) --quiet all bench/limits bench/critpath bench/profile
	@bench/run $(BUILD) --size $(BENCH_SIZE)
	@bench/diff $(BUILD)
	@bench/tree $(BUILD)

docs: bootstrap-check
	@scripts/setup $(BUILD)
	@ninja -C $(BUILD) --quiet
	@tests/run-docs --update --bin $(BUILD)/longpole --path $(abspath $(BUILD))/tools/synth \
		README.md docs/guide.md docs/formats.md $(filter-out %/ascii.md,$(wildcard tests/cli/*.md)) | grep -v '^ok' || true

format: bootstrap-lint
	git ls-files '*.c' '*.h' | xargs clang-format -i

install: bootstrap-demo
	@scripts/setup $(BUILD) -Dprefix=$(PREFIX) -Dlibdir=lib
	ninja -C $(BUILD)
	meson install -C $(BUILD) --no-rebuild

bootstrap-%:
	@scripts/bootstrap $*
	@scripts/page $(if $(filter demo,$*),demo,check)

clean:
	rm -rf $(BUILD) $(ASAN) build-lint build-zlib build-static build-static.root

.PHONY: all demo build check asan lint fuzz soak bench docs format install clean
