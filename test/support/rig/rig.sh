#!/usr/bin/env bash
# Servers out of this machine: each has its own network, processes, host name and disk, its own sshd on port 22 and its own
# dockerd. Called by rig.ts, with RIG_DIR, RIG_NET (the first three numbers of a /24) and RIG_PREFIX in the environment.
#
#   switch         what all servers are plugged into; the machine itself is .1, server N is .(10 + N)
#   create N BASE [DISK]  an empty disk over the folder BASE (read only), or a copy of DISK; a cable, a host key
#   save N DISK    copies the disk of a server without power to DISK
#   on N           boots what was created; the disk is as it was
#   off N          the power goes: every process ends at once
#   remove N       takes away all that create made
#   cable N how    up or down
#   outside N how  whether it reaches the rest of the world: yes or no
#   guard          waits until whoever holds its input is gone, however that ends, then takes everything away
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
switch=${RIG_PREFIX}sw
name() { echo "$RIG_PREFIX$1"; }
address() { echo "$RIG_NET.$((10 + $1))"; }

# In a namespace of its own: in the machine's, bridged frames meet its firewall, which drops them once a Docker runs there.
switch() {
  # Here, where no test waits for it.
  "$here/plugins.sh" > /dev/null
  ip netns add "$switch"
  ip -n "$switch" link add br0 type bridge
  ip -n "$switch" link set br0 up
  ip link add "${RIG_PREFIX}0" type veth peer name machine netns "$switch"
  ip -n "$switch" link set machine master br0 up
  ip addr add "$RIG_NET.1/24" dev "${RIG_PREFIX}0"
  ip link set "${RIG_PREFIX}0" up
}

create() {
  local folder=$RIG_DIR/$1 ns; ns=$(name "$1")
  mkdir -p "$folder/disk"
  echo "$2" > "$folder/base"
  # A file with holes: takes no room until written to, and is full when it says so. Real ext4, as Docker's storage needs.
  if [ -n "${3-}" ]; then
    cp --sparse=always "$3" "$folder/disk.img"
  else
    truncate -s 6G "$folder/disk.img"
    mkfs.ext4 -q -F -m 0 -E lazy_itable_init=1,lazy_journal_init=1,nodiscard "$folder/disk.img"
  fi
  ssh-keygen -q -t ed25519 -N '' -C "$ns" -f "$folder/hostkey"
  ip netns add "$ns"
  ip -n "$ns" link set lo up
  ip -n "$switch" link add "port$1" type veth peer name eth0 netns "$ns"
  ip -n "$switch" link set "port$1" master br0 up
  # The same for each that has this address, for others remember where they found it.
  ip -n "$ns" link set eth0 address "02:00:00:00:00:$(printf %02x "$((10 + $1))")"
  ip -n "$ns" addr add "$(address "$1")/24" dev eth0
  ip -n "$ns" link set eth0 up
  # Refused at once rather than after minutes of no answer.
  ip -n "$ns" route add unreachable default
}

on() {
  local folder=$RIG_DIR/$1 ns unshare first=; ns=$(name "$1")
  export RIG_FOLDER=$folder RIG_NAME=$ns RIG_ADDRESS RIG_BASE RIG_PROJECT RIG_PLUGINS
  RIG_ADDRESS=$(address "$1")
  RIG_BASE=$(cat "$folder/base")
  RIG_PROJECT=$(cd "$here/../../.." && pwd -P)
  RIG_PLUGINS=$("$here/plugins.sh")
  # nsenter and not `ip netns exec`, which hides the control groups that Docker needs.
  setsid nsenter --net="/run/netns/$ns" unshare --mount --pid --uts --ipc --fork bash "$here/boot.sh" \
    < /dev/null > "$folder/boot.log" 2>&1 &
  unshare=$!
  # Its only child is the server's first process.
  while [ -z "$first" ] && kill -0 "$unshare" 2> /dev/null; do
    read -r first _ < "/proc/$unshare/task/$unshare/children" || sleep 0.01
  done 2> /dev/null
  echo "$first" > "$folder/pid"
}

off() {
  local folder=$RIG_DIR/$1 pid
  pid=$(cat "$folder/pid" 2> /dev/null || true)
  # Another process may have the number by now.
  [ -z "$pid" ] || ! [ "/proc/$pid/ns/net" -ef "/run/netns/$(name "$1")" ] || kill -9 "$pid"
  rm -f "$folder/pid"
  # Its last mount goes some time after its last process; the disk must not be mounted twice.
  for _ in $(seq 1000); do
    [ -n "$(losetup -j "$folder/disk.img" 2> /dev/null)" ] || return 0
    sleep 0.02
  done
  echo "The disk of server $1 is still in use." >&2
  return 1
}

save() { cp --sparse=always "$RIG_DIR/$1/disk.img" "$2"; }

remove() {
  local folder=$RIG_DIR/$1 ns groups; ns=$(name "$1")
  off "$1"
  outside "$1" no 2> /dev/null || true
  # By hand: with its namespace it would go some time after that is deleted, and the next server N finds the port taken.
  ip -n "$switch" link del "port$1" 2> /dev/null || true
  ip netns del "$ns" 2> /dev/null || true
  for groups in /sys/fs/cgroup/"$ns" /sys/fs/cgroup/*/"$ns"; do
    [ ! -d "$groups" ] || find "$groups" -depth -type d -exec rmdir {} + 2> /dev/null || true
  done
  rm -rf --one-file-system "$folder"
}

cable() { ip -n "$switch" link set "port$1" "$2"; }

# Leaves forwarding on, as every Docker that is started on a machine does; without a rule nobody gets through.
outside() {
  local ns from out=(POSTROUTING -t nat ! -o "${RIG_PREFIX}0" -j MASQUERADE); ns=$(name "$1") from=(-s "$(address "$1")")
  iptables -w -D "${out[@]}" "${from[@]}" 2> /dev/null || true
  iptables -w -D FORWARD -j ACCEPT -i "${RIG_PREFIX}0" "${from[@]}" 2> /dev/null || true
  iptables -w -D FORWARD -j ACCEPT -o "${RIG_PREFIX}0" -d "$(address "$1")" 2> /dev/null || true
  if [ "$2" = no ]; then
    ip -n "$ns" route replace unreachable default
  else
    echo 1 > /proc/sys/net/ipv4/ip_forward
    iptables -w -A "${out[@]}" "${from[@]}"
    iptables -w -I FORWARD -j ACCEPT -i "${RIG_PREFIX}0" "${from[@]}"
    iptables -w -I FORWARD -j ACCEPT -o "${RIG_PREFIX}0" -d "$(address "$1")"
    ip -n "$ns" route del unreachable default 2> /dev/null || true
    # Small enough for machines whose own link carries less than the usual 1500 bytes.
    ip -n "$ns" route replace default via "$RIG_NET.1" mtu 1400 advmss 1360
  fi
}

# What tests started on this machine itself, such as a registry or a browser, and did not come to end.
strays() {
  local place
  for place in /proc/[0-9]*; do
    ! grep -qsz "^SLIPWAY_TESTS=$RIG_PREFIX\$" "$place/environ" || kill -9 "${place##*/}" 2> /dev/null || true
  done
}

down() {
  local folder
  strays
  for folder in "$RIG_DIR"/[0-9]*; do [ ! -d "$folder" ] || remove "${folder##*/}" || true; done
  ip link del "${RIG_PREFIX}0" 2> /dev/null || true
  ip netns del "$switch" 2> /dev/null || true
  rm -rf --one-file-system "$RIG_DIR"
}

guard() {
  cat > /dev/null || true
  down
}

"$@"
