# SPDX-License-Identifier: GPL-3.0-or-later
# `make run` starts the phone, `make test` runs all tests. CONTRIBUTING.md describes the other targets.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# Folder of the binaries to install. If it is set on the command line, they are installed as they are, without a build.
BUILD_DIR ?= .build/release

APP_ID = io.github.touchtone.Touchtone
PYTHON = /usr/bin/python3
DRIVER = $(PYTHON) Tests/Driver
# One product at a time: building the whole package would also build the helpers of the tests.
# SWIFT_FLAGS are for packages.
SWIFT_FLAGS ?=
# Without liblinphone, or with TOUCHTONE_SIP=0, there are no calls over SIP.
HAS_SIP = [ "$(TOUCHTONE_SIP)" != 0 ] && bash data/packaging/install-deps.sh --list sip 2>/dev/null
ifneq ($(TOUCHTONE_SIP),0)
SIP_PACKAGES = sip
endif
INSTALL_SIP = [ "$(TOUCHTONE_SIP)" = 0 ] || bash data/packaging/install-deps.sh --optional sip
BUILD = if $(HAS_SIP); then sip=touchtone-sip; else sip=; export TOUCHTONE_SIP=0; echo 'Building without calls over SIP.'; fi; \
	for product in touchtone tonegen touchtone-pictures touchtone-sounds touchtone-numbers touchtone-books touchtone-web $$sip; do \
	$(SWIFT) build -c release --static-swift-stdlib $(SWIFT_FLAGS) --product $$product || exit 1; done

LANGUAGES := $(shell sed '/^\#/d' data/po/LINGUAS)
CATALOGUES := $(LANGUAGES:%=data/locale/%/LC_MESSAGES/touchtone.mo)

BIN = $(DESTDIR)$(PREFIX)/bin
LIB = $(DESTDIR)$(PREFIX)/lib/touchtone
SHARE = $(DESTDIR)$(PREFIX)/share
INSTALL_PROGRAM ?= install -m 755
INSTALL_DATA ?= install -m 644

.PHONY: run build test test-without-fonts slow-tests clients sanitize sanitize-thread sanitize-address fuzz-calls soak deps tour screenshot pictures bench bench-calls bench-chat bench-latency bench-store bench-contacts format lint pot po icons dist deb install uninstall clean

export SWIFT
export TOUCHTONE_SIP

# Without a display, this runs the tour on a virtual screen.
run:
	@bash data/packaging/install-deps.sh build run
	@$(INSTALL_SIP)
	@$(MAKE) --no-print-directory build
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then exec $(BUILD_DIR)/touchtone; else \
	    echo 'No display found: running the tour on a virtual screen.'; \
	    exec $(MAKE) --no-print-directory tour; fi

build: $(CATALOGUES)
	@$(BUILD)

# The translations, where the program in the checkout looks for them.
data/locale/%/LC_MESSAGES/touchtone.mo: data/po/%.po
	@mkdir -p $(@D)
	@msgfmt --check --output-file=$@ $<

deps:
	@bash data/packaging/install-deps.sh build run $(SIP_PACKAGES) display test

# The list of texts for translators.
pot:
	@bash data/packaging/install-deps.sh build
	@bash data/po/make-pot.sh data/po/touchtone.pot

# Brings the translations up to date with that list: adds new texts, which are to be translated, and removes old ones.
po: pot
	@mkdir -p build
	@for language in $$(grep -v '^#' data/po/LINGUAS); do \
	    msgmerge --quiet --no-fuzzy-matching --output-file=build/$$language.po data/po/$$language.po data/po/touchtone.pot && \
	    msgattrib --no-obsolete --output-file=data/po/$$language.po build/$$language.po || exit 1; done

# The icon in the sizes of the icon theme.
icons:
	@bash data/packaging/install-deps.sh packaging
	@bash data/icons/render.sh

# A tarball of the last commit.
dist:
	@bash data/packaging/dist.sh

# Debian packages of the last commit, in build/deb.
deb:
	@bash data/packaging/install-deps.sh build sip packaging
	@bash data/packaging/build-deb.sh "$$(bash data/packaging/dist.sh)"

