import { setTimeout as sleep } from 'node:timers/promises'
import type { RigServer } from './rig/server.ts'

/** Notes, as a user without rights, what everybody on the server can read of its processes and of Slipway's files there. */
const watching = String.raw`
trap 'exit 0' TERM
while :; do
  cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr '\0\n' '  '
  echo
  cat /root/.slipway/work/* /tmp/slipway* /tmp/sh-thd* 2>/dev/null
done`

/**
 * Watches the argument lists of a server while something is done there. Resolves with what the watcher saw, once it has
 * seen that it sees everything.
 */
export async function watchArguments(host: RigServer, work: () => Promise<void>): Promise<string> {
  const seen = '/tmp/seen-arguments'
  const pid = await host.exec(
    'sh',
    '-c',
    'rm -f "$1"; touch "$1"; chmod 666 "$1"; su nobody -s /bin/sh -c "exec sh -c \'$2\' >$1 2>/dev/null" >/dev/null 2>&1 & echo $!',
    'sh',
    seen,
    watching.replaceAll("'", "'\\''"),
  )
  const control = `control-${Date.now()}`
  const sees = () => host.exec('grep', '-c', `sleep-${control}`, seen).then(Number, () => 0)
  try {
    await host.exec('sh', '-c', 'sleep 2 & exec sleep 0.5', `sleep-${control}`)
    for (let tries = 0; (await sees()) === 0; tries++) {
      if (tries > 50) throw new Error('The watcher does not see the processes of the server.')
      await host.exec('sh', '-c', 'sleep 0.3; true', `sleep-${control}`)
      await sleep(50)
    }
    await work()
    return await host.exec('cat', seen)
  } finally {
    await host
      .exec('sh', '-c', 'kill "$1"; pkill -u nobody; rm -f "$2"', 'sh', pid.trim(), seen)
      .catch(() => {})
  }
}
