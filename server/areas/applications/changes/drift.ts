import type { Context } from '../../../context.ts'
import type { Db } from '../../../tables.ts'
import { inspectDrift } from './inspect-drift.ts'
import { type ExpectedContainer, type ContainerComparison, withExpected } from './expected-container.ts'
import { wasStoppedManually } from './restart-policy.ts'
import {
  listUnknownContainers,
  type ObservedContainer,
  listObservedContainers,
} from './observed-containers.ts'
import type { ApplicationRow } from '../store.ts'

/** Describes manual changes on the server; empty while the server is unreachable. */
export async function describeDrift(ctx: Context, application: ApplicationRow): Promise<string[]> {
  const { workspace_id } = application
  const seen = await listObservedContainers(ctx.db, workspace_id, application)
  // Ignore differences during a deployment, which changes containers itself.
  if (!seen || (await isDeployed(ctx.db, application))) return []
  const strangers = await listUnknownContainers(ctx.db, workspace_id, application)
  const known = withExpected(ctx, application, seen)
  return [
    ...known.flatMap(plainDrift),
    ...(await inspectDrift(ctx, application, known)),
    ...strangers.map(
      ({ name }) =>
        `Container ${name} is labeled as part of this application, but was not created by Slipway.`,
    ),
  ]
}

const isDeployed = async (db: Db, { workspace_id, id }: ApplicationRow) =>
  (await db
    .selectFrom('deployments')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('application_id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirst()) !== undefined

function plainDrift({ instance, expected, container }: ContainerComparison): string[] {
  const { name } = expected
  const { state } = instance
  if (state !== 'serving' && state !== 'stopped') return []
  if (!container) return [`Container ${name} was removed manually.`]
  const renamed =
    container.name === name ? [] : [`Container ${name} was manually renamed to ${container.name}.`]
  const done = state === 'serving' ? doneTo(container, expected) : startedAnyway(container)
  return [...(done ? [`Container ${name} ${done}`] : []), ...renamed]
}

function doneTo(
  { state, exit_code: code }: NonNullable<ObservedContainer['container']>,
  { restart, completes }: ExpectedContainer,
): string | undefined {
  if (state === 'paused') return 'was paused manually.'
  const isOver = state === 'exited' || state === 'dead'
  if (completes && code === 0) return undefined
  return isOver && wasStoppedManually(restart, code) ? 'was stopped manually.' : undefined
}

const startedAnyway = ({ state }: NonNullable<ObservedContainer['container']>) =>
  ['running', 'restarting', 'paused'].includes(state)
    ? 'was started manually although the application is stopped.'
    : undefined
