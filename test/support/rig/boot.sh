#!/usr/bin/env bash
# Runs first in a server's namespaces, as its process 1: builds its root over RIG_BASE, moves into it, and becomes its init.
set -euo pipefail

disk=$RIG_FOLDER/disk
mount --make-rprivate /
mount -o loop "$RIG_FOLDER/disk.img" "$disk"
mkdir -p "$disk"/{upper,work,root,docker,slipway,hidden}
mount -t overlay -o "lowerdir=$RIG_BASE,upperdir=$disk/upper,workdir=$disk/work" overlay "$disk/root"
cd "$disk/root"

mount -t proc proc proc
mount --bind /dev dev
mount -t tmpfs tmpfs dev/shm
mount -t devpts -o newinstance,mode=620,gid=5,ptmxmode=666 devpts dev/pts
mount --bind dev/pts/ptmx dev/ptmx
mount --bind /sys sys
# Containers of different servers have control groups of the same names: each server sees a branch of its own.
if [ -e /sys/fs/cgroup/cgroup.procs ]; then
  mount --bind /sys/fs/cgroup sys/fs/cgroup
else
  mount -t tmpfs -o mode=755 tmpfs sys/fs/cgroup
  for group in /sys/fs/cgroup/*; do
    mkdir -p "$group/$RIG_NAME" ".$group"
    # A branch without processors and memory takes no process.
    for own in cpuset.cpus cpuset.mems; do
      [ ! -e "$group/$own" ] || cat "$group/$own" > "$group/$RIG_NAME/$own"
    done
    mount --bind "$group/$RIG_NAME" ".$group"
  done
  # Docker tells no figures of containers while one is in use that shows nowhere, as after another program mounted it.
  while IFS=: read -r _ group _; do
    case $group in '' | name=*) continue ;; esac
    [ -d "sys/fs/cgroup/$group" ] || { mkdir "sys/fs/cgroup/$group" && mount -t cgroup -o "$group" cgroup "sys/fs/cgroup/$group"; }
  done < proc/self/cgroup
fi
mount -t tmpfs -o mode=755 tmpfs run
# Not in memory: where the disk is full, it is full here as well.
rm -rf "$disk/tmp"
mkdir -m 1777 "$disk/tmp"
mount --bind "$disk/tmp" tmp
# Nothing of the developer's own shows in a server, nor the project itself, wherever it lies.
for place in root home work mnt srv media opt "${RIG_PROJECT#/}"; do
  [ -d "$place" ] || continue
  mkdir -p "$disk/hidden/$place"
  mount --bind "$disk/hidden/$place" "$place"
done
# Docker's storage cannot lie on an overlay.
mkdir -p var/lib/docker run/sshd run/rig old
mount --bind "$disk/docker" var/lib/docker
# Compose and buildx, where there is a Docker that brings none.
plugins=usr/local/lib/docker/cli-plugins
[ "$RIG_BASE" != / ] || { mkdir -p "$plugins" && mount --bind -o ro "$RIG_PLUGINS" "$plugins"; }

if ! [ -e "$disk/booted" ]; then
  chmod 700 root
  rm -rf var/lib/slipway etc/ssh/ssh_host_* etc/ssh/sshd_config.d etc/docker usr/sbin/policy-rc.d etc/resolv.conf
  # A resolver of systemd's listens on this machine's own loopback, where a server does not reach it.
  cat /run/systemd/resolve/resolv.conf > etc/resolv.conf 2> /dev/null || cat /etc/resolv.conf > etc/resolv.conf
  cat > etc/ssh/sshd_config <<END
HostKey /etc/ssh/ssh_host_ed25519_key
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
UseDNS no
MaxStartups 100:30:200
Subsystem sftp internal-sftp
END
  if [ -x usr/sbin/dockerd ]; then
    mkdir -p etc/docker
    cat > etc/docker/daemon.json <<END
{
  "insecure-registries": ["${RIG_ADDRESS%.*}.0/24"],
  "exec-opts": ["native.cgroupdriver=cgroupfs"],
  "features": { "buildkit": true }
}
END
  fi
  touch "$disk/booted"
fi
# On a copy of another server's disk as well, which must not be taken for that server.
if ! cmp -s "$RIG_FOLDER/hostkey" etc/ssh/ssh_host_ed25519_key; then
  cp "$RIG_FOLDER/hostkey" etc/ssh/ssh_host_ed25519_key
  cp "$RIG_FOLDER/hostkey.pub" etc/ssh/ssh_host_ed25519_key.pub
  echo "$RIG_NAME" > etc/hostname
  printf '127.0.0.1 localhost\n%s %s\n' "$RIG_ADDRESS" "$RIG_NAME" > etc/hosts
  rm -f etc/docker/key.json var/lib/docker/engine-id
fi

# Starts a daemon again soon after it ends, as systemd would, unless a test wants it to stay down.
cat > run/rig/init <<'END'
keep() {
  local daemon=$1
  shift
  while :; do
    [ -e "/run/rig/no-$daemon" ] || "$@" >> "/var/log/$daemon.log" 2>&1 || true
    sleep 0.2
  done
}
! hash dockerd 2> /dev/null || keep dockerd dockerd &
keep sshd /usr/sbin/sshd -D -e &
wait
END
hostname "$RIG_NAME"
pivot_root . old
umount -l /old
cd /
# Another engine than this machine's, for a run by hand: RIG_ENGINE=$(test/support/rig/plugins.sh forky)/engine npm test -- FILE
exec env -i PATH="${RIG_ENGINE:+$RIG_ENGINE:}"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb bash /run/rig/init
