import { inBytes } from '../../../platform/bytes.ts'
import { command } from '../../../remote/command.ts'
import { takenPorts } from '../../applications/taken-ports.ts'
import { type Attempt, Failed, hostFor } from '../attempt.ts'
import { checkCompose } from '../check-compose.ts'
import { whyOf } from '../give-up.ts'
import { isAway } from '../hold-out.ts'
import { mustHaveProxy } from '../must-have-proxy.ts'
import { isCompose } from '../model-for.ts'
import { whyTaken } from '../port-problems.ts'
import { isRouted, listPublished } from '../routed.ts'
import { untilSetUp } from '../until-set-up.ts'
import { bringBackEarlier, drainEarlier } from './drain.ts'

/** Bytes that have to be free: less than that, and Docker fails half way. */
const leastFree = 100 * 1024 * 1024

/** All that can be said before anything is begun. */
export async function check(attempt: Attempt): Promise<void> {
  const { ctx, application } = attempt
  await untilSetUp(attempt)
  await Promise.all([
    checkDocker(attempt),
    checkDisk(attempt),
    isRouted(ctx.db, application).then((is) => (is ? mustHaveProxy(attempt) : undefined)),
    checkPorts(attempt),
    checkCompose(attempt),
    endEarlier(attempt),
  ])
}

/** Nobody's new release fails for what an old one has left. */
async function endEarlier(attempt: Attempt): Promise<void> {
  try {
    await drainEarlier(attempt)
    await bringBackEarlier(attempt)
  } catch (error) {
    attempt.signal.throwIfAborted()
    const why = whyOf(attempt, error)
    if (!why || isAway(error)) throw error
    attempt.log.say(`${why} What an earlier deployment has left is ended later.`)
  }
}

const checkDocker = (attempt: Attempt) =>
  hostFor(attempt).docker.json({ method: 'HEAD', path: '/_ping', signal: attempt.signal, timeout: 10_000 })

/** Where Docker usually keeps its images; where that is elsewhere, the disk of the system is looked at. */
async function checkDisk(attempt: Attempt): Promise<void> {
  const { stdout } = await hostFor(attempt).run(command('df', '-Pk', '/var/lib/docker', '/'), {
    signal: attempt.signal,
  })
  const free = Number(stdout.split('\n')[1]?.trim().split(/\s+/)[3]) * 1024
  if (free < leastFree)
    throw new Failed(
      `The disk of ${attempt.server.name} is nearly full: ${inBytes(free)} are free, and a deployment needs ${inBytes(leastFree)}. Remove unused images there, or give it a larger disk.`,
    )
}

async function checkPorts(attempt: Attempt): Promise<void> {
  const { ctx, server, application, signal } = attempt
  const ports = isCompose(attempt) ? [] : await listPublished(ctx.db, application)
  if (ports.length === 0) return
  const wanted = ports.map((source) => ({ host: '', source }))
  for (const [port, by] of await takenPorts(hostFor(attempt), wanted, { signal, ours: ports }))
    throw new Failed(whyTaken(server, port, by))
}
