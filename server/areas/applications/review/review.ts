import type { z } from 'zod'
import type { reviewApplication as contract } from '../../../../contract/applications.ts'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../platform/transaction.ts'
import { formatBytes } from '../../../../contract/shared/bytes.ts'
import type { Actor } from '../../../route.ts'
import { getServerRow, getWebPorts, type ServerRow } from '../../servers/server.ts'
import { canActAsRoot } from '../../servers/root-access.ts'
import { assertNotDeleting } from '../../servers/assert-server-usable.ts'
import { checkMounts } from '../create-application.ts'
import { Invalid, Problem } from '../../../errors.ts'
import { repositoryProblems } from '../source-input.ts'
import { checkComposePlan, type NewApplication, planApplication } from '../plan-application.ts'
import { findBusyPorts } from '../entries/port-conflicts.ts'
import type { FieldProblems } from '../entries/ports.ts'
import { checkDnsTarget } from '../hosts/dns.ts'
import { buildWarnings, describeSteps, firstPlan } from './review-steps.ts'
import { formatList } from '../../../../contract/shared/format-list.ts'

type Review = z.input<(typeof contract)['reply']>['review']

export async function reviewApplication(ctx: Context, actor: Actor, input: NewApplication): Promise<Review> {
  const server = await getServerRow(ctx, actor, input.server_id)
  assertNotDeleting(server)
  await checkComposePlan(ctx, server, input)
  const asRoot = canActAsRoot(actor, server)
  const [plan, busy, warnings, missing] = await Promise.all([
    transaction(ctx.db, (trx) => planApplication(ctx, trx, server, input)),
    findBusyPorts(ctx, server, input.ports),
    findWarnings(ctx, server, input),
    repositoryProblems(ctx, actor, input.source, asRoot),
  ])
  return {
    steps: describeSteps({ ...server, ...getWebPorts(server) }, input, plan),
    warnings,
    problems: { ...missing, ...busy, ...plan.problems, ...mountProblems(asRoot, input) },
    generated_address: plan.generated?.host ?? null,
    plan: plan.compose ? firstPlan(asRoot, plan.compose) : null,
  }
}

function mountProblems(asRoot: boolean, input: NewApplication): FieldProblems {
  try {
    checkMounts(asRoot, input)
    return {}
  } catch (error) {
    if (error instanceof Invalid) return error.errors
    if (error instanceof Problem) return { volumes: [error.message] }
    throw error
  }
}

async function findWarnings(ctx: Context, server: ServerRow, input: NewApplication): Promise<string[]> {
  const hosts = [...new Set(input.domains.map(({ host }) => host))]
  const pointing = await Promise.all(hosts.map((host) => checkDnsTarget(ctx, server, host)))
  return [
    ...(server.status === 'ready' ? [] : [notReadyWarning(server)]),
    ...pointing.flatMap(({ problem }) => problem ?? []),
    ...('compose' in input.source ? [] : findImageWarnings(server, input)),
    ...('repository' in input.source ? buildWarnings(input.source) : []),
  ]
}

const findImageWarnings = (server: ServerRow, input: NewApplication): string[] => [
  ...tooMuch(server, input),
  ...missingPortWarning(input),
  ...parallelWriteWarning(input),
  ...(input.stop_first ? [`On each deployment ${stoppedFirstMessage(['the old container'])}`] : []),
]

const notReadyWarning = ({ name, status, reason }: ServerRow) =>
  status === 'setting_up'
    ? `${name} is being set up. The deployment waits until setup is done.`
    : `Server ${name} is not ready.${reason === null ? '' : ` ${reason}`} You can create the application now and deploy it once the server is ready.`

function tooMuch(
  { name, memory_bytes }: ServerRow,
  { replicas, memory_limit: memory }: NewApplication,
): string[] {
  if (memory === null || memory_bytes === null || memory * replicas <= memory_bytes) return []
  const all = replicas > 1 ? `All ${replicas} containers together` : 'The container'
  return [
    `${all} can use ${formatBytes(memory * replicas)} of memory, but ${name} has ${formatBytes(memory_bytes)}. When memory runs out, containers are killed.`,
  ]
}

/** The exposed port is enough for most images, unless the health check or a domain depends on it. */
function missingPortWarning({ port, health: { type }, domains }: NewApplication): string[] {
  const isNeeded = type === 'http' || type === 'tcp' || domains.some((domain) => domain.port === null)
  if (port !== null || !isNeeded) return []
  return [
    'No port is set, so the port that the image exposes is used. The deployment fails if the image exposes none or several.',
  ]
}

/** By default a deployment starts new containers before it stops old ones. */
const parallelWriteWarning = ({ volumes, stop_first: stopFirst }: NewApplication): string[] =>
  volumes.length === 0 || stopFirst
    ? []
    : [
        'Old and new containers use the same volumes during a deployment. For a database, choose “Stop old containers first” under Advanced.',
      ]

export const stoppedFirstMessage = (who: readonly string[]) =>
  `${formatList(who)} ${who.length > 1 ? 'are' : 'is'} stopped first: expect a few seconds of downtime.`
