import { command } from '../../../remote/command.ts'
import type { Host } from '../../../remote/host.ts'

export interface ProcessUsage {
  name: string
  /** Bytes of memory or CPU cores, summed over all processes of this name. */
  usage: number
}

/**
 * Reads /proc because columns of `ps` differ between distributions. Reads names only: arguments can contain secrets.
 */
const memoryScript = `grep -sE '^(Name|VmRSS):' /proc/[0-9]*/status`
const seconds = 1
const cpuScript = `cat /proc/[0-9]*/stat 2>/dev/null; echo --; sleep ${seconds}; cat /proc/[0-9]*/stat 2>/dev/null`

/** Linux counts CPU time in ticks of 1/100 s. */
const ticks = 100

export async function topMemoryProcesses(host: Host, signal: AbortSignal): Promise<ProcessUsage[]> {
  const text = await output(host, memoryScript, signal)
  const found: ProcessUsage[] = []
  let name = ''
  for (const line of text.split('\n')) {
    const [, field = '', value = ''] = /^\/proc\/\d+\/status:(\w+):\s*(.*)$/.exec(line) ?? []
    if (field === 'Name') name = value
    if (field === 'VmRSS') found.push({ name, usage: Number.parseInt(value, 10) * 1_024 })
  }
  return summed(found)
}

/** Measures CPU use over one second, and lists processes that wait for I/O. */
export async function topCpuProcesses(host: Host, signal: AbortSignal) {
  const text = await output(host, cpuScript, signal)
  const [before = '', after = ''] = text.split('\n--\n')
  const first = new Map(before.split('\n').flatMap(readStat))
  const found = after.split('\n').flatMap(readStat)
  const greedy = found.map(([id, { name, used }]) => ({
    name,
    // A process that started in between used all of its CPU time since.
    usage: Math.max(0, used - (first.get(id)?.used ?? 0)) / ticks / seconds,
  }))
  const waiting = found.filter(([, { state }]) => state === 'D').map(([, { name }]) => name)
  return { greedy: summed(greedy), waiting: [...new Set(waiting)] }
}

/** The process name can contain brackets, so fields start after the last one. */
function readStat(line: string): [string, { name: string; state: string; used: number }][] {
  const [, id = '', name = '', rest = ''] = /^(\d+) \((.*)\) (.*)$/.exec(line) ?? []
  const fields = rest.split(' ')
  const used = Number(fields[11]) + Number(fields[12])
  return id === '' || Number.isNaN(used) ? [] : [[id, { name, state: fields[0] ?? '', used }]]
}

function summed(all: readonly ProcessUsage[]): ProcessUsage[] {
  const sums = new Map<string, number>()
  for (const { name, usage } of all) sums.set(name, (sums.get(name) ?? 0) + usage)
  return [...sums]
    .map(([name, usage]) => ({ name, usage }))
    .filter(({ usage }) => usage > 0)
    .toSorted((one, other) => other.usage - one.usage)
    .slice(0, 5)
}

async function output(host: Host, script: string, signal: AbortSignal): Promise<string> {
  const { stdout } = await host.run(command('sh', '-c', script), { signal, maxBytes: 4 * 1024 ** 2 })
  return stdout
}
