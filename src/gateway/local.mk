# hawser-gateway and its parts; nothing of it is in the library. Built where OpenSSL is found.
# Without clock and socket: simulated, and fuzzed.
gateway_pure = src/gateway/ring.c src/gateway/sender.c src/gateway/receiver.c src/gateway/bundle.c

if HAVE_OPENSSL
noinst_LTLIBRARIES += libgateway.la
libgateway_la_SOURCES = $(gateway_pure) src/gateway/ring.h src/gateway/halves.h src/gateway/bundle.h \
	src/gateway/sites.h src/gateway/sites.c src/gateway/tls.h src/gateway/tls.c \
	src/gateway/sock.h src/gateway/sock.c src/gateway/gateway.h src/gateway/use.h src/gateway/use.c src/gateway/crowd.h src/gateway/crowd.c \
	src/gateway/trunk.c src/gateway/remote.c src/gateway/client.c src/gateway/job.c
libgateway_la_CPPFLAGS = $(AM_CPPFLAGS) $(OPENSSL_CFLAGS)
libgateway_la_LIBADD = $(OPENSSL_LIBS) $(SODIUM_LIBS) $(EV_LIBS)
libgateway_la_LINK = $(convenience)

bin_PROGRAMS += hawser-gateway
hawser_gateway_SOURCES = src/gateway/main.c src/wire/gate.c src/base/errors.c src/base/lifecycle.c src/reactor/reactor.c
hawser_gateway_CPPFLAGS = $(AM_CPPFLAGS)
hawser_gateway_LDADD = libgateway.la $(OPENSSL_LIBS) $(SODIUM_LIBS) $(EV_LIBS) $(JEMALLOC_LIBS)
endif

# For LD_PRELOAD. Needs neither OpenSSL nor the library.
pkglib_LTLIBRARIES = libhawser-wan.la
libhawser_wan_la_SOURCES = src/gateway/preload.c src/gateway/sites.c src/wire/gate.c
libhawser_wan_la_LDFLAGS = -module -avoid-version
libhawser_wan_la_LIBADD = $(SODIUM_LIBS) -ldl -lpthread

bin_SCRIPTS += hawser-wan
CLEANFILES += hawser-wan
EXTRA_DIST += tools/hawser-wan.in
hawser-wan: tools/hawser-wan.in Makefile
	$(AM_V_GEN)from=$$(realpath -ms --relative-to='$(bindir)' '$(pkglibdir)') && \
	  sed -e "s|@pkglib_from_bin@|$$from|" $(srcdir)/tools/hawser-wan.in > $@.tmp && chmod +x $@.tmp && mv -f $@.tmp $@
