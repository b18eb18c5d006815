import type { Id } from '../../../contract/shared/ids.ts'
import { Invalid } from '../../errors.ts'
import type { Trx } from '../../tables.ts'
import type { AlertRow } from './observation.ts'
import { lockChannels, listAlertChannels, replaceAlertChannels } from './store.ts'

type Chosen = Id<'notification'>[] | null | undefined

/** 422 where one of them is not there, or another workspace’s. */
export async function assertChannelsExist(
  trx: Trx,
  workspaceId: Id<'workspace'>,
  chosen: Chosen,
): Promise<void> {
  if (!chosen || chosen.length === 0) return
  const there = await lockChannels(trx, workspaceId, chosen)
  if (there.length < new Set(chosen).size)
    throw new Invalid({ channels: ['One of these channels does not exist in this workspace.'] })
}

/** Whether these are others than it had. */
export async function updateAlertChannels(
  trx: Trx,
  { id, workspace_id, all_channels }: AlertRow,
  chosen: Chosen,
): Promise<boolean> {
  if (chosen === undefined) return false
  const before = await listAlertChannels(trx, workspace_id, [id])
  const wanted = [...new Set(chosen)].toSorted()
  const had = before.map(({ notification_id }) => notification_id).toSorted()
  if (all_channels === (chosen === null) && wanted.join() === had.join()) return false
  await replaceAlertChannels(trx, workspace_id, id, wanted)
  return true
}
