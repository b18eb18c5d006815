import { afterAll, describe, expect, test } from 'vitest'
import { logIn } from '../../../contract/auth.ts'
import { listProjects } from '../../../contract/projects.ts'
import * as contract from '../../../contract/workspaces.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeMember, makeTeam, makeWorkspace, password } from '../../../test/support/factories/factories.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())

const current = async (token: string) => (await slipway.ok(contract.getCurrentWorkspace, { token })).workspace

describe('workspaces', () => {
  test('creates a workspace and switches to it', async () => {
    const { viewer } = await makeTeam(slipway.db)
    const sent = { token: viewer.token, body: { name: '  My own  ' } }
    const { workspace } = await slipway.ok(contract.createWorkspace, sent)
    expect(workspace).toMatchObject({ name: 'My own', role: 'owner', on_trial: false, trial_ends_at: null })
    expect((await current(viewer.token)).id).toBe(workspace.id)
  })

  test('switches the workspace of one session persistently without affecting others', async () => {
    const { owner, workspace } = await makeTeam(slipway.db)
    const other = await makeWorkspace(slipway.db, 'Other')
    await makeMember(slipway.db, other, owner, 'viewer')
    const { access_token: second } = await slipway.ok(logIn, { body: { email: owner.email, password } })
    await slipway.ok(contract.changeWorkspace, { token: owner.token, params: { id: other } })
    expect(await current(owner.token)).toMatchObject({ id: other, role: 'viewer' })
    expect((await current(second)).id).toBe(workspace)
    const { workspaces } = await slipway.ok(contract.listWorkspaces, { token: owner.token })
    expect(workspaces.map(({ id }) => id).toSorted()).toEqual([workspace, other].toSorted())
    const rename = { token: owner.token, body: { name: 'Mine now' } }
    await slipway.refused(contract.updateWorkspace, rename, 403)
  })

  test('renames a workspace', async () => {
    const { admin } = await makeTeam(slipway.db)
    await slipway.ok(contract.updateWorkspace, { token: admin.token, body: { name: 'New yard' } })
    expect((await current(admin.token)).name).toBe('New yard')
  })

  test('deletes a workspace by its typed name and switches its users to another', async () => {
    const { owner, workspace } = await makeTeam(slipway.db)
    const { name } = await current(owner.token)
    const wrong = { token: owner.token, body: { name: name.toUpperCase() } }
    await slipway.refused(contract.deleteWorkspace, wrong, 422)
    const other = await makeWorkspace(slipway.db)
    await makeMember(slipway.db, other, owner, 'member')
    await slipway.ok(contract.deleteWorkspace, { token: owner.token, body: { name } })
    expect((await current(owner.token)).id).toBe(other)
    const left = await slipway.db
      .selectFrom('members')
      .select('id')
      .where('workspace_id', '=', workspace)
      .execute()
    expect(left).toEqual([])
  })
})

test('pages a list with each row once, regardless of special characters in names', async () => {
  const { owner, workspace } = await makeTeam(slipway.db)
  const names = ['ä', 'Z', 'a', '😀', 'é', "o'", '"', '\\', '🏳️‍🌈'].map((sign) => sign.repeat(100).slice(0, 98))
  const rows = names.flatMap((name, n) => [
    { id: `prj_${n}a${workspace}` as const, workspace_id: workspace, name },
    { id: `prj_${n}b${workspace}` as const, workspace_id: workspace, name },
  ])
  await slipway.db.insertInto('projects').values(rows).execute()
  const seen: string[] = []
  let cursor: string | null = ''
  for (let pages = 0; cursor !== null && pages < 10; pages++) {
    const query: Record<string, string> = { limit: '4', ...(cursor ? { cursor } : {}) }
    const got: { projects: { id: string }[]; page: { next: string | null; total: number } } =
      await slipway.ok(listProjects, { token: owner.token, query })
    expect(got.page.total).toBe(rows.length)
    seen.push(...got.projects.map(({ id }) => id))
    cursor = got.page.next
  }
  expect(seen.toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
})

test('returns not found, never an error, for calls during the deletion of a workspace', async () => {
  for (let round = 0; round < 8; round++) {
    const { owner, admin } = await makeTeam(slipway.db)
    const name = (await current(owner.token)).name
    const answers = await Promise.all([
      slipway.call('DELETE /v1/workspaces/current', { token: owner.token, body: { name } }),
      slipway.call('POST /v1/workspaces/invite', { token: admin.token, body: { email: 'bob@example.com' } }),
      slipway.call('PUT /v1/workspaces/current', { token: admin.token, body: { name } }),
      slipway.call('POST /v1/api-tokens', { token: admin.token, body: { name: 'ci' } }),
    ])
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  }
})

test('pages the list of workspaces', async () => {
  const { owner } = await makeTeam(slipway.db)
  for (const name of ['B', 'A'])
    await slipway.ok(contract.createWorkspace, { token: owner.token, body: { name } })
  const first = await slipway.ok(contract.listWorkspaces, { token: owner.token, query: { limit: '2' } })
  expect(first).toMatchObject({ workspaces: [{ name: 'A' }, { name: 'B' }], page: { total: 3 } })
  const query = { limit: '2', cursor: first.page.next ?? '' }
  const rest = await slipway.ok(contract.listWorkspaces, { token: owner.token, query })
  expect(rest).toMatchObject({ workspaces: [{}], page: { next: null, total: 3 } })
})
