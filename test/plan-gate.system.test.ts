import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api, type NamedEndpoint } from '../contract/api.ts'
import { needsPlan } from '../contract/endpoint.ts'
import { deployApplication } from '../contract/deployments.ts'
import { createProject } from '../contract/projects.ts'
import { openTerminal } from '../contract/terminals.ts'
import { sendAny } from './access/any-endpoint.ts'
import { endTrial, makeSubscription, setTrial } from './support/factories/billing-factories.ts'
import type { CallResult, CallOptions } from './support/clients/client.ts'
import { startSlipway, type TestSlipway } from './support/stages/context.ts'
import { makeApiToken, makeSomeone } from './support/factories/factories.ts'
import { fingerprint } from './support/stages/fingerprint.ts'
import { joinSocket } from './support/clients/sockets.ts'
import { startOutside } from './access/outside.ts'
import { takeHost } from './support/stages/take-host.ts'
import { validCalls } from './access/valid-calls.ts'
import { makeWorld, type World } from './support/factories/world.ts'

const day = 86_400_000
const choosePlan = expect.stringMatching(
  /^http:\/\/slipway\.test\/dashboard\/billing\/choose-plan\?workspace=wsp_/,
)
const outside = await startOutside()
const host = await takeHost()
let slipway: TestSlipway
let url: string
/** For calls that do not change it. */
let shared: World
beforeAll(async () => {
  slipway = await startSlipway(outside.env)
  url = await slipway.listen()
  shared = await world()
})
afterAll(async () => {
  await slipway.close()
  await outside.close()
})

const world = () => makeWorld({ slipway, ...outside, host })
const send = (endpoint: NamedEndpoint, sent: CallOptions) => sendAny(slipway, url, endpoint, sent)
const said = ({ status, text }: CallResult) => `${status} ${text}`

/** Returns a call of the owner that would succeed if the trial had not just ended. */
async function callTooLate(endpoint: NamedEndpoint, there: World): Promise<CallOptions> {
  const { db } = slipway
  const make = validCalls[endpoint.key]
  if (!make) throw new Error(`${endpoint.key} is not covered: add it to valid-calls.ts.`)
  await setTrial(db, there.workspace, new Date(Date.now() + day))
  if (endpoint.name === 'deleteWorkspace')
    await db.deleteFrom('applications').where('workspace_id', '=', there.workspace).execute()
  const sent = await make(there)
  await endTrial(db, there.workspace)
  return { ...sent, token: there.caller.token }
}

const inWorkspace = api.filter(({ access }) => access !== 'public' && access !== 'instance')
const [gated, open] = [true, false].map((wanted) =>
  inWorkspace.filter((endpoint) => needsPlan(endpoint) === wanted),
)

describe('in a workspace whose trial has ended', () => {
  test.each(gated ?? [])('$key is rejected with a link to the plans', async (endpoint) => {
    const sent = await callTooLate(endpoint, shared)
    const before = await fingerprint(slipway.db)
    const got = await send(endpoint, sent)
    expect(got).toMatchObject({ status: 402, body: { code: 'no_plan', url: choosePlan } })
    expect(await fingerprint(slipway.db)).toEqual(before)
  })

  test.each(open ?? [])('$key is allowed', async (endpoint) => {
    // Billing calls need a paid plan, which the shared world must not have.
    const there = endpoint.method === 'GET' && endpoint.area !== 'billing' ? shared : await world()
    const got = await send(endpoint, await callTooLate(endpoint, there))
    expect(said(got)).toMatch(/^[23]/)
  })
})

test('requires a plan to change, deploy or run, but not to read, remove or choose a plan', () => {
  const names = (all: NamedEndpoint[] = []) => all.map(({ name }) => name)
  expect(names(gated)).toEqual(
    expect.arrayContaining([
      'deployApplication',
      'startApplication',
      'rollBackApplication',
      'createServer',
      'createApplication',
      'runCommand',
      'openTerminal',
      'openContainerTerminal',
      'inviteMember',
      'redeliver',
    ]),
  )
  expect(names(open)).toEqual(
    expect.arrayContaining([
      'deleteWorkspace',
      'deleteApplication',
      'deleteServer',
      'exportAudit',
      'stopApplication',
      'cancelDeployment',
      'removeMember',
      'subscribe',
      'openPortal',
      'sendFeedback',
    ]),
  )
  // Reading and deleting never need a plan, so `open` would be redundant there.
  expect(names(api.filter((one) => one.open && ['GET', 'DELETE'].includes(one.method)))).toEqual([])
})

describe('rejection without a plan', () => {
  const project = (token: string) => ({ token, body: { name: 'Shop' } })
  const refusal = async (token: string) =>
    (await slipway.refused(createProject, project(token), 402, 'no_plan')).body

  test('states the reason and who can resolve it', async () => {
    const there = await world()
    const { db } = slipway
    const [{ token }, { token: ofMember }] = [there.caller, await makeSomeone(db, there.workspace, 'member')]
    await endTrial(db, there.workspace)
    const meanwhile = 'Deployed applications keep running.'
    expect(await refusal(token)).toMatchObject({
      error: `The trial of this workspace has ended. Choose a plan. ${meanwhile}`,
    })
    expect(await refusal(ofMember)).toMatchObject({
      error: `The trial of this workspace has ended. Ask a workspace owner to choose a plan. ${meanwhile}`,
    })
    await makeSubscription(db, there.workspace, { status: 'canceled' })
    expect(await refusal(token)).toMatchObject({
      error: `The plan of this workspace has ended. Choose a plan. ${meanwhile}`,
    })
    await makeSubscription(db, there.workspace, { status: 'unpaid' })
    expect(await refusal(token)).toMatchObject({
      error: `A payment for this workspace is overdue. Pay the invoice. ${meanwhile}`,
    })
    await makeSubscription(db, there.workspace)
    await slipway.ok(createProject, project(token))
  })

  test('checks the role first, and applies to API tokens as well', async () => {
    const there = await world()
    const viewer = await makeSomeone(slipway.db, there.workspace, 'viewer')
    const api = await makeApiToken(slipway.db, there.workspace, there.caller, { role: 'owner' })
    await endTrial(slipway.db, there.workspace)
    await slipway.refused(createProject, project(viewer.token), 403, 'forbidden')
    expect(await refusal(api.token)).toMatchObject({ url: choosePlan })
  })
})

test('rejects a repeated request although it succeeded under a plan', async () => {
  const there = await world()
  const { token } = there.caller
  const sent = { token, params: { id: there.application }, headers: { 'idempotency-key': 'once' } }
  await slipway.ok(deployApplication, sent)
  await endTrial(slipway.db, there.workspace)
  await slipway.refused(deployApplication, sent, 402, 'no_plan')
})

test('closes an open terminal with the reason when the plan ends', async () => {
  const there = await world()
  const address = `${url}${openTerminal.path.replace('{id}', there.server)}`
  const socket = await joinSocket(address, { authorization: `Bearer ${there.caller.token}` })
  await socket.message('opened')
  await endTrial(slipway.db, there.workspace)
  await slipway.ctx.pool.query("select pg_notify('access', '')")
  expect(JSON.stringify(await socket.message('end'))).toContain('This workspace no longer has a plan.')
})
