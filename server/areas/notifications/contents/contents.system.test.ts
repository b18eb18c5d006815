import { expect, test, vi } from 'vitest'
import { makeApplication } from '../../../../test/support/factories/application-factories.ts'
import { makeChannel } from '../../../../test/support/factories/channels.ts'
import { openSmallStage } from '../../../../test/support/stages/shop-stage.ts'
import { smallShop } from '../../../../test/support/factories/small-shop.ts'
import { openContent } from '../store.ts'

const { slipway, ctx, db, server, workspace, deploy, setEnv } = await openSmallStage()
slipway.work()

test('masks secrets that a failing container prints', async () => {
  const say = [
    String.raw`printf 'cannot log in with \033[31m%s\033[0m\n' "$API_TOKEN"`,
    // The deployment log truncates the long line in the middle of the secret.
    String.raw`printf '%0280d%s\n' 0 "$SIGNING_KEY"`,
    'echo "$GREETING"; exit 1',
  ].join('; ')
  const shop = await makeApplication(db, workspace, server, smallShop(ctx, { command: ['sh', '-c', say] }))
  const key = 'k3y-'.repeat(100)
  await setEnv(shop, { API_TOKEN: 'hunter2-hunter2', SIGNING_KEY: key, GREETING: 'good morning' })
  const given = { events: ['deployment_failed' as const], paused_at: new Date() }
  const channel = await makeChannel(ctx, workspace, 'https://hooks.example.com', given)
  const { errors } = await deploy(shop)
  expect(errors.join('\n')).toContain('hunter2-hunter2')
  const message = await vi.waitFor(
    () =>
      db.selectFrom('messages').selectAll().where('notification_id', '=', channel).executeTakeFirstOrThrow(),
    { timeout: 120_000 },
  )
  const content = openContent(ctx, message)
  expect(content.title).toMatch(/^Failed to deploy/)
  expect(content.lines).toEqual(['cannot log in with •••', `${'0'.repeat(280)}•••`, 'good morning'])
  expect(JSON.stringify(content)).not.toMatch(/hunter2|k3y-/)
})
