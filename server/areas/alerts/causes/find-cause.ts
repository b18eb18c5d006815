import type { AlertKindName } from '../../../../contract/shared/alert-kinds.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { abortable, allowManyListeners } from '../../../platform/async.ts'
import type { Db } from '../../../tables.ts'
import { findRelease } from '../../applications/release.ts'
import { openErrors } from '../../deployments/run/deployment.ts'
import { getDeploymentRow } from '../../deployments/present-deployment.ts'
import { readLastLines } from '../../outputs/output.ts'
import type { IncidentStep } from '../evaluate.ts'
import { formatUtc } from '../incident-summary.ts'
import type { Cause } from '../incident.ts'
import { addApplicationSecrets, createSecretMask, type SecretCollector } from '../secret-mask.ts'
import { addCheckCause, addContainerCause } from './container-cause.ts'
import { addDiskCause } from './disk-cause.ts'
import { addLoadCause, addUnreachableCause } from './server-cause.ts'
import { toColoredLine, toSingleLine, truncate } from '../../../platform/text/plain-text.ts'
import type { Observation } from '../observer.ts'

/** Milliseconds for all causes of a pass: notifications wait for them. */
const timeLimit = 3_000
const concurrency = 20

export async function findCauses(
  ctx: Context,
  steps: readonly IncidentStep[],
  signal: AbortSignal,
): Promise<void> {
  const pending = steps.filter((step) => step.change === 'firing')
  if (pending.length === 0) return
  const deadline = new AbortController()
  const stop = () => deadline.abort()
  const timer = setTimeout(stop, timeLimit)
  signal.addEventListener('abort', stop)
  async function work() {
    for (let step = pending.shift(); step && !deadline.signal.aborted; step = pending.shift())
      step.cause = await findCause(ctx, step.observation, allowManyListeners(deadline.signal))
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, pending.length) }, work))
  clearTimeout(timer)
  signal.removeEventListener('abort', stop)
}

/** Returns what was found before the signal was aborted. An empty cause is not an error. */
export async function findCause(ctx: Context, observation: Observation, signal: AbortSignal): Promise<Cause> {
  const cause = createCauseCollector()
  const { kind } = observation.alert
  try {
    await abortable(finders[kind](ctx, observation, cause, signal), signal)
  } catch (error) {
    if (!signal.aborted)
      ctx.log.debug({ kind, reason: String(error) }, 'Failed to collect all details of an incident')
  }
  return cause.collected()
}

type CauseFinder = (
  ctx: Context,
  observation: Observation,
  cause: CauseCollector,
  signal: AbortSignal,
) => Promise<void>

const finders: Record<AlertKindName, CauseFinder> = {
  server_unreachable: addUnreachableCause,
  cpu: addLoadCause,
  memory: addLoadCause,
  disk: addDiskCause,
  load: addLoadCause,
  container_cpu: addContainerCause,
  container_memory: addContainerCause,
  container_stopped: addContainerCause,
  container_unhealthy: addContainerCause,
  container_restarting: addContainerCause,
  container_oom: addContainerCause,
  deployment_failed: addDeploymentCause,
  http_check: addCheckCause,
  certificate_expiry: addCertificateCause,
}

const lines = 10

async function addDeploymentCause(
  ctx: Context,
  { subject, reading }: Observation,
  cause: CauseCollector,
): Promise<void> {
  const { workspace_id: workspaceId } = subject
  if (!reading.deployment_id) return
  const row = await getDeploymentRow(ctx.db, workspaceId, reading.deployment_id)
  const release = row.release_id ? await findRelease(ctx.db, workspaceId, row.release_id) : undefined
  await addApplicationSecrets(ctx, ctx.db, subject, cause, release)
  const [error, ...containerLines] = openErrors(ctx, row)
  cause.fact('Error', error)
  cause.fact('Step', row.steps.find(({ status }) => status === 'failed')?.name)
  cause.fact('Deployment', row.message)
  cause.fact('Requested by', row.actor_name)
  cause.fact('Commit', row.commit && `${row.commit.sha.slice(0, 7)} ${row.commit.message}`)
  cause.fact('Image', row.tag ?? release?.image)
  cause.fact('Server', row.server_name)
  cause.addLogLines(
    containerLines.length > 0 ? containerLines : await readLastLines(ctx, ctx.db, workspaceId, row.id, lines),
  )
}

async function addCertificateCause(
  ctx: Context,
  { subject }: Observation,
  cause: CauseCollector,
): Promise<void> {
  const { workspace_id: workspaceId, name: host } = subject
  const certificate = await findCertificate(ctx.db, workspaceId, host)
  if (!certificate) return
  const { kind, issuer, expires_at: ends, error, next_try_at: next } = certificate
  cause.fact('Application', await addApplicationSecrets(ctx, ctx.db, subject, cause))
  cause.fact('Expires', ends && formatUtc(ends))
  cause.fact('Issued by', issuer)
  if (kind === 'uploaded') cause.fact('Renewal', 'Not renewed automatically: upload a new certificate')
  else {
    cause.fact('Last renewal failed', error)
    cause.fact('Next attempt', next && formatUtc(next))
  }
}

const findCertificate = (db: Db, workspaceId: Id<'workspace'>, host: string) =>
  db
    .selectFrom('certificates')
    .select(['kind', 'issuer', 'expires_at', 'error', 'next_try_at'])
    .where('workspace_id', '=', workspaceId)
    .where('host', '=', host)
    .executeTakeFirst()

/** Limits keep the cause short enough to read in a chat message. */
const [maxFacts, maxLines, maxCharacters] = [10, 10, 300]

export interface CauseCollector extends SecretCollector {
  fact(label: string, value: string | null | undefined): void
  addLogLines(lines: readonly string[]): void
}

/** Collects facts as they are found, so that a timeout still leaves a partial cause. */
function createCauseCollector(): CauseCollector & { collected(): Cause } {
  const facts = new Map<string, string>()
  const mask = createSecretMask()
  let logLines: readonly string[] = []
  // Mask before truncating, so that no part of a secret remains.
  const shown = (text: string) => truncate(mask.hide(toSingleLine(text)), maxCharacters)
  // Colors could hide a secret from the mask, so only lines without one keep theirs.
  const coloredLine = (text: string) => {
    const colored = toColoredLine(text)
    return shown(text) === toSingleLine(text) && colored.length <= 2 * maxCharacters ? colored : shown(text)
  }
  return {
    fact(label, value) {
      if (value !== null && value !== undefined && value.trim() !== '') facts.set(label, value)
    },
    addLogLines(lines) {
      logLines = lines
    },
    learn: (variables) => mask.learn(variables),
    collected: () => ({
      facts: [...facts].slice(0, maxFacts).map(([label, value]) => ({ label, value: shown(value) })),
      lines: logLines
        .filter((line) => shown(line) !== '')
        .map(coloredLine)
        .slice(-maxLines),
    }),
  }
}
