import type { Context } from '../../../context.ts'
import { formatBytes } from '../../../../contract/shared/bytes.ts'
import type { Host } from '../../../remote/host.ts'
import { getServerHost } from '../../servers/server-host.ts'
import type { Observation } from '../observation.ts'
import type { CauseCollector } from './cause-collector.ts'
import { type ProcessUsage, topCpuProcesses, topMemoryProcesses } from './processes.ts'
import { findSubjectServer } from './find-subject-server.ts'
import { findLatestSample, listTopContainers } from './store.ts'

/** Adds the processes and containers that use most of the memory or CPU. */
export async function addLoadCause(
  ctx: Context,
  { alert, subject }: Observation,
  gathering: CauseCollector,
  signal: AbortSignal,
): Promise<void> {
  const { workspace_id: workspaceId } = subject
  const server = await findSubjectServer(ctx, subject)
  if (!server) return
  const sample = await findLatestSample(ctx.db, workspaceId, server.id)
  if (sample && alert.kind === 'memory')
    gathering.fact('Memory', `${formatBytes(sample.memory_used)} of ${formatBytes(sample.memory_total)}`)
  else if (sample) {
    const loads = [sample.load_1, sample.load_5, sample.load_15].map((load) => load.toFixed(2)).join(', ')
    gathering.fact('Load', `${loads}${server.cpus === null ? '' : ` on ${server.cpus} cores`}`)
  }
  const by = alert.kind === 'memory' ? 'memory_used' : 'cpu'
  const containers = await listTopContainers(ctx.db, workspaceId, server.id, by)
  const say = by === 'cpu' ? formatCpuUsers : formatMemoryUsers
  gathering.fact('Containers', say(containers.map((one) => ({ name: one.name, usage: one[by] ?? 0 }))))
  if (server.status === 'ready') await addProcesses(getServerHost(ctx, server), by, gathering, signal)
}

async function addProcesses(
  host: Host,
  by: 'cpu' | 'memory_used',
  gathering: CauseCollector,
  signal: AbortSignal,
): Promise<void> {
  if (by === 'memory_used') {
    gathering.fact('Processes', formatMemoryUsers(await topMemoryProcesses(host, signal)))
    return
  }
  const { greedy, waiting } = await topCpuProcesses(host, signal)
  gathering.fact('Processes', formatCpuUsers(greedy))
  gathering.fact('Waiting for disk I/O', waiting.slice(0, 5).join(', '))
}

const formatMemoryUsers = (all: readonly ProcessUsage[]) =>
  all.map(({ name, usage }) => `${name} ${formatBytes(usage)}`).join(', ')

const formatCpuUsers = (all: readonly ProcessUsage[]) =>
  all
    .map(({ name, usage }) => ({ name, percent: Math.round(usage * 100) }))
    .filter(({ percent }) => percent > 0)
    .map(({ name, percent }) => `${name} ${percent} %`)
    .join(', ')
