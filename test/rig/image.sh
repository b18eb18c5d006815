#!/usr/bin/env bash
# image.sh FILE PROGRAM…: a tar of a root that holds busybox, and each program with the libraries it needs.
set -euo pipefail
file=$1
shift
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
mkdir -p "$root"/{bin,etc,root,run,usr/local/etc/haproxy,usr/sbin,var/lib,www}
mkdir -m 1777 "$root/tmp"
cp "$(command -v busybox)" "$root/bin/busybox"
busybox --list | while read -r applet; do [ "$applet" = busybox ] || ln -s busybox "$root/bin/$applet"; done
printf 'root:x:0:0:root:/root:/bin/sh\nhaproxy:x:99:99::/var/lib:/bin/false\nnobody:x:65534:65534::/:/bin/false\n' > "$root/etc/passwd"
printf 'root:x:0:\nhaproxy:x:99:\nnogroup:x:65534:\n' > "$root/etc/group"
for program; do
  install -D "$program" "$root$program"
  ldd "$program" | grep -o '/[^ )]*' | sort -u | while read -r library; do
    install -D "$(readlink -f "$library")" "$root$library"
  done
done
tar -C "$root" -cf "$file" .
