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