test:
	@bash data/packaging/install-deps.sh build run $(SIP_PACKAGES) display test
	@bash Tests/check-data.sh
	TOUCHTONE_REQUIRE_PEERS=1 bash Tests/run.sh

# Tests the windows and the program on a system without the recommended fonts.
test-without-fonts:
	@bash data/packaging/install-deps.sh build run $(SIP_PACKAGES) display test
	FONTCONFIG_FILE=$(CURDIR)/Tests/Fonts/without.conf TOUCHTONE_REQUIRE_PEERS=1 \
	    bash Tests/run.sh windows-1 windows-2 program-1 program-2 wayland

# Lists the twenty slowest tests of the last `make test`.
slow-tests:
	@$(PYTHON) Tests/Tools/slow_tests.py build/test-logs

# Tests the modules without GTK under ThreadSanitizer and AddressSanitizer, each in its own build, and touchtone-sip under
# AddressSanitizer with calls: its libraries have no code that ThreadSanitizer can follow. This takes too long for
# `make test`. Audio tests that depend on real time are excluded: a sanitizer slows the program down so much that
# tones have gaps on a loaded machine. The fuzzers have their own sanitizers, and one test counts freed memory, which
# AddressSanitizer keeps.
SANITIZED = TouchtoneCoreTests|GLibBridgeTests|TouchtoneStoreTests|TouchtoneXMPPTests|TouchtoneBooksTests|$\
	KeysHitFaster|MixingTests|KeyCommandRing|ManyEngines|StoppedAtOnce|EndlessSound|EchoTests|VoiceTests
SANITIZE = nice $(SWIFT) test --filter '$(SANITIZED)' --skip 'Fuzz|EndlessSilence|NoEchoOfItself'

sanitize: sanitize-thread sanitize-address

sanitize-thread:
	@bash data/packaging/install-deps.sh build run $(SIP_PACKAGES) display test
	TSAN_OPTIONS=halt_on_error=1:suppressions=$(CURDIR)/Tests/Sanitizers/thread.txt \
	    $(SANITIZE) --sanitize=thread --scratch-path .build/thread

sanitize-address:
	@bash data/packaging/install-deps.sh build run $(SIP_PACKAGES) display test
	ASAN_OPTIONS=detect_leaks=0 $(SANITIZE) --skip TakeNoMemory --sanitize=address --scratch-path .build/address
	@# By themselves: calls wait for each other.
	ASAN_OPTIONS=detect_leaks=0 TOUCHTONE_REQUIRE_PEERS=1 nice $(SWIFT) test --skip-build \
	    --filter 'SIPEngineTests|TouchtoneSIPTests' --skip datagramsOfStrangers --skip TakeNoMemory --sanitize=address --scratch-path .build/address

# Sends spoilt SIP messages to the engine, in each order of a call, and reports each one that ends it. A seed repeats a run.
FUZZ_MINUTES ?= 10
FUZZ_SEED ?= 1
# udp, tcp or tls
FUZZ_TRANSPORT ?= udp
fuzz-calls:
	@bash data/packaging/install-deps.sh build run test
	$(SWIFT) build --build-tests
	TOUCHTONE_FUZZ_MINUTES=$(FUZZ_MINUTES) TOUCHTONE_FUZZ_SEED=$(FUZZ_SEED) \
	    TOUCHTONE_FUZZ_TRANSPORT=$(FUZZ_TRANSPORT) .build/debug/touchtonePackageTests.xctest \
	    --testing-library swift-testing --filter spoiltMessagesDoNotEndTheEngine

# Runs the phone for an hour, or as long as SOAK_MINUTES says, against live servers; nothing may grow, get lost or be doubled.
# SOAK_SEED=N repeats the order of a run.
SOAK_MINUTES ?= 60
soak: build
	@bash data/packaging/install-deps.sh display test
	@$(DRIVER)/soak.py --program $(BUILD_DIR)/touchtone --minutes $(SOAK_MINUTES) $(if $(SOAK_SEED),--seed $(SOAK_SEED))

