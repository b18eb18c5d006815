import { vi } from 'vitest'
import type { RigServer } from '../rig/server.ts'

/** Records as an unprivileged user what is readable of processes and Slipway's files. */
const watching = String.raw`
while [ ! -e "$1/enough" ]; do
  cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ /root/.slipway/work/* /tmp/slipway* /tmp/tmp.* 2>/dev/null | tr '\0' ' '
done >"$1/seen"`

/** Returns the words that another user can read during the work. */
export async function seenMeanwhile(
  host: RigServer,
  words: readonly string[],
  work: () => Promise<unknown>,
): Promise<string[]> {
  const folder = (await host.exec('mktemp', '-d', '/var/tmp/watch.XXXXXX')).trim()
  await host.exec('chown', 'nobody', folder)
  const asNobody = ['-s', '/bin/sh', 'nobody', '-c', `${watching}\n`, 'sh', folder]
  const over = host.exec('su', ...asNobody)
  try {
    await vi.waitFor(() => host.exec('test', '-s', `${folder}/seen`))
    await work()
    await host.exec('touch', `${folder}/enough`)
    await over
    const found = await Promise.all(
      words.map((word) => host.exec('grep', '-cF', '--', word, `${folder}/seen`).then(Number, () => 0)),
    )
    return words.filter((_, at) => (found[at] ?? 0) > 0)
  } finally {
    await host.exec('touch', `${folder}/enough`)
    await over
    await host.exec('rm', '-r', folder)
  }
}
