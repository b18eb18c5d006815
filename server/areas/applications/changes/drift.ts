import type { Context } from '../../../context.ts'
import type { Db } from '../../../tables.ts'
import {
  type ContainerComparison,
  type ExpectedContainer,
  toRestartPolicy,
  wasStoppedManually,
  withExpected,
} from './expected-container.ts'
import {
  listObservedContainers,
  listUnknownContainers,
  type ObservedContainer,
} from './observed-containers.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatBytesExact } from '../../../../contract/shared/bytes.ts'
import { RemoteError } from '../../../remote/errors.ts'
import { getServerHost } from '../../servers/server-host.ts'
import { findServer } from '../../servers/server.ts'
import type { ApplicationRow } from '../application.ts'
import { type ContainerInspection, findInspection } from '../../containers/docker-container.ts'

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

export interface DriftInspection {
  of: string
  at: number
  found: string[] | undefined
  looking: Promise<void>
}

/** Docker emits no event for some changes, so inspect regularly. */
const lookEvery = 30_000
/** Requests return the previous result rather than wait for an unresponsive server. */
const responseTimeout = 1_000
const most = 10_000

async function inspectDrift(
  ctx: Context,
  application: ApplicationRow,
  seen: ContainerComparison[],
): Promise<string[]> {
  const running = seen.filter(
    ({ instance, container }) => instance.state === 'serving' && container?.state === 'running',
  )
  const of = running.map(({ container }) => `${container?.id} ${container?.revision}`).join(' ')
  const { driftInspections: inspections } = ctx
  let inspection = inspections.get(application.id)
  if (inspection?.of !== of || performance.now() - inspection.at > lookEvery) {
    inspection = begin(ctx, application, running, of, inspection?.of === of ? inspection.found : undefined)
    inspections.delete(application.id)
    inspections.set(application.id, inspection)
    for (const oldest of inspections.keys()) if (inspections.size > most) inspections.delete(oldest)
  }
  await Promise.race([inspection.looking, sleep(responseTimeout, undefined, { ref: false })])
  return inspection.found ?? []
}

function begin(
  ctx: Context,
  application: ApplicationRow,
  running: ContainerComparison[],
  of: string,
  before: string[] | undefined,
): DriftInspection {
  const inspection: DriftInspection = { of, at: performance.now(), found: before, looking: Promise.resolve() }
  inspection.looking = fill(inspection)
  return inspection

  async function fill(into: DriftInspection) {
    try {
      into.found = await inspectAll(ctx, application, running)
    } catch (error) {
      ctx.driftInspections.delete(application.id)
      if (!(error instanceof RemoteError)) throw error
      ctx.log.debug({ application: application.id, reason: error.message }, 'Failed to inspect a container')
    }
  }
}

async function inspectAll(
  ctx: Context,
  application: ApplicationRow,
  running: ContainerComparison[],
): Promise<string[]> {
  const server = await findServer(ctx, application.workspace_id, application.server_id)
  if (!server || running.length === 0) return []
  const { docker } = getServerHost(ctx, server)
  const all = await Promise.all(
    running.map(async (entry) => {
      const inspected = await findInspection(docker, entry.instance.container_id ?? '')
      return inspected ? driftInside(entry, inspected) : []
    }),
  )
  return all.flat()
}

function driftInside({ instance, expected }: ContainerComparison, inspected: ContainerInspection): string[] {
  const { HostConfig: host, NetworkSettings: settings } = inspected
  const { name } = expected
  const changed = (what: string, from: string, to: string) =>
    from === to ? [] : [`The ${what} of container ${name} was changed manually from ${from} to ${to}.`]
  const own = instance.network
  const isLeft = (network: string) =>
    network === own
      ? settings.Networks?.[network]?.IPAddress !== instance.address
      : settings.Networks !== null && !settings.Networks[network]
  return [
    ...changed('memory limit', formatMemory(expected.memory), formatMemory(host.Memory)),
    ...changed('CPU limit', formatCores(expected.nanoCpus), formatCores(host.NanoCpus)),
    ...changed('restart policy', expected.restart, toRestartPolicy(host.RestartPolicy?.Name)),
    ...expected.networks
      .filter(isLeft)
      .map((network) =>
        network === own
          ? `Container ${name} was manually disconnected from Slipway’s network, so it receives no requests.`
          : `Container ${name} was manually disconnected from network ${network}.`,
      ),
  ]
}

const formatMemory = (bytes: number) => (bytes > 0 ? formatBytesExact(bytes) : 'none')
const formatCores = (nano: number) => (nano > 0 ? `${nano / 1e9} cores` : 'none')
