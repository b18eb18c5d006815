# Prints process ID, path, mode and text of the configuration file of the running dockerd.
pid=$(cat /var/run/docker.pid 2> /dev/null) && [ "$(cat "/proc/$pid/comm")" = dockerd ] || exit 1
file=$(tr '\0' '\n' < "/proc/$pid/cmdline" | sed -n 's/^--config-file=//p; /^--config-file$/{n;p;}' | head -n 1)
file=$(readlink -f "${file:-/etc/docker/daemon.json}" || echo /etc/docker/daemon.json)
printf '%s\n' "$pid" "$file"
if [ -e "$file" ]; then stat -c %a "$file" && cat "$file"; fi
