test: build/selftest
	build/selftest

examples: build/example_c build/example_cxx
	build/example_c && build/example_cxx

install: build/lib{{ name }}.a
	install -d $(DESTDIR)$(PREFIX)/lib $(DESTDIR)$(PREFIX)/include
	install -m 644 $< $(DESTDIR)$(PREFIX)/lib
	install -m 644 include/{{ header }} $(DESTDIR)$(PREFIX)/include

clean:
	rm -rf build

.PHONY: test examples install clean
