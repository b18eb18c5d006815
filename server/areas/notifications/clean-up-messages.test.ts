import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import { makeAlert, makeIncident } from '../../../test/support/factories/alert-factories.ts'
import { makeChannel } from '../../../test/support/factories/channels.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeWorkspace } from '../../../test/support/factories/factories.ts'
import type { MessageContent } from './message-content.ts'
import { cleanUpMessages } from './clean-up-messages.ts'
import { insertMessage } from './store.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { ctx, db } = slipway
const { signal } = new AbortController()

const content: MessageContent = {
  kind: 'started',
  severity: 'critical',
  event: 'alert',
  title: 'Disk of web-1 is full',
  text: '',
  facts: [],
  lines: [],
  link: { label: 'Open the alert', url: 'https://slipway.example/' },
  at: new Date().toISOString(),
  workspace: { id: 'wsp_1', name: 'Harbour' },
  ids: {},
}

test('deletes messages after a month, except those of open incidents', async () => {
  const workspace = await makeWorkspace(db)
  const channel = await makeChannel(ctx, workspace, 'https://hooks.example.com')
  const alert = await makeAlert(db, workspace)
  const write = async (key: string, incident_id: Id<'incident'> | null = null) => {
    const given = { workspace_id: workspace, notification_id: channel, key, content, incident_id }
    const row = await insertMessage(ctx, db, { ...given, status: 'sent' })
    await sql`update messages set created_at = now() - interval '31 days' where id = ${row?.id}`.execute(db)
  }
  const over = { state: 'resolved' as const, resolved_at: new Date(Date.now() - 40 * 86_400_000) }
  await write('of nothing')
  await write('goes on', await makeIncident(db, workspace, alert))
  await write(
    'has just ended',
    await makeIncident(db, workspace, alert, { ...over, resolved_at: new Date() }),
  )
  await write('is over', await makeIncident(db, workspace, alert, over))
  // The deployment was notified before its incident existed.
  await makeIncident(db, workspace, alert, {
    kind: 'deployment_failed',
    deployment_id: 'dpl_1' as Id<'deployment'>,
  })
  await write('deployment:dpl_1:failed')
  await write('deployment:dpl_2:failed')
  await cleanUpMessages(ctx, signal)
  const left = await db.selectFrom('messages').select('key').orderBy('position').execute()
  expect(left.map(({ key }) => key)).toEqual(['goes on', 'has just ended', 'deployment:dpl_1:failed'])
})

test('queues a channel again when its job was given up', async () => {
  const workspace = await makeWorkspace(db)
  const id = await makeChannel(ctx, workspace, 'https://hooks.example.com')
  await insertMessage(ctx, db, { workspace_id: workspace, notification_id: id, key: 'a', content })
  await sql`update messages set waiting_since = now() - interval '2 minutes' where notification_id = ${id}`.execute(
    db,
  )
  const jobs = () => db.selectFrom('jobs').select('state').where('key', '=', `channel:${id}`).execute()
  await cleanUpMessages(ctx, signal)
  expect(await jobs()).toEqual([{ state: 'queued' }])
  await cleanUpMessages(ctx, signal)
  expect(await jobs()).toHaveLength(1)
})