# Tries the phone with other clients, and fills in docs/clients.md. Their logs are in build/clients.
CLIENTS ?= dino gajim
clients: build
	@bash data/packaging/install-deps.sh display test
	@$(DRIVER)/clients.py --program $(BUILD_DIR)/touchtone $(CLIENTS)

tour:
	@bash data/packaging/install-deps.sh build run display
	@$(INSTALL_SIP)
	@[ -x $(BUILD_DIR)/touchtone ] || $(MAKE) --no-print-directory build
	@$(DRIVER)/tour.py --program $(BUILD_DIR)/touchtone --out build/tour

screenshot: build
	@bash data/packaging/install-deps.sh display
	@$(DRIVER)/screenshot.py --program $(BUILD_DIR)/touchtone --out data/screenshots
	@$(DRIVER)/manual_pictures.py --program $(BUILD_DIR)/touchtone --out docs/pictures

# Pictures of all windows in each language, in build/pictures.
pictures: build
	@bash data/packaging/install-deps.sh display pictures
	@$(DRIVER)/pictures.py --program $(BUILD_DIR)/touchtone --out build/pictures $(PICTURES)

bench: build
	@bash data/packaging/install-deps.sh display bench
	@$(SWIFT) build -c release --static-swift-stdlib -Xswiftc -enable-testing --scratch-path .build/bench --product panelbench
	@$(PYTHON) Tests/Bench/bench.py --program $(BUILD_DIR)/touchtone --tonegen $(BUILD_DIR)/tonegen \
	    --panelbench .build/bench/release/panelbench
	@$(MAKE) --no-print-directory bench-store
	@$(MAKE) --no-print-directory bench-contacts
	@$(MAKE) --no-print-directory bench-latency
	@$(MAKE) --no-print-directory bench-calls
	@$(MAKE) --no-print-directory bench-chat

# Measures the store with 100,000 messages, 100,000 calls and 10,000 contacts, and with 100,000 messages in an encrypted
# file, for which the SQLCipher of Debian 12 is too old.
bench-store:
	@$(SWIFT) build -c release --static-swift-stdlib --product storewriter
	@rm -rf build/store && XDG_DATA_HOME=$(CURDIR)/build/store .build/release/storewriter measure
	-@rm -rf build/store && XDG_DATA_HOME=$(CURDIR)/build/store .build/release/storewriter measure-encrypted build/store-keys

# Measures reading and writing 10,000 contacts as vCards.
bench-contacts:
	@$(SWIFT) build -c release --static-swift-stdlib --product touchtone-books
	@$(SWIFT) build -c release --static-swift-stdlib --product bookreader
	@.build/release/bookreader measure

# BENCH_LATENCY=--quick omits the one-minute pauses; see Tests/Bench/latency.py --help for the other options.
bench-latency:
	@bash data/packaging/install-deps.sh display bench
	@[ -x $(BUILD_DIR)/touchtone ] || $(MAKE) --no-print-directory build
	@$(PYTHON) Tests/Bench/latency.py --program $(BUILD_DIR)/touchtone $(BENCH_LATENCY)

# Measures calls over SIP and over Jabber: rest, memory, and the time from the network to the display and back.
bench-calls:
	@bash data/packaging/install-deps.sh display test bench
	@[ -x $(BUILD_DIR)/touchtone ] || $(MAKE) --no-print-directory build
	@$(PYTHON) Tests/Bench/calls.py --program $(BUILD_DIR)/touchtone
	@$(PYTHON) Tests/Bench/jabber_calls.py --program $(BUILD_DIR)/touchtone

# Measures a Jabber account with 5,000 buddies: the sign-in, the return of a cut connection, and a room with 5,000 people. Then
# what encryption costs.
bench-chat:
	@bash data/packaging/install-deps.sh display test
	@[ -x $(BUILD_DIR)/touchtone ] || $(MAKE) --no-print-directory build
	@$(PYTHON) Tests/Bench/chat.py --program $(BUILD_DIR)/touchtone

format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests

lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests

install:
ifeq ($(origin BUILD_DIR),file)
	@$(BUILD)
