import { command } from '../../remote/command.ts'

/**
 * Prints one block of figures every ten seconds, each ended by a line with a dot, for as long as somebody reads. The
 * second comes after one second, so that rates are there at once; the third after a pause of its own, so that the
 * servers of one process do not all speak at the same moment. Runs in dash, bash and busybox, and forks little: what
 * the shell can read itself it does. A block is said in one go, as one packet.
 */
const script = `
export LC_ALL=C
figures() {
  read -r line </proc/stat && echo "$line"
  read -r line </proc/loadavg && echo "load $line"
  read -r line </proc/uptime && echo "uptime $line"
  while read -r line; do
    case $line in
      MemTotal:* | MemFree:* | MemAvailable:* | Buffers:* | Cached:*) echo "$line" ;;
      Active:*) break ;;
    esac
  done </proc/meminfo
  grep -vE '^ *(lo|docker|veth|br-)' /proc/net/dev
  df -kP / | while read -r line; do echo "disk $line"; done
}
tell() {
  printf '%s\\n.\\n' "$(figures)" || exit
}
# Without the channel, so that it closes as soon as this shell ends.
pause() {
  sleep "$1" >/dev/null 2>&1
}
tell
pause 1
tell
pause "$1"
while :; do
  tell
  pause 10
done
`

/** What runs on a server; all of it is constant but the pause, which is a number of seconds. */
export const collector = (pause: number) => command('sh', '-c', script, 'slipway-metrics', String(pause))
