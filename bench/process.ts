import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Finds the Slipway process below npm, not PostgreSQL. */
export function workerOf(npm: number): number {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
  const found = pids.find((pid) => {
    const inside = ancestors(pid).includes(npm)
    return inside && read(pid, 'cmdline').includes('scripts/start.mjs') && read(pid, 'comm').trim() === 'node'
  })
  if (!found) throw new Error('Slipway has no process.')
  return found
}

function ancestors(pid: number): number[] {
  const parent = Number(read(pid, 'stat').split(') ').at(-1)?.split(' ')[1])
  return parent > 1 ? [parent, ...ancestors(parent)] : []
}

export function cpuSeconds(pid: number): number {
  const fields = read(pid, 'stat').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Set in the environment of a measured Slipway. */
export const collecting = {
  NODE_OPTIONS: `--expose-gc --import=${join(import.meta.dirname, 'fixtures/collect-garbage.mjs')}`,
}

/** MB after garbage collection, because the time of collection says nothing about growth. */
export async function memory(pid: number): Promise<number> {
  process.kill(pid, 'SIGUSR2')
  await sleep(3_000)
  return resident(pid)
}

/** MB including garbage. */
export const resident = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(read(pid, 'status'))?.[1]) / 1024

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
