import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { deployApplication, getDeployment } from '../../contract/deployments.ts'
import type { Id } from '../../contract/shared/ids.ts'
import { connectDatabase } from '../../server/platform/db.ts'
import { createLog } from '../../server/platform/log.ts'
import { openSocketConnection } from '../../server/platform/postgres/database.ts'
import { createSecrets } from '../../server/platform/secrets.ts'
import type { Tables } from '../../server/tables.ts'
import { startShops } from '../support/stages/deployments.ts'
import { makeServer, makeTeam } from '../support/factories/factories.ts'
import { startLoad } from '../support/clients/load.ts'
import { temporaryFolder } from '../support/programs/programs.ts'
import { loadApp } from '../support/rig/load-app.ts'
import { takeSetUpHost } from '../support/stages/setups.ts'
import { ask, startProcess } from '../support/programs/slipway-process.ts'

const host = await takeSetUpHost()
await loadApp(host, '1')

/** A complete Slipway with its own database. */
async function startWhole() {
  const [folder, key] = [join(await temporaryFolder(), 'data'), randomBytes(32)]
  const slipway = await startProcess({
    DATA_DIR: folder,
    SECRET_KEY: key.toString('base64'),
    PROXY_IMAGE: host.image.name,
  })
  await slipway.ready
  const pgdata = join(folder, 'postgres')
  const way = await openSocketConnection(pgdata)
  const { db, pool } = connectDatabase<Tables>(way.connection, createLog('error'))
  onTestFinished(async () => {
    await pool.end()
    await way.release()
  })
  return { slipway, db, ctx: { db, secrets: createSecrets([key]) }, pgdata }
}

test('only delays a deployment when the database is killed', { timeout: 300_000 }, async () => {
  const { slipway, db, ctx, pgdata } = await startWhole()
  const { workspace, member } = await makeTeam(db)
  const server = await makeServer(ctx, workspace, host)
  const { makeShop, setEnv, containersOf, visit } = startShops({ db, ctx }, { workspace, server, host })

  const deploy = async (shop: Id<'application'>) => {
    const { text } = await ask(slipway.url, `/v1/applications/${shop}/deploy`, member.token, {})
    return deployApplication.reply.parse(JSON.parse(text)).deployment.id
  }
  const look = async (id: string) => {
    const { text } = await ask(slipway.url, `/v1/deployments/${id}`, member.token)
    return getDeployment.reply.parse(JSON.parse(text)).deployment
  }
  const until = (id: string, isSo: (now: Awaited<ReturnType<typeof look>>) => boolean) =>
    vi.waitFor(
      async () => {
        const now = await look(id)
        if (!isSo(now)) throw new Error(`It is ${now.status}: ${now.data.logs.join('\n')}`)
        return now
      },
      { timeout: 120_000, interval: 50 },
    )
  const ended = (id: string) => until(id, ({ finished_at }) => finished_at !== null)

  const shop = await makeShop('shop.test')
  await setEnv(shop, { VERSION: 'before' })
  expect(await ended(await deploy(shop))).toMatchObject({ status: 'completed' })
  const load = startLoad({ address: host.address, host: 'shop.test', keepAlive: 1, fresh: 1, pauseMs: 50 })

  await setEnv(shop, { VERSION: 'after', HEALTHY_AFTER_MS: '3000' })
  const id = await deploy(shop)
  await until(id, ({ steps }) => steps.some(({ name, status }) => name === 'wait' && status === 'running'))
  const pid = Number.parseInt(await readFile(join(pgdata, 'postmaster.pid'), 'utf8'), 10)
  if (!(pid > 1)) throw new Error('It is not known which process to kill.')
  process.kill(pid, 'SIGKILL')

  expect(await ended(id)).toMatchObject({ status: 'completed', errors: [] })
  expect(await visit('shop.test')).toContain('after ')
  await vi.waitFor(async () => expect(await containersOf(shop)).toHaveLength(1), { timeout: 60_000 })
  expect((await load.stop()).failures).toEqual([])
  expect(await slipway.end('SIGTERM')).toBe(0)
})
