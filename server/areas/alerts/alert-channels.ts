import type { Id } from '../../../contract/shared/ids.ts'
import { Invalid } from '../../errors.ts'
import type { Trx } from '../../tables.ts'
import type { AlertRow } from './observation.ts'
import { lockChannels, listAlertChannels, replaceAlertChannels } from './store.ts'

type Chosen = Id<'notification'>[] | null | undefined

/** Responds with 422 when a channel does not exist or belongs to another workspace. */
export async function assertChannelsExist(
  trx: Trx,
  workspaceId: Id<'workspace'>,
  chosen: Chosen,
): Promise<void> {
  if (!chosen || chosen.length === 0) return
  const existing = await lockChannels(trx, workspaceId, chosen)
  if (existing.length < new Set(chosen).size)
    throw new Invalid({ channels: ['One of these channels does not exist in this workspace.'] })
}

/** Returns whether the channels changed. */
export async function updateAlertChannels(
  trx: Trx,
  { id, workspace_id, all_channels }: AlertRow,
  chosen: Chosen,
): Promise<boolean> {
  if (chosen === undefined) return false
  const previous = await listAlertChannels(trx, workspace_id, [id])
  const requested = [...new Set(chosen)].toSorted()
  const had = previous.map(({ notification_id }) => notification_id).toSorted()
  if (all_channels === (chosen === null) && requested.join() === had.join()) return false
  await replaceAlertChannels(trx, workspace_id, id, requested)
  return true
}
