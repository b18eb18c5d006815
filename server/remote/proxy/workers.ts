import { setTimeout as sleep } from 'node:timers/promises'
import type { Host } from '../host.ts'
import { ProxyAway, tellMaster } from './talk.ts'

interface Workers {
  current: number
  /** Those that end once nobody is connected to them any more. */
  old: number[]
  failedReloads: number
}

/** The process over them takes over from itself when it starts and at every reload; it then says nothing for a moment. */
export async function askWorkers(host: Host, patience = 5_000): Promise<Workers> {
  for (const end = Date.now() + patience; ; await sleep(15)) {
    try {
      return readWorkers(await tellMaster(host, 'show proc'))
    } catch (error) {
      if (!(error instanceof ProxyAway) || Date.now() > end) throw error
    }
  }
}

function readWorkers(text: string): Workers {
  const [now = '', before = ''] = text.split(/^# old workers$/m)
  const pids = (part: string) => [...part.matchAll(/^(\d+)\s+worker\s/gm)].map(([, pid]) => Number(pid))
  const current = pids(now).at(-1)
  if (current === undefined) throw new ProxyAway()
  return {
    current,
    old: pids(before.split(/^# programs/m)[0] ?? ''),
    failedReloads: Number(/\[failed: (\d+)\]/.exec(text)?.[1] ?? 0),
  }
}
