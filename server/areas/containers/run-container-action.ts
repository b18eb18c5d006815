import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import {
  actionStillRunning,
  toSentence,
  dockerRefused,
  Invalid,
  notFound,
  serverUnreachable,
} from '../../errors.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { DockerError, ConnectionLost, TargetOutdated, RemoteTimeout } from '../../remote/errors.ts'
import type { Actor } from '../../route.ts'
import { withServerHost } from '../servers/server-host.ts'
import { getServerRow } from '../servers/server.ts'
import type { Container } from './container.ts'
import { assertCanControl } from './container-access.ts'
import { refreshContainer } from './refresh-container.ts'
import type { z } from 'zod'
import type { actOnContainer, containerActions } from '../../../contract/containers.ts'
import type { EventType } from '../../../contract/shared/events.ts'
import type { DockerRequest } from '../../remote/host.ts'
import {
  type ContainerInspection,
  containerName,
  containerTarget,
  inspectContainer,
} from './docker-container.ts'

/** Docker gives a container ten seconds to stop unless it was created with another limit. */
const TIMEOUT_MS = 60_000

const UNKNOWN = 'The result is unknown. Check the container when the server is reachable again.'

export async function runContainerAction(
  ctx: Context,
  actor: Actor,
  ref: { id: Id<'server'>; cid: string },
  request: ContainerAction,
  timeoutMs = TIMEOUT_MS,
): Promise<Container | null> {
  if (request.action === 'rename' && request.name === undefined)
    throw new Invalid({ name: ['Enter the new name of the container.'] })
  const server = await getServerRow(ctx, actor, ref.id)
  const inspected = await inspectContainer(ctx, server, ref.cid)
  await assertCanControl(ctx, actor, server, inspected)
  const note = () =>
    transaction(ctx.db, (trx) =>
      emit(
        trx,
        actor,
        actor.workspace.id,
        events[request.action],
        containerTarget(inspected),
        describeAction(request, server.name),
      ),
    )
  return withServerHost(ctx, server, async ({ docker }) => {
    try {
      await docker.json({ ...toDockerRequest(inspected.Id, request), timeout: timeoutMs })
    } catch (error) {
      // Docker may still carry out the action, so the audit log records it.
      if (error instanceof RemoteTimeout || error instanceof ConnectionLost) await note()
      if (error instanceof RemoteTimeout) throw actionStillRunning(containerName(inspected), server.name)
      if (error instanceof ConnectionLost && !(error instanceof TargetOutdated))
        throw serverUnreachable(server.name, `${toSentence(error.message)} ${UNKNOWN}`)
      if (!(error instanceof DockerError)) throw error
      // A failed action may have changed the container without a Docker event.
      await refreshContainer(ctx, server, docker, inspected.Id).catch(() => {})
      throw toActionError(error, request.action, inspected)
    }
    try {
      return (await refreshContainer(ctx, server, docker, inspected.Id)) ?? null
    } finally {
      await note()
    }
  })
}

function toActionError(error: DockerError, action: Action, inspected: ContainerInspection): Error {
  const reason = error.message
    .replaceAll(inspected.Id, containerName(inspected))
    .replaceAll(/\b[0-9a-f]{64}\b/g, (id) => id.slice(0, 12))
  if (error.status === 404 && /no such container/i.test(reason)) return notFound('This container')
  if (error.status === 409 || conflicting.test(reason)) return dockerRefused(reason)
  const field = error.status === 400 ? fields[action] : undefined
  return field ? new Invalid({ [field]: [toSentence(reason)] }) : new DockerError(error.status, reason)
}

/** Docker answers these conflicts with status 500: older engines the first, all engines a port that is in use. */
const conflicting = / is not paused$|port is already allocated|address already in use/

const fields: Partial<Record<Action, keyof ContainerAction>> = { rename: 'name', kill: 'signal' }

type Action = (typeof containerActions)[number]
type ContainerAction = z.output<typeof actOnContainer.body>

function toDockerRequest(id: string, request: ContainerAction): DockerRequest {
  const path = `/containers/${id}`
  if (request.action !== 'remove') {
    const query = new URLSearchParams(toQueryOptions(request)).toString()
    return { method: 'POST', path: `${path}/${request.action}?${query}` }
  }
  const query = new URLSearchParams({
    force: String(request.force ?? false),
    v: String(request.volumes ?? false),
  })
  return { method: 'DELETE', path: `${path}?${query.toString()}` }
}

function toQueryOptions({ action, name = '', signal = SIGNAL }: ContainerAction): Record<string, string> {
  if (action === 'rename') return { name }
  return action === 'kill' ? { signal } : {}
}

const SIGNAL = 'SIGKILL'

const events: Record<Action, EventType> = {
  start: 'container.started',
  stop: 'container.stopped',
  restart: 'container.restarted',
  pause: 'container.paused',
  unpause: 'container.unpaused',
  kill: 'container.killed',
  rename: 'container.renamed',
  remove: 'container.removed',
}

function describeAction({ action, name, signal = SIGNAL }: ContainerAction, server: string): string {
  if (action === 'rename') return `to ${name} on ${server}`
  return action === 'kill' ? `(${signal}) on ${server}` : `on ${server}`
}
