import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { times } from '../support/run/campaign.ts'
import { startOn } from '../support/programs/slipway-process.ts'
import { openWebhookStage } from '../support/stages/webhooks.ts'

const stage = await openWebhookStage()
afterAll(stage.close)
const { github, slipway, db, deliveries, deploymentsOf, connectRepository } = stage

const start = () => startOn(slipway.database, slipway.key, 'all', github.appEnv)

test(
  'neither loses nor repeats accepted deliveries when it is killed at any time',
  { timeout: 240_000 },
  async () => {
    const { name, makeShop } = await connectRepository()
    const shop = await makeShop()
    const accepted: string[] = []
    for (let round = 0; round < times(2, 20); round++) {
      const running = await start()
      const push = async () => {
        const { sent } = await github.push(name, {}, { to: `${running.url}/v1/events/github` })
        accepted.push(...sent.filter(({ status }) => status === 202).map(({ delivery }) => delivery))
      }
      await push()
      const killed = sleep(Math.random() * 300).then(() => running.end('SIGKILL'))
      // GitHub shows unanswered deliveries as failed.
      await push().catch(() => {})
      await killed
      expect(accepted.length).toBeGreaterThan(round)
    }
    const last = await start()
    const { sent } = await github.push(name, {}, { to: `${last.url}/v1/events/github` })
    accepted.push(sent[0]?.delivery ?? '')
    await vi.waitFor(
      async () => {
        for (const one of await deliveries(shop)) expect(one.status).not.toBe('waiting')
        const rows = await db.selectFrom('deliveries').select(['delivery', 'status']).execute()
        expect(rows.filter(({ status }) => status === 'waiting')).toEqual([])
        expect(accepted.filter((id) => !rows.some(({ delivery }) => delivery === id))).toEqual([])
      },
      { interval: 200 },
    )
    const outcomes = await db.selectFrom('outcomes').selectAll().execute()
    const asked = outcomes.flatMap(({ deployment_id }) => deployment_id ?? [])
    expect((await deploymentsOf(shop)).map(({ id }) => id).toSorted()).toEqual(asked.toSorted())
    await last.end('SIGKILL')
  },
)
