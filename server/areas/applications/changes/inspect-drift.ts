import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import { formatBytesExact } from '../../../../contract/shared/bytes.ts'
import { RemoteError } from '../../../remote/errors.ts'
import { findInspection, type ContainerInspection } from '../../containers/inspect.ts'
import { getServerHost } from '../../servers/server-host.ts'
import { findServer } from '../../servers/server.ts'
import type { ContainerComparison } from './expected-container.ts'
import { toRestartPolicy } from './restart-policy.ts'
import type { ApplicationRow } from '../store.ts'

/** The latest inspection of the containers of an application. */
export interface DriftInspection {
  /** Container IDs and revisions that were inspected. */
  of: string
  at: number
  /** Undefined until the first inspection completes. */
  found: string[] | undefined
  looking: Promise<void>
}

/** Docker emits no event for some changes, so inspect regularly. */
const lookEvery = 30_000
/** Requests return the previous result rather than wait for an unresponsive server. */
const responseTimeout = 1_000
const most = 10_000

/** Compares limits, restart policy and networks, which only an inspection shows. */
export async function inspectDrift(
  ctx: Context,
  application: ApplicationRow,
  seen: ContainerComparison[],
): Promise<string[]> {
  const running = seen.filter(
    ({ instance, container }) => instance.state === 'serving' && container?.state === 'running',
  )
  const of = running.map(({ container }) => `${container?.id} ${container?.revision}`).join(' ')
  const { driftInspections: inspections } = ctx
  let look = inspections.get(application.id)
  if (look?.of !== of || performance.now() - look.at > lookEvery) {
    look = begin(ctx, application, running, of, look?.of === of ? look.found : undefined)
    inspections.delete(application.id)
    inspections.set(application.id, look)
    for (const oldest of inspections.keys()) if (inspections.size > most) inspections.delete(oldest)
  }
  await Promise.race([look.looking, sleep(responseTimeout, undefined, { ref: false })])
  return look.found ?? []
}

function begin(
  ctx: Context,
  application: ApplicationRow,
  running: ContainerComparison[],
  of: string,
  before: string[] | undefined,
): DriftInspection {
  const look: DriftInspection = { of, at: performance.now(), found: before, looking: Promise.resolve() }
  look.looking = fill(look)
  return look

  async function fill(into: DriftInspection) {
    try {
      into.found = await inspectAll(ctx, application, running)
    } catch (error) {
      ctx.driftInspections.delete(application.id)
      if (!(error instanceof RemoteError)) throw error
      ctx.log.debug({ application: application.id, why: error.message }, 'Container inspection failed')
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
    running.map(async (one) => {
      const inspected = await findInspection(docker, one.instance.container_id ?? '')
      return inspected ? driftInside(one, inspected) : []
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
    ...changed('memory limit', memoryOf(expected.memory), memoryOf(host.Memory)),
    ...changed('CPU limit', coresOf(expected.nanoCpus), coresOf(host.NanoCpus)),
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

const memoryOf = (bytes: number) => (bytes > 0 ? formatBytesExact(bytes) : 'none')
const coresOf = (nano: number) => (nano > 0 ? `${nano / 1e9} cores` : 'none')
