#!/usr/bin/env bash
# image.sh FILE PROGRAM…: a tar of a root that holds busybox, and each program with the libraries it needs.
# A program may also be SOURCE=PLACE: a plain file, and where it lies in the image.
set -euo pipefail

file=$1
shift
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
mkdir -p "$root"/{bin,etc,root,run,usr/local/etc/haproxy,var/lib,www}
mkdir -m 1777 "$root/tmp"
printf '%s\n' root:x:0:0::/root:/bin/sh haproxy:x:99:99::/var/lib:/bin/sh nobody:x:65534:65534::/:/bin/sh > "$root/etc/passwd"
printf '%s\n' root:x:0: haproxy:x:99: nogroup:x:65534: > "$root/etc/group"

install "$(command -v busybox)" "$root/bin/busybox"
busybox --list | while read -r applet; do [ "$applet" = busybox ] || ln -s busybox "$root/bin/$applet"; done
for program; do
  case $program in *=*)
    install -D -m 644 "${program%%=*}" "$root${program#*=}"
    continue
    ;;
  esac
  install -D "$program" "$root$program"
  ldd "$program" | grep -o '/[^ )]*' | sort -u | while read -r library; do
    install -D "$(readlink -f "$library")" "$root$library"
  done
done
tar -C "$root" -cf "$file" .
