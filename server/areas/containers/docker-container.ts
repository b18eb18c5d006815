import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { DockerError } from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'
import { withServerHost } from '../servers/server-host.ts'
import type { ServerRow } from '../servers/server.ts'
import type { ContainerPorts } from './container.ts'

export interface ContainerInspection {
  Id: string
  Name: string
  Created: string
  Image: string
  RestartCount: number
  State: {
    Status: string
    Pid: number
    ExitCode: number
    Error: string
    OOMKilled: boolean
    StartedAt: string
    FinishedAt: string
    Health?: { Status: string; Log?: { Output: string }[] | null } | undefined
  }
  Config: {
    Image: string
    Tty: boolean
    Labels: Record<string, string> | null
    Cmd: string[] | null
    Entrypoint: string[] | null
    Env: string[] | null
    WorkingDir: string
    User: string
    Hostname: string
  }
  HostConfig: {
    Privileged: boolean
    AutoRemove: boolean
    PortBindings: ContainerPorts | null
    RestartPolicy?: { Name: string; MaximumRetryCount: number } | undefined
    Memory: number
    NanoCpus: number
    NetworkMode?: string
    PidMode?: string
    IpcMode?: string
    UTSMode?: string
    UsernsMode?: string
    CapAdd?: string[] | null
    Devices?: unknown[] | null
    DeviceRequests?: unknown[] | null
    DeviceCgroupRules?: string[] | null
    SecurityOpt?: string[] | null
    MaskedPaths?: string[] | null
    CgroupParent?: string
  }
  Mounts: { Type: string; Name?: string; Source: string; Destination: string; RW: boolean }[] | null
  NetworkSettings: {
    Ports: ContainerPorts | null
    Networks: Record<
      string,
      { IPAddress: string; GlobalIPv6Address: string; Aliases?: string[] | null } | null
    > | null
  }
}

/** Other characters could change the path of the Docker API. */
const nameable = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/

export async function inspectContainer(
  ctx: Context,
  server: ServerRow,
  cid: string,
): Promise<ContainerInspection> {
  if (!nameable.test(cid)) throw notFound('This container')
  return withServerHost(ctx, server, async ({ docker }) => {
    const inspection = await findInspection(docker, cid)
    if (!inspection) throw notFound('This container')
    return inspection
  })
}

export async function findInspection(
  docker: Pick<Docker, 'json'>,
  cid: string,
  signal?: AbortSignal,
): Promise<ContainerInspection | undefined> {
  try {
    return await docker.json<ContainerInspection>({ path: `/containers/${cid}/json`, signal })
  } catch (error) {
    if (error instanceof DockerError && (error.status === 404 || ambiguous.test(error.message)))
      return undefined
    throw error
  }
}

/** An ambiguous ID prefix counts as not found. */
const ambiguous = /multiple IDs found/i

export const containerName = ({ Name }: Pick<ContainerInspection, 'Name'>) => Name.replace(/^\//, '')

export const containerTarget = (inspected: ContainerInspection) => ({
  kind: 'container',
  id: inspected.Id,
  name: containerName(inspected),
})

export const removeContainer = (docker: Docker, id: string, { volumes = false } = {}) =>
  ignoreMissing(
    docker.json({
      method: 'DELETE',
      path: `/containers/${id}?force=1${volumes ? '&v=1' : ''}`,
      timeout: 60_000,
    }),
  )

export const startContainer = (docker: Docker, id: string) =>
  ignoreMissing(docker.json({ method: 'POST', path: `/containers/${id}/start`, timeout: 60_000 }))

/** The limit exceeds every grace period that can be configured. */
const maxStopTimeout = 630_000

export const stopContainer = (docker: Docker, id: string) =>
  ignoreMissing(docker.json({ method: 'POST', path: `/containers/${id}/stop`, timeout: maxStopTimeout }))

export const renameContainer = (docker: Docker, id: string, name: string) =>
  ignoreMissing(
    docker.json({
      method: 'POST',
      path: `/containers/${id}/rename?${new URLSearchParams({ name }).toString()}`,
    }),
  )

export const updateContainer = (docker: Docker, id: string, body: object) =>
  ignoreMissing(docker.json({ method: 'POST', path: `/containers/${id}/update`, body }))

interface NetworkJoin {
  id: string
  network: string
  config: object
}

export async function joinNetwork(docker: Docker, { id, network, config }: NetworkJoin): Promise<void> {
  try {
    await docker.json({
      method: 'POST',
      path: `/networks/${encodeURIComponent(network)}/connect`,
      body: { Container: id, EndpointConfig: config },
      timeout: 60_000,
    })
  } catch (error) {
    if (!(error instanceof DockerError && /already exists in network|already attached/i.test(error.message)))
      throw error
  }
}

export const leaveNetwork = (docker: Docker, { id, network }: Pick<NetworkJoin, 'id' | 'network'>) =>
  docker.json({
    method: 'POST',
    path: `/networks/${encodeURIComponent(network)}/disconnect`,
    body: { Container: id, Force: false },
    timeout: 60_000,
  })

async function ignoreMissing(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    const isGone =
      error instanceof DockerError && (error.status === 404 || removalInProgress.test(error.message))
    if (!isGone) throw error
  }
}

const removalInProgress = /removal of container \S+ is already in progress|marked for removal/i

/** A stop of Docker also ends a container, often with code 0, so it must have finished since Docker started. */
export async function hasContainerCompleted(
  docker: Docker,
  { completes }: { completes: boolean },
  id: string,
): Promise<boolean> {
  if (!completes) return false
  const container = await findInspection(docker, id)
  if (!container || !exitedSuccessfully(container)) return false
  return Date.parse(container.State.FinishedAt) >= (await readDockerStart(docker))
}

/** The default bridge is created when Docker starts; 0 if there is none. */
async function readDockerStart(docker: Docker): Promise<number> {
  try {
    return Date.parse((await docker.json<{ Created: string }>({ path: '/networks/bridge' })).Created)
  } catch (error) {
    if (error instanceof DockerError && error.status === 404) return 0
    throw error
  }
}

export const exitedSuccessfully = ({ State: state }: ContainerInspection) =>
  state.Status === 'exited' && state.ExitCode === 0
