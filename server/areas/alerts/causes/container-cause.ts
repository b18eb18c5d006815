import type { Context } from '../../../context.ts'
import { formatBytes, formatBytesExact } from '../../../../contract/shared/bytes.ts'
import type { Docker } from '../../../remote/host.ts'
import { readEnvironmentVariables } from '../../containers/get-container.ts'
import { findInspection, type ContainerInspection } from '../../containers/inspect.ts'
import { readLastLogLines, readExit } from '../../deployments/containers/container-exit.ts'
import { getServerHost } from '../../servers/server-host.ts'
import { addApplicationSecrets } from '../application-secrets.ts'
import type { Observation } from '../observation.ts'
import type { CauseCollector } from './cause-collector.ts'
import { findSubjectServer } from './find-subject-server.ts'
import { findContainer } from './store.ts'

export async function addContainerCause(
  ctx: Context,
  { alert, subject }: Observation,
  gathering: CauseCollector,
  signal: AbortSignal,
): Promise<void> {
  const { workspace_id: workspaceId } = subject
  const server = await findSubjectServer(ctx, subject)
  if (!server) return
  gathering.fact('Application', await addApplicationSecrets(ctx, ctx.db, subject, gathering))
  const row = await findContainer(ctx.db, workspaceId, server.id, subject.id)
  gathering.fact('Image', row?.image)
  gathering.fact('Exit code', describeExitCode(row?.exit_code ?? null))
  if (row && alert.kind === 'container_cpu')
    gathering.fact('CPU', row.cpu === null ? '' : `${row.cpu.toFixed(2)} cores`)
  if (row && /memory|oom/.test(alert.kind))
    gathering.fact('Memory', describeMemory(row.memory_used, row.memory_limit))
  if (server.status !== 'ready') return
  const { docker } = getServerHost(ctx, server)
  const found = await findInspection(docker, subject.id, signal)
  if (!found) return
  await addContainerLog(docker, found, gathering, signal)
  addState(found, gathering)
  if (alert.kind === 'container_unhealthy')
    gathering.fact('Health check', found.State.Health?.Log?.at(-1)?.Output)
  if (ended.includes(alert.kind)) await addEnding(docker, found, gathering)
}

const ended: string[] = ['container_stopped', 'container_restarting', 'container_oom']

/** Reads more of each line than a message shows, because a secret must be masked before the line is truncated. */
const [lines, longest] = [10, 8_000]

/** Must run after the secrets are collected, so that log lines can be masked. */
export async function addContainerLog(
  docker: Docker,
  found: ContainerInspection,
  gathering: CauseCollector,
  signal: AbortSignal,
): Promise<void> {
  gathering.learn(readEnvironmentVariables(found))
  const container = { id: found.Id, tty: found.Config.Tty }
  gathering.addLogLines(await readLastLogLines(docker, container, lines, signal, longest))
}

function addState({ State, RestartCount, HostConfig }: ContainerInspection, gathering: CauseCollector): void {
  gathering.fact('Error', State.Error)
  gathering.fact('Restarts', RestartCount > 0 ? String(RestartCount) : '')
  gathering.fact('Memory limit', HostConfig.Memory > 0 ? formatBytesExact(HostConfig.Memory) : '')
}

async function addEnding(
  docker: Docker,
  found: ContainerInspection,
  gathering: CauseCollector,
): Promise<void> {
  const { code, outOfMemory } = await readExit(docker, found)
  gathering.fact('Exit code', describeExitCode(code))
  gathering.fact('Out of memory', outOfMemory ? 'Yes, killed by the kernel' : '')
}

const meanings: Record<number, string> = {
  126: 'the command is not executable',
  127: 'command not found',
  134: 'aborted',
  137: 'killed (SIGKILL)',
  139: 'segmentation fault',
  143: 'terminated (SIGTERM)',
}

function describeExitCode(code: number | null): string | null {
  if (code === null) return null
  const meaning = meanings[code]
  return meaning === undefined ? String(code) : `${code}: ${meaning}`
}

const describeMemory = (used: number | null, most: number | null) =>
  used === null ? null : `${formatBytes(used)}${most ? ` of ${formatBytes(most)}` : ''}`
