import { areas } from './areas.ts'
import { readConfig } from './config.ts'
import type { Context } from './context.ts'
import { createApp } from './http/app.ts'
import { openContext } from './open.ts'
import { errorCode } from './platform/db.ts'
import { createLog } from './platform/log.ts'
import { startWork } from './work/start-work.ts'

/** Starts the roles, waits for a signal and shuts down gracefully: in reverse order, so that nothing loses what it uses. */
async function main() {
  const stopped = stopSignal()
  const config = readConfig()
  const log = createLog(config.LOG_LEVEL)
  const { ctx, connection, close } = await openContext(config, log)
  const running: (void | (() => unknown))[] = [close]
  const stop = async () => {
    for (const end of running.splice(0).toReversed()) await end?.()
  }
  try {
    for (const { start } of areas) running.push(await start?.beforeRoles?.(ctx))
    if (config.ROLE !== 'web') {
      running.push(startWork(ctx, connection))
      log.info({ role: config.ROLE }, 'Worker is ready')
    }
    if (config.ROLE !== 'worker') {
      running.push(await startWeb(ctx))
      for (const { start } of areas) running.push(await start?.onceListening?.(ctx))
    }
    for (const { start } of areas) running.push(await start?.afterRoles?.(ctx))
  } catch (error) {
    await stop()
    throw error
  }
  log.info({ signal: await stopped }, 'Stopping')
  await stop()
}

/**
 * The signal handlers are registered first: Ctrl-C during startup, or a second Ctrl-C during shutdown, must not leave
 * PostgreSQL running.
 */
const stopSignal = () =>
  new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, resolve)
  })

async function startWeb(ctx: Context) {
  const { HOST, PORT, PUBLIC_URL } = ctx.config
  const app = await createApp(ctx)
  await app.listen({ host: HOST, port: PORT }).catch((error: unknown) => {
    const taken = errorCode(error) === 'EADDRINUSE'
    const reason = taken ? 'the port is already in use. Set PORT to another one.' : String(error)
    throw new Error(`Cannot listen on ${HOST}:${PORT}: ${reason}`)
  })
  ctx.log.info({ url: PUBLIC_URL }, 'Slipway is ready')
  process.stdout.write(`\n  Slipway is ready: ${PUBLIC_URL}\n\n`)
  return () => app.close()
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
