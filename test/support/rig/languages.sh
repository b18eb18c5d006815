#!/usr/bin/env bash
# languages.sh WHAT: prints a file that WHAT is made of. node, bun, python, go, nginx, redis, memcached and postgres are tars of
# a root, as the images of those names have it as far as their users rely on it; packages is a folder of what npm installs. The first call makes it of
# this machine's Node.js, of packages from its own Debian mirror, and of npm's; later ones take what is there.
set -euo pipefail

what=$1
cache=/var/cache/slipway-rig
folder=$cache/languages-$(sha256sum "$0" | cut -c1-8)
mkdir -p "$folder"
exec 9> "$folder/$what.lock"
flock 9

work=$folder/$what.part
root=$work/root

# What every image has: a shell with the usual small programs, and users as the images call theirs.
base() {
  mkdir -p "$root"/{usr/bin,usr/sbin,usr/lib,usr/local/bin,etc/ssl/certs,root,run,var,home/node,home/bun}
  mkdir -m 1777 "$root/tmp"
  for part in bin sbin lib; do ln -s "usr/$part" "$root/$part"; done
  printf '%s\n' root:x:0:0::/root:/bin/sh node:x:1000:1000::/home/node:/bin/sh bun:x:1000:1000::/home/bun:/bin/sh \
    nginx:x:101:101::/:/bin/sh nobody:x:65534:65534::/:/bin/sh > "$root/etc/passwd"
  printf '%s\n' root:x:0: node:x:1000: bun:x:1000: nginx:x:101: nogroup:x:65534: > "$root/etc/group"
  chown 1000:1000 "$root/home/node" "$root/home/bun"
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  install "$(command -v busybox)" "$root/usr/bin/busybox"
  busybox --list | while read -r applet; do [ "$applet" = busybox ] || ln -s busybox "$root/usr/bin/$applet"; done
}

# program FILE PLACE: with the libraries that it needs.
program() {
  install -D "$1" "$root$2"
  ldd "$1" | grep -o '/[^ )]*' | sort -u | while read -r library; do
    install -D "$(readlink -f "$library")" "$root$library"
  done
}

# debian PACKAGE…: with all that they depend on.
debian() {
  : > "$work/status"
  mkdir -p "$work/debs/partial" "$work/own/partial"
  local apt=(apt-get -qq -o Dir::State::status="$work/status" -o Dir::Cache::archives="$work/debs" -o APT::Sandbox::User=root)
  # One whose lists were swept away, as in an image, knows no package until it has asked.
  "${apt[@]}" --simulate install "$1" > /dev/null 2>&1 || { apt+=(-o Dir::State::lists="$work/own") && "${apt[@]}" update; }
  "${apt[@]}" --download-only --no-install-recommends --yes install "$@"
  for deb in "$work"/debs/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" | tar -C "$root" -x --keep-directory-symlink
  done
}

npm_packages() { (cd "$work" && npm pack --silent "$@"); }

make_packages() { npm_packages pnpm@9 yarn@1 @yarnpkg/cli-dist@4; }

make_node() {
  base
  program "$(readlink -f "$(command -v node)")" /usr/local/bin/node
  mkdir -p "$root/usr/local/lib/node_modules"
  cp -r "$(npm root --global)/npm" "$root/usr/local/lib/node_modules/"
  for name in npm npx; do ln -s "../lib/node_modules/npm/bin/$name-cli.js" "$root/usr/local/bin/$name"; done
  # The images bring Yarn as well, which is in the way of whoever installs another one.
  printf '#!/bin/sh\necho This is the Yarn of the image. >&2\nexit 1\n' > "$root/usr/local/bin/yarn"
  chmod 755 "$root/usr/local/bin/yarn"
}

make_bun() {
  base
  local machine
  machine=$(uname -m)
  npm_packages "@oven/bun-linux-${machine/x86_64/x64}@1"
  tar -C "$work" -xzf "$work"/oven-bun-*.tgz
  program "$work/package/bin/bun" /usr/local/bin/bun
}

make_python() {
  base
  debian python3 python3-pip gunicorn uvicorn python3-flask python3-starlette
  ln -s python3 "$root/usr/bin/python"
  rm "$root"/usr/lib/python3*/EXTERNALLY-MANAGED
}

make_go() {
  base
  debian golang-go
}

# With the folders of the image, which stand elsewhere in Debian's package.
make_nginx() {
  base
  debian nginx-light
  mkdir -p "$root"/{usr/share/nginx/html,var/cache/nginx,var/log/nginx,etc/nginx/conf.d}
  printf '%s\n' 'user nginx;' 'pid /run/nginx.pid;' 'error_log /dev/stderr;' 'events {}' 'http {' 'include mime.types;' \
    'access_log /dev/stdout;' 'include conf.d/*.conf;' '}' > "$root/etc/nginx/nginx.conf"
  : > "$root/etc/nginx/conf.d/default.conf"
}

# service PACKAGE: without what only its installation needs, nor what PostgreSQL compiles queries with: that is most of it.
service() {
  base
  debian "$1"
  rm -rf "$root"/usr/lib/*/{gconv,perl*,libperl*,libLLVM*,libz3*} "$root"/usr/share/{doc,i18n,locale,man,perl*}
}

make_redis() {
  service redis-server
  mkdir "$root/data"
}

make_memcached() { service memcached; }

# What the image does at its start is in fixtures/postgres.sh.
make_postgres() {
  service postgresql-15
  echo postgres:x:70:70::/var/lib/postgresql:/bin/sh >> "$root/etc/passwd"
  echo postgres:x:70: >> "$root/etc/group"
  for program in "$root"/usr/lib/postgresql/15/bin/*; do ln -sf "${program#"$root"}" "$root/usr/local/bin/"; done
}

if ! [ -e "$folder/$what" ]; then
  # Those of an earlier version of this script, unless another run may still use them.
  find "$cache" -maxdepth 1 -name 'languages-*' ! -path "$folder" -mtime +1 -exec rm -rf {} +
  rm -rf "$work" && mkdir "$work"
  "make_$what" >&2
  if [ -d "$root" ]; then
    tar -C "$root" -cf "$work/tar" . && mv "$work/tar" "$folder/$what"
    rm -rf "$work"
  else
    mv "$work" "$folder/$what"
  fi
fi
echo "$folder/$what"
