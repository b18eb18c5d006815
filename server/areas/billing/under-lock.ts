import { AsyncLocalStorage } from 'node:async_hooks'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { databaseUnreachable } from '../../errors.ts'

/** Lock of the current async context. */
const held = new AsyncLocalStorage<AbortSignal>()

/** Serializes billing operations of a workspace across processes. */
export const underBillingLock = <T>(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> =>
  ctx.locks.withLock(`billing:${workspaceId}`, (signal) => held.run(signal, () => work(signal)))

/** Throws if the lock was lost, since another process may hold it now. */
export function mustHoldLock(): void {
  if (held.getStore()?.aborted) throw databaseUnreachable()
}
