import { randomBytes, randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { connectDatabase } from '../server/platform/db.ts'
import { createLog } from '../server/platform/log.ts'
import { createSecrets, readKeyFile } from '../server/platform/secrets.ts'
import type { Tables } from '../server/tables.ts'
import { makeApplication, makeSource } from '../test/support/factories/application-factories.ts'
import { makeIntegration, makeServer, nowhere } from '../test/support/factories/factories.ts'
import { startFakeGitHub } from '../test/support/fakes/github.ts'
import { sign } from '../test/support/fakes/github/webhooks.ts'
import { report } from './results.ts'
import { newDataDir, removeDataDir, logIn, startSlipway } from './slipway.ts'

const perSecond = 200
const seconds = 15

test('acknowledges 200 webhooks a second immediately and processes all of them', async () => {
  const dataDir = newDataDir()
  const github = await startFakeGitHub()
  const slipway = await startSlipway(4930, dataDir, github.appEnv)
  const at = { host: join(dataDir, 'postgres'), user: 'slipway', database: 'slipway' }
  const { db, pool } = connectDatabase<Tables>(at, createLog('error'))
  // Includes the wait for a connection.
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  try {
    await logIn(slipway.url)
    const secrets = createSecrets([await readKeyFile(dataDir)])
    const bodies = await openRepository({ db, secrets }, github, slipway.url)
    // The first requests compile code and open connections.
    for (const body of bodies.slice(0, 50)) await post(agent, slipway.url, body)
    const took = await fire(agent, slipway.url, bodies.slice(50))
    const total = bodies.length
    const all = await vi.waitFor(
      async () => {
        const rows = await db.selectFrom('deliveries').select(['status']).execute()
        if (rows.some(({ status }) => status === 'waiting')) throw new Error('Some were not looked at.')
        return rows
      },
      { timeout: 120_000, interval: 500 },
    )
    const outcomes = await db.selectFrom('outcomes').select('delivery_id').execute()
    const lost = total - Math.min(all.length, new Set(outcomes.map((one) => one.delivery_id)).size)
    const sorted = took.toSorted((a, b) => a - b)
    const of = (part: number) => sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN
    expect(took).toHaveLength(perSecond * seconds)
    report({
      what: `webhook answer under ${perSecond} deliveries/s for ${seconds} s, one in ten deploys: p99, lost`,
      bar: 'p99 ≤ 50 ms, none',
      measured: `p99 ${of(0.99).toFixed(1)} ms, ${lost} of ${total} (p50 ${of(0.5).toFixed(1)} ms, worst ${of(1).toFixed(0)} ms)`,
      met: of(0.99) <= 50 && lost === 0,
    })
  } finally {
    agent.destroy()
    await pool.end()
    await slipway.stop()
    await github.close()
    removeDataDir(dataDir)
  }
})

interface Body {
  text: string
  signature: string
}

type Ctx = Parameters<typeof makeServer>[0]

/** A repository with one application, and push payloads with different commits. */
async function openRepository(
  ctx: Ctx,
  github: Awaited<ReturnType<typeof startFakeGitHub>>,
  url: string,
): Promise<Body[]> {
  const { db } = ctx
  const workspace = await db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow()
  github.addAccount('octocat')
  const { id } = await github.addRepository('octocat/hello')
  const installation = github.installApp('octocat')
  const integration_id = await makeIntegration(db, workspace.id, installation)
  const application = await makeApplication(db, workspace.id, await makeServer(ctx, workspace.id, nowhere()))
  await makeSource(db, workspace.id, application, {
    integration_id,
    repository_id: id,
    repository: 'octocat/hello',
  })
  const pushes = [await pushed('main'), await pushed('feature')] as const
  return Array.from({ length: perSecond * seconds + 50 }, (_, place) => {
    const push = pushes[place % 10 === 0 ? 0 : 1]
    const text = push.body.replaceAll(push.sha, randomBytes(20).toString('hex'))
    return { text, signature: sign(github.app.webhookSecret, text) }
  })

  /** Sent to nobody: only the payload is needed. */
  async function pushed(branch: string) {
    const { sha, sent } = await github.push('octocat/hello', { branch }, { to: `${url}/v1/health` })
    return { sha, body: sent[0]?.body ?? '' }
  }
}

/** Sends one every five milliseconds, whether earlier ones were answered. Returns the durations. */
async function fire(agent: Agent, url: string, bodies: Body[]): Promise<number[]> {
  const began = performance.now()
  const answers: Promise<number>[] = []
  for (const [place, body] of bodies.entries()) {
    const wait = began + (place * 1_000) / perSecond - performance.now()
    if (wait > 1) await sleep(wait)
    answers.push(post(agent, url, body))
  }
  return Promise.all(answers)
}

const post = (agent: Agent, url: string, { text, signature }: Body): Promise<number> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    const sending = request(`${url}/v1/events/github`, {
      agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        'user-agent': 'GitHub-Hookshot/bench',
        'x-github-delivery': randomUUID(),
        'x-github-event': 'push',
        'x-hub-signature-256': signature,
      },
    })
    sending.on('error', reject)
    sending.on('response', (answer) => {
      answer.resume()
      answer.on('end', () =>
        answer.statusCode === 202
          ? resolve(performance.now() - began)
          : reject(new Error(`It answered ${answer.statusCode}.`)),
      )
    })
    sending.end(text)
  })
