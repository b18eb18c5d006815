import type { Context } from '../../context.ts'
import type { Host } from '../../remote/host.ts'
import type { ServerRow } from './store.ts'

/**
 * Something that goes on for as long as a server is connected, in the one process that watches it: reading its
 * figures, later its containers. Ends when the signal says so; what it throws is logged, and it is begun again.
 */
export interface Watcher {
  name: string
  watch: (ctx: Context, server: ServerRow, host: Host, signal: AbortSignal) => Promise<void>
}
