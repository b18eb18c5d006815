import { setTimeout as sleep } from 'node:timers/promises'
import type { Host } from '../host.ts'
import { ProxyUnreachable, sendToMaster } from './socket.ts'

interface Workers {
  current: number
  /** Workers that exit once their connections close. */
  old: number[]
  failedReloads: number
}

/** The master re-executes itself on start and reload and is briefly unreachable. */
export async function readWorkers(host: Host, patience = 5_000): Promise<Workers> {
  for (const end = Date.now() + patience; ; await sleep(15)) {
    try {
      return parseWorkers(await sendToMaster(host, 'show proc'))
    } catch (error) {
      if (!(error instanceof ProxyUnreachable) || Date.now() > end) throw error
    }
  }
}

function parseWorkers(text: string): Workers {
  const [now = '', before = ''] = text.split(/^# old workers$/m)
  const pids = (part: string) => [...part.matchAll(/^(\d+)\s+worker\s/gm)].map(([, pid]) => Number(pid))
  const current = pids(now).at(-1)
  if (current === undefined) throw new ProxyUnreachable()
  return {
    current,
    old: pids(before.split(/^# programs/m)[0] ?? ''),
    failedReloads: Number(/\[failed: (\d+)\]/.exec(text)?.[1] ?? 0),
  }
}
