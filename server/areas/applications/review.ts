import type { z } from 'zod'
import type { reviewApplication as contract } from '../../../contract/applications.ts'
import type { Context } from '../../context.ts'
import { transaction } from '../../platform/transaction.ts'
import { aboutBytes } from '../../platform/bytes.ts'
import type { Actor } from '../../route.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { webPortsOf } from '../servers/web-ports.ts'
import { checkMounts, mustStay } from './create.ts'
import { Invalid, Problem } from '../../errors.ts'
import { type NewApplication, planApplication } from './plan.ts'
import { findBusy, type Problems } from './ports.ts'
import { findPointing } from './points-here.ts'
import { counted, stepsOf } from './review-steps.ts'

type Review = z.input<(typeof contract)['reply']>['review']

/** The checks of making one, and what would happen, without making anything. */
export async function reviewApplication(ctx: Context, actor: Actor, given: NewApplication): Promise<Review> {
  const server = await getServerRow(ctx, actor, given.server_id)
  mustStay(server)
  const [plan, busy, warnings] = await Promise.all([
    transaction(ctx.db, (trx) => planApplication(ctx, trx, server, given)),
    findBusy(ctx, server, given.ports),
    findWarnings(ctx, server, given),
  ])
  return {
    steps: stepsOf({ ...server, ...webPortsOf(server) }, given, plan),
    warnings,
    problems: { ...busy, ...plan.problems, ...mountProblems(actor, given) },
    generated_address: plan.generated?.host ?? null,
  }
}

/** Where making it would be refused, said at the field. */
function mountProblems(actor: Actor, given: NewApplication): Problems {
  try {
    checkMounts(actor, given)
    return {}
  } catch (error) {
    if (error instanceof Invalid) return error.errors
    if (error instanceof Problem) return { volumes: [error.message] }
    throw error
  }
}

/** What may come out well in the end, and stands in nobody's way. */
async function findWarnings(ctx: Context, server: ServerRow, given: NewApplication): Promise<string[]> {
  const hosts = [...new Set(given.domains.map(({ host }) => host))]
  const pointing = await Promise.all(hosts.map((host) => findPointing(ctx, server, host)))
  return [
    ...(server.status === 'ready' ? [] : [notReady(server)]),
    ...pointing.flatMap(({ says }) => says ?? []),
    ...tooMuch(server, given),
    ...unprobed(given),
    ...sideBySide(given),
  ]
}

const notReady = ({ name, reason }: ServerRow) =>
  `The server ${name} is not ready${reason === null ? '.' : `: ${reason}`} The application can be made now, and deployed once the server is.`

function tooMuch({ name, memory_bytes, cpus }: ServerRow, given: NewApplication): string[] {
  const { replicas, memory_limit: memory, cpu_limit: cpu } = given
  const all = replicas > 1 ? `All ${replicas} containers together` : 'Its container'
  return [
    ...(memory !== null && memory_bytes !== null && memory * replicas > memory_bytes
      ? [
          `${all} may take ${aboutBytes(memory * replicas)} of memory, and ${name} has ${aboutBytes(memory_bytes)}.`,
        ]
      : []),
    ...(cpu !== null && cpus !== null && cpu > cpus
      ? [`A container may take ${counted(cpu, 'core')}, and ${name} has ${cpus}.`]
      : []),
  ]
}

/** What cannot be asked counts as well. */
function unprobed({
  port,
  health: { type },
  domains,
  generated_address: generated,
}: NewApplication): string[] {
  if (port !== null || type === 'docker') return []
  if (type === 'none' && domains.length === 0 && !generated) return []
  return [
    'No port is named, so it must be the only one that the image exposes. An image that exposes none, or several, can neither be asked whether it is well nor be reached at an address.',
  ]
}

/** A deployment starts the new before it ends the old. */
const sideBySide = ({ volumes, replicas }: NewApplication): string[] =>
  volumes.length === 0
    ? []
    : [
        `${replicas > 1 ? 'All containers share the same volumes, and at' : 'At'} each deployment the old and the new containers run side by side for a moment with the same volumes mounted. What cannot share its files, such as a database, has to be stopped before it is deployed again.`,
      ]
