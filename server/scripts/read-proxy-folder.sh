# Prints the state of the proxy folder: IPv6 support and the hashes of its files.
cd "$1" 2>/dev/null || exit 44
if [ -s /proc/net/if_inet6 ]; then echo ipv6; fi
sha256sum -- *.cfg *.map *.txt *.pem 2>/dev/null
exit 0
