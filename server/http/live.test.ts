import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endSession } from '../../contract/user.ts'
import { logOut } from '../../contract/auth.ts'
import { removeMember, updateWorkspace } from '../../contract/workspaces.ts'
import { startSlipway, type TestSlipway } from '../../test/support/stages/context.ts'
import { makeSession, makeTeam } from '../../test/support/factories/factories.ts'
import { openStream } from '../../test/support/clients/streams.ts'

let slipway: TestSlipway
let url: string
beforeAll(async () => {
  slipway = await startSlipway()
  url = `${await slipway.listen()}/v1/live`
})
afterAll(() => slipway.close())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
async function follow(token: string, lastId?: string) {
  const stream = await openStream(url, { ...bearer(token), ...(lastId ? { 'last-event-id': lastId } : {}) })
  await stream.event('connected')
  return stream
}
const rename = (token: string, name: string) => slipway.ok(updateWorkspace, { token, body: { name } })

describe('the live stream', () => {
  test('delivers an event', async () => {
    const { owner, viewer, workspace } = await makeTeam(slipway.db)
    const stream = await follow(viewer.token)
    await rename(owner.token, 'Heard')
    const { id, data } = await stream.event('workspace.renamed')
    expect(id).toMatch(/^evt_/)
    expect(data).toEqual({ type: 'workspace.renamed', target: { kind: 'workspace', id: workspace } })
  })

  test('resumes after a disconnect', async () => {
    const { owner } = await makeTeam(slipway.db)
    const first = await follow(owner.token)
    await rename(owner.token, 'One')
    const { id } = await first.event('workspace.renamed')
    first.close()
    await rename(owner.token, 'Two')
    await rename(owner.token, 'Three')
    const events = await slipway.db.selectFrom('events').select('id').orderBy('id').execute()
    const missed = events.map((event) => event.id).filter((one) => one > id)
    const second = await follow(owner.token, id)
    await expect.poll(() => second.heard.map((event) => event.id)).toEqual(expect.arrayContaining(missed))
    expect(second.heard.map((event) => event.id)).not.toContain(id)
  })

  test('reports a gap for a forged ID or one of another workspace', async () => {
    const [mine, theirs] = [await makeTeam(slipway.db), await makeTeam(slipway.db)]
    await rename(theirs.owner.token, 'Secret')
    const { id } = await slipway.db
      .selectFrom('events')
      .select('id')
      .where('workspace_id', '=', theirs.workspace)
      .executeTakeFirstOrThrow()
    for (const forged of [id, "' or 1=1", 'x'.repeat(1000)]) {
      const stream = await follow(mine.owner.token, forged)
      await stream.event('gap')
      expect(stream.heard).toHaveLength(2)
    }
  })

  test('never delivers events of another workspace', async () => {
    const [mine, theirs] = [await makeTeam(slipway.db), await makeTeam(slipway.db)]
    const stream = await follow(mine.viewer.token)
    await rename(theirs.owner.token, 'Theirs')
    await rename(mine.owner.token, 'Mine')
    await stream.event('workspace.renamed')
    expect(stream.heard).toHaveLength(2)
    expect(JSON.stringify(stream.heard)).not.toContain(theirs.workspace)
  })

  test('ends for a removed member', async () => {
    const { owner, viewer } = await makeTeam(slipway.db)
    const stream = await follow(viewer.token)
    await slipway.ok(removeMember, { token: owner.token, body: { member_id: viewer.member } })
    await stream.untilEnded()
    expect(stream.heard).toHaveLength(1)
  })

  test('continues for other members when one leaves or logs out', async () => {
    const { owner, admin, member, viewer } = await makeTeam(slipway.db)
    const stream = await follow(viewer.token)
    await slipway.ok(logOut, { token: admin.token })
    await slipway.ok(removeMember, { token: owner.token, body: { member_id: member.member } })
    await stream.event('member.removed')
    await rename(owner.token, 'Still here')
    await stream.event('workspace.renamed')
    expect(stream.ended).toBe(false)
  })

  test('ends with its session and delivers nothing more', async () => {
    const { owner, viewer } = await makeTeam(slipway.db)
    const [one, two] = [await follow(viewer.token), await follow(owner.token)]
    await slipway.ok(logOut, { token: viewer.token })
    const other = await makeSession(slipway.db, owner)
    await slipway.ok(endSession, { token: other.token, params: { id: owner.session } })
    await Promise.all([one.untilEnded(), two.untilEnded()])
    expect([one.heard.length, two.heard.length]).toEqual([1, 1])
  })

  test('ends when events may have been missed, so that clients reload', async () => {
    const { viewer } = await makeTeam(slipway.db)
    const stream = await follow(viewer.token)
    await slipway.ctx.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'slipway listener' and datname = current_database()`,
    )
    await stream.untilEnded()
    await follow(viewer.token)
  })

  test('is closed when the client disconnects', async () => {
    const { viewer } = await makeTeam(slipway.db)
    const connections = promisify(slipway.app.server.getConnections.bind(slipway.app.server))
    const before = await connections()
    const stream = await follow(viewer.token)
    expect(await connections()).toBeGreaterThan(0)
    stream.close()
    await expect.poll(connections).toBeLessThanOrEqual(before)
  })
})
