import { AsyncLocalStorage } from 'node:async_hooks'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { databaseUnreachable } from '../../errors.ts'

const currentLock = new AsyncLocalStorage<AbortSignal>()

/** Serializes billing operations of a workspace across processes. */
export const withBillingMutex = <T>(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> =>
  ctx.locks.withLock(`billing:${workspaceId}`, (signal) => currentLock.run(signal, () => work(signal)))

/** Throws if the lock was lost, since another process may hold it now. */
export function assertBillingMutex(): void {
  if (currentLock.getStore()?.aborted) throw databaseUnreachable()
}
