import type { Context } from '../../context.ts'
import type { Host } from '../../remote/host.ts'
import type { ServerRow } from './server.ts'

/** Runs while a server is connected, in the one process that watches it. A watcher that fails restarts. */
export interface Watcher {
  name: string
  watch: (ctx: Context, server: ServerRow, host: Host, signal: AbortSignal) => Promise<void>
}
