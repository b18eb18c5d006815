import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { emit } from '../server/events.ts'
import { connectDatabase } from '../server/platform/db.ts'
import { createLog } from '../server/platform/log.ts'
import { createSecrets, readKeyFile } from '../server/platform/secrets.ts'
import { transaction } from '../server/platform/transaction.ts'
import type { Tables } from '../server/tables.ts'
import { makeChannel, startReceiver } from '../test/support/factories/channels.ts'
import { report } from './results.ts'
import { newDataDir, removeDataDir, logIn, startSlipway } from './slipway.ts'

const total = 10_000
const limit = 300

test(
  'delivers ten thousand messages in order while the receiver fails half the time',
  { timeout: 900_000 },
  async () => {
    const dataDir = newDataDir()
    const receiver = await startReceiver(() => ({ status: Math.random() < 0.5 ? 500 : 200 }))
    const slipway = await startSlipway(4931, dataDir, { OUTBOUND_NETWORKS: '127.0.0.0/8' })
    const at = { host: join(dataDir, 'postgres'), user: 'slipway', database: 'slipway' }
    const { db, pool } = connectDatabase<Tables>(at, createLog('error'))
    try {
      await logIn(slipway.url)
      const secrets = createSecrets([await readKeyFile(dataDir)])
      const workspace = await db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow()
      const channel = await makeChannel({ db, secrets }, workspace.id, receiver.url, {
        events: ['member_joined'],
      })
      const began = performance.now()
      for (let from = 0; from < total; from += 100)
        await transaction(db, async (trx) => {
          for (let nth = from; nth < from + 100; nth++)
            await emit(trx, 'slipway', workspace.id, 'member.joined', undefined, String(nth))
        })
      const sent = () =>
        db.selectFrom('messages').select('status').where('notification_id', '=', channel).execute()
      await vi.waitFor(
        async () => {
          const rows = await sent()
          expect(rows.length).toBe(total)
          expect(rows.every(({ status }) => status === 'sent')).toBe(true)
        },
        { timeout: 2 * limit * 1_000, interval: 1_000 },
      )
      const seconds = (performance.now() - began) / 1_000
      const taken = receiver.received.filter(({ status }) => status === 200)
      const twice = taken.length - new Set(taken.map(({ id }) => id)).size
      const order = taken.map(({ title }) => Number(title.split(' ').at(-1)))
      const isInOrder = order.every((nth, place) => nth === place)
      const lost = total - new Set(taken.map(({ id }) => id)).size
      report({
        what: '10,000 notifications through one channel whose receiver fails half the time',
        bar: 'all delivered, none twice after its acknowledgement, in order, ≤ 5 minutes',
        measured: `${lost} lost, ${twice} twice, ${isInOrder ? 'in order' : 'not in order'}, ${seconds.toFixed(0)} s, ${receiver.received.length} requests`,
        met: lost === 0 && twice === 0 && isInOrder && seconds <= limit,
      })
    } finally {
      await pool.end()
      await slipway.stop()
      await receiver.close()
      removeDataDir(dataDir)
    }
  },
)
