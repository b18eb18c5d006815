import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import { getServerRow } from '../servers/server.ts'
import { type Container, toContainer, toPorts } from './container.ts'
import { assertCanControl, getContainerRights } from './container-access.ts'
import { findContainerRow, findLiveServer } from './store.ts'
import { nameImages } from './image-names.ts'
import type { z } from 'zod'
import type { containerDetails } from '../../../contract/containers.ts'
import { type ContainerInspection, containerTarget, inspectContainer } from './docker-container.ts'

export async function getContainer(ctx: Context, actor: Actor, id: Id<'server'>, cid: string) {
  const server = await getServerRow(ctx, actor, id)
  const inspected = await inspectContainer(ctx, server, cid)
  const read = toContainer(inspected)
  const [container = read] = await nameImages(ctx.db, actor.workspace.id, id, [read])
  const figures = await findFigures(ctx, actor, id, inspected.Id)
  const { application, ...rights } = await getContainerRights(ctx, actor, server, inspected)
  const details = toContainerDetails(inspected, {
    ...container,
    ...(container.state === 'running' && figures),
  })
  return {
    ...(rights.masked ? maskDetails(details) : details),
    ...rights,
    application: application ? { id: application.id, name: application.name } : null,
  }
}

async function findFigures(ctx: Context, { workspace }: Actor, id: Id<'server'>, containerId: string) {
  if (!(await findLiveServer(ctx.db, workspace.id, id))) return undefined
  const row = await findContainerRow(ctx.db, workspace.id, id, containerId)
  return row && { cpu: row.cpu, memory_used: row.memory_used, memory_limit: row.memory_limit }
}

/** Values may be secrets, so the audit event is written before they are returned. */
export async function readEnvironment(ctx: Context, actor: Actor, id: Id<'server'>, cid: string) {
  const server = await getServerRow(ctx, actor, id)
  const inspected = await inspectContainer(ctx, server, cid)
  await assertCanControl(ctx, actor, server, inspected)
  await transaction(ctx.db, (trx) =>
    emit(
      trx,
      actor,
      actor.workspace.id,
      'container.environment_read',
      containerTarget(inspected),
      `on ${server.name}`,
    ),
  )
  return readEnvironmentVariables(inspected)
}

const HEALTH_OUTPUT = 2_000

type Details = Omit<
  z.input<typeof containerDetails>,
  'application' | 'controllable' | 'enter_refusal' | 'masked'
>

/** Masks everything else that may hold a secret for actors who may not read the environment. */
const maskDetails = (details: Details): Details => ({
  ...details,
  command: null,
  entrypoint: null,
  labels: Object.fromEntries(Object.keys(details.labels).map((label) => [label, null])),
  health_output: null,
  // Docker's message quotes the command, which may contain a secret.
  error: details.error === null ? null : 'Docker could not start the container. Members can see the reason.',
})

function toContainerDetails(inspected: ContainerInspection, container: Container): Details {
  const { State, Config, HostConfig, Mounts, NetworkSettings } = inspected
  return {
    ...container,
    // A stopped container has no ports; show the bindings of its next start.
    ports: isUp(container) ? container.ports : toPorts(HostConfig.PortBindings ?? {}),
    command: Config.Cmd ?? [],
    entrypoint: Config.Entrypoint ?? [],
    working_dir: Config.WorkingDir,
    user: Config.User,
    hostname: Config.Hostname,
    environment: readEnvironmentVariables(inspected).map(({ key }) => key),
    mounts: toMounts(Mounts ?? []),
    networks: Object.entries(NetworkSettings.Networks ?? {}).map(([name, network]) => ({
      name,
      address: network?.IPAddress || network?.GlobalIPv6Address || null,
    })),
    labels: Config.Labels ?? {},
    restart_policy: formatRestartPolicy(HostConfig),
    tty: Config.Tty,
    privileged: HostConfig.Privileged,
    error: State.Error || null,
    oom_killed: State.OOMKilled,
    auto_remove: HostConfig.AutoRemove,
    health_output: State.Health?.Log?.at(-1)?.Output.trim().slice(0, HEALTH_OUTPUT) || null,
  }
}

const isUp = ({ state }: Container) => state === 'running' || state === 'paused'

/** Sorted because Docker's order changes between calls. */
const toMounts = (mounts: NonNullable<ContainerInspection['Mounts']>) =>
  mounts
    .map(({ Type, Name, Source, Destination, RW }) => ({
      type: Type,
      name: Name || null,
      source: Source,
      target: Destination,
      read_only: !RW,
    }))
    .toSorted((a, b) => a.target.localeCompare(b.target))

export const readEnvironmentVariables = ({ Config }: ContainerInspection) =>
  (Config.Env ?? []).map((line) => {
    const [key = ''] = line.split('=', 1)
    return { key, value: line.slice(key.length + 1) }
  })

function formatRestartPolicy({ RestartPolicy }: ContainerInspection['HostConfig']): string {
  const { Name, MaximumRetryCount } = RestartPolicy ?? { Name: '', MaximumRetryCount: 0 }
  return MaximumRetryCount > 0 ? `${Name}:${MaximumRetryCount}` : Name || 'no'
}