endif
	install -d $(BIN) $(LIB) $(SHARE)/touchtone $(SHARE)/applications $(SHARE)/metainfo $(SHARE)/man/man1 \
	    $(SHARE)/dbus-1/services $(SHARE)/glib-2.0/schemas
	$(INSTALL_PROGRAM) $(BUILD_DIR)/touchtone $(BUILD_DIR)/tonegen $(BIN)
	$(INSTALL_PROGRAM) $(BUILD_DIR)/touchtone-pictures $(BUILD_DIR)/touchtone-sounds $(LIB)
	if $(HAS_SIP); then $(INSTALL_PROGRAM) $(BUILD_DIR)/touchtone-sip $(LIB); fi
	$(INSTALL_DATA) $(BUILD_DIR)/libtouchtone-numbers.so $(BUILD_DIR)/libtouchtone-books.so \
	    $(BUILD_DIR)/libtouchtone-web.so $(LIB)
	install -d $(SHARE)/touchtone/ui $(SHARE)/touchtone/style $(SHARE)/touchtone/tones $(SHARE)/touchtone/tone-plans \
	    $(SHARE)/touchtone/emoticons $(SHARE)/touchtone/greetings
	$(INSTALL_DATA) data/ui/*.ui $(SHARE)/touchtone/ui
	$(INSTALL_DATA) data/style/charcoal*.css data/style/cream*.css data/style/touchtone.css data/style/window*.css \
	    data/style/*.gresource data/style/*.png $(SHARE)/touchtone/style
	$(INSTALL_DATA) data/tones/*.wav $(SHARE)/touchtone/tones
	$(INSTALL_DATA) data/tone-plans/*.plan $(SHARE)/touchtone/tone-plans
	$(INSTALL_DATA) data/emoticons/*.table $(SHARE)/touchtone/emoticons
	$(INSTALL_DATA) data/greetings/*.opus $(SHARE)/touchtone/greetings
	$(INSTALL_DATA) data/$(APP_ID).gschema.xml $(SHARE)/glib-2.0/schemas
	$(INSTALL_DATA) data/$(APP_ID).desktop $(SHARE)/applications
	$(INSTALL_DATA) data/$(APP_ID).metainfo.xml $(SHARE)/metainfo
	sed 's|@bindir@|$(PREFIX)/bin|' data/$(APP_ID).service.in > $(SHARE)/dbus-1/services/$(APP_ID).service
	chmod 644 $(SHARE)/dbus-1/services/$(APP_ID).service
	for folder in $$(cd data/icons && echo hicolor/*/apps); do install -d $(SHARE)/icons/$$folder && \
	    $(INSTALL_DATA) data/icons/$$folder/* $(SHARE)/icons/$$folder || exit 1; done
	$(INSTALL_DATA) data/touchtone.1 data/tonegen.1 $(SHARE)/man/man1
	@bash data/po/install.sh $(SHARE)
	@$(UPDATE_CACHES)

uninstall:
	rm -f $(BIN)/touchtone $(BIN)/tonegen
	rm -rf $(LIB) $(SHARE)/touchtone
	rm -f $(SHARE)/glib-2.0/schemas/$(APP_ID).gschema.xml $(SHARE)/applications/$(APP_ID).desktop
	rm -f $(SHARE)/metainfo/$(APP_ID).metainfo.xml $(SHARE)/dbus-1/services/$(APP_ID).service
	rm -f $(SHARE)/icons/hicolor/*/apps/$(APP_ID)*
	rm -f $(SHARE)/man/man1/touchtone.1 $(SHARE)/man/man1/tonegen.1
	rm -f $(SHARE)/locale/*/LC_MESSAGES/touchtone.mo
	@$(UPDATE_CACHES)

# If DESTDIR is set, the package's own scripts do this. A missing icon or desktop cache only costs time.
UPDATE_CACHES = if [ -z "$(DESTDIR)" ]; then \
	glib-compile-schemas $(SHARE)/glib-2.0/schemas; \
	gtk-update-icon-cache -q -t -f $(SHARE)/icons/hicolor 2>/dev/null || true; \
	update-desktop-database -q $(SHARE)/applications 2>/dev/null || true; fi

clean:
	rm -rf .build build data/locale
