import { randomInt } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Host } from '../../remote/host.ts'
import { type Figures, listRunning, noteFigures } from '../containers/figures.ts'
import type { ServerRow } from '../servers/server.ts'
import { createSampler } from './container-sampler.ts'
import { pause } from './pause.ts'
import { writersOf } from './writer.ts'

const EVERY = 10_000
/** Many enough for older engines, which answer once a second whoever has asked by then; few enough to hurt no server. */
const AT_ONCE = 40

/** Reads the figures of all containers that run on a server, for as long as it is connected. */
export async function collectContainers(
  ctx: Context,
  server: ServerRow,
  host: Host,
  signal: AbortSignal,
): Promise<void> {
  const sampler = createSampler(host.docker, signal)
  const writer = writersOf(ctx).containers
  const { workspace_id, id: server_id } = server
  // Servers of one process do not all speak at the same moment, and which containers run is known a moment later.
  await pause(randomInt(1_000, 4_000), signal)
  while (!signal.aborted) {
    // In one order, so that each has its turn at the same time of every round.
    const running = (await listRunning(ctx.db, workspace_id, server_id)).map(({ id }) => id).toSorted()
    sampler.keepOnly(running)
    const groups = inGroups(running)
    const latest: Figures[] = []
    for (const group of groups) {
      const next = pause(EVERY / groups.length, signal)
      for (const { id, ...sample } of await sampler.sample(group)) {
        writer.add({ workspace_id, server_id, container_id: id, at: ctx.now(), ...sample })
        latest.push({ id, ...sample })
      }
      // Once for all, as everybody who looks at the list asks for it again.
      if (group === groups.at(-1)) await noteFigures(ctx.db, workspace_id, server_id, latest)
      await next
    }
  }
  await writer.flush()
}

/** One at least, so that there is something to wait for. */
const inGroups = (ids: string[]) =>
  Array.from({ length: Math.max(1, Math.ceil(ids.length / AT_ONCE)) }, (_, n) =>
    ids.slice(n * AT_ONCE, (n + 1) * AT_ONCE),
  )
