import { createLinkAtStart } from './areas/auth/setup-link.ts'
import { startCommandFollower } from './areas/commands/command-follower.ts'
import { closeDeletedConnections } from './areas/servers/watch/close-deleted-connections.ts'
import { startWatching } from './areas/servers/watch/watching.ts'
import { beginBilling } from './areas/workspaces/begin-billing.ts'
import { areas } from './areas.ts'
import { readConfig } from './config.ts'
import { createApp } from './http/app.ts'
import { openContext, type OpenedContext } from './open.ts'
import { errorCode, connectDatabase } from './platform/db.ts'
import { createLog } from './platform/log.ts'
import type { Tables } from './tables.ts'
import { startEventRelay } from './work/event-relay.ts'
import { startWorker } from './work/worker.ts'

/** Starts the roles and runs until a stop signal. */
async function main() {
  const stopped = stopSignal()
  const config = readConfig()
  const log = createLog(config.LOG_LEVEL)
  const opened = await openContext(config, log)
  const running: (() => unknown)[] = [opened.close, closeDeletedConnections(opened.ctx)]
  const stop = async () => {
    for (const end of running.splice(0).toReversed()) await end()
  }
  try {
    await beginBilling(opened.ctx)
    if (config.ROLE !== 'web') running.push(startWork(opened))
    if (config.ROLE !== 'worker') running.push(await startWeb(opened))
    // Stopped first, while requests that wait for a command can still be answered.
    running.push(startCommandFollower(opened.ctx))
  } catch (error) {
    await stop()
    throw error
  }
  log.info({ signal: await stopped }, 'Stopping')
  await stop()
}

/** Registered first: Ctrl-C during startup, or a second one during shutdown, must not leave PostgreSQL running. */
const stopSignal = () =>
  new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, resolve)
  })

function startWork({ ctx, connection }: OpenedContext) {
  const own = connectDatabase<Tables>({ ...connection, max: 2 }, ctx.log)
  const worker = startWorker({
    ctx,
    db: own.db,
    bus: ctx.bus,
    secrets: ctx.secrets,
    jobs: areas.flatMap((area) => area.jobs ?? []),
    schedules: areas.flatMap((area) => area.schedules ?? []),
    log: ctx.log,
  })
  const watching = startWatching(
    ctx,
    areas.flatMap((area) => area.watchers ?? []),
    own.db,
  )
  const relay = startEventRelay(
    ctx,
    areas.flatMap((area) => area.listeners ?? []),
  )
  ctx.log.info({ role: ctx.config.ROLE }, 'Worker ready')
  return async () => {
    await Promise.all([worker.stop(), watching.stop(), relay.stop()])
    await own.pool.end()
  }
}

async function startWeb({ ctx }: OpenedContext) {
  const { HOST, PORT, PUBLIC_URL } = ctx.config
  const app = await createApp(ctx)
  await app.listen({ host: HOST, port: PORT }).catch((error: unknown) => {
    const taken = errorCode(error) === 'EADDRINUSE'
    const why = taken ? 'the port is already in use. Set PORT to another one.' : String(error)
    throw new Error(`Cannot listen on ${HOST}:${PORT}: ${why}`)
  })
  ctx.log.info({ url: PUBLIC_URL }, 'Slipway is ready')
  process.stdout.write(`\n  Slipway is ready: ${PUBLIC_URL}\n\n`)
  const link = await createLinkAtStart(ctx)
  if (link)
    process.stdout.write(
      `  Create the first account with this link. It can be used once; the next start prints a new one.\n  ${link}\n\n`,
    )
  return () => app.close()
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
