import type { EventType } from '../../../contract/shared/events.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { applicationTarget } from './application.ts'
import type { ApplicationRow } from './store.ts'

const longest = 200

/** Emits the change event within the transaction. Details are names, never values. */
export async function emitApplicationChange(
  trx: Trx,
  actor: Actor,
  application: Pick<ApplicationRow, 'id' | 'name' | 'workspace_id'>,
  type: EventType & `application.${string}`,
  names: readonly string[] = [],
): Promise<void> {
  await emit(
    trx,
    actor,
    application.workspace_id,
    type,
    applicationTarget(application),
    summarizeNames(names),
  )
}

export function summarizeNames(names: readonly string[]): string | undefined {
  const detail = names.join(', ')
  return (detail.length > longest ? `${detail.slice(0, longest)}…` : detail) || undefined
}
