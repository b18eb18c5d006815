import { command } from '../../../remote/command.ts'
import type { Host } from '../../../remote/host.ts'

export interface ProcessUsage {
  name: string
  /** Of all processes of this name: bytes, or cores. */
  takes: number
}

/** Read from /proc, which is alike everywhere: not every `ps` knows the same columns. Only names: arguments hold secrets. */
const memoryScript = `grep -sE '^(Name|VmRSS):' /proc/[0-9]*/status`
const seconds = 1
const cpuScript = `cat /proc/[0-9]*/stat 2>/dev/null; echo --; sleep ${seconds}; cat /proc/[0-9]*/stat 2>/dev/null`

/** The kernel counts so many for each second that a process computes. */
const ticks = 100

/** What takes most of the memory of a machine. */
export async function topMemoryProcesses(host: Host, signal: AbortSignal): Promise<ProcessUsage[]> {
  const text = await output(host, memoryScript, signal)
  const found: ProcessUsage[] = []
  let name = ''
  for (const line of text.split('\n')) {
    const [, field = '', value = ''] = /^\/proc\/\d+\/status:(\w+):\s*(.*)$/.exec(line) ?? []
    if (field === 'Name') name = value
    if (field === 'VmRSS') found.push({ name, takes: Number.parseInt(value, 10) * 1_024 })
  }
  return summed(found)
}

/** What computes most within a second, and what waits for a disk or a network meanwhile. */
export async function topCpuProcesses(host: Host, signal: AbortSignal) {
  const text = await output(host, cpuScript, signal)
  const [before = '', after = ''] = text.split('\n--\n')
  const first = new Map(before.split('\n').flatMap(readStat))
  const found = after.split('\n').flatMap(readStat)
  const greedy = found.map(([id, { name, used }]) => ({
    name,
    // One that has begun meanwhile has used all of it since.
    takes: Math.max(0, used - (first.get(id)?.used ?? 0)) / ticks / seconds,
  }))
  const waiting = found.filter(([, { state }]) => state === 'D').map(([, { name }]) => name)
  return { greedy: summed(greedy), waiting: [...new Set(waiting)] }
}

/** The name may hold anything, brackets too; what is behind the last of them does not. */
function readStat(line: string): [string, { name: string; state: string; used: number }][] {
  const [, id = '', name = '', rest = ''] = /^(\d+) \((.*)\) (.*)$/.exec(line) ?? []
  const fields = rest.split(' ')
  const used = Number(fields[11]) + Number(fields[12])
  return id === '' || Number.isNaN(used) ? [] : [[id, { name, state: fields[0] ?? '', used }]]
}

function summed(all: readonly ProcessUsage[]): ProcessUsage[] {
  const sums = new Map<string, number>()
  for (const { name, takes } of all) sums.set(name, (sums.get(name) ?? 0) + takes)
  return [...sums]
    .map(([name, takes]) => ({ name, takes }))
    .filter(({ takes }) => takes > 0)
    .toSorted((one, other) => other.takes - one.takes)
    .slice(0, 5)
}

async function output(host: Host, script: string, signal: AbortSignal): Promise<string> {
  const { stdout } = await host.run(command('sh', '-c', script), { signal, maxBytes: 4 * 1024 ** 2 })
  return stdout
}
