import { afterAll, describe, expect, test } from 'vitest'
import { createApiToken, revokeApiToken } from '../../../contract/api-tokens.ts'
import { exportAudit, listAudit } from '../../../contract/audit.ts'
import { join } from '../../../contract/auth.ts'
import { events } from '../../../contract/shared/events.ts'
import * as workspaces from '../../../contract/workspaces.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { newId } from '../../platform/ids.ts'
import { makeTeam, password, unique } from '../../../test/support/factories/factories.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())

describe('audit log', () => {
  test('records initiator, action, object and IP address', async () => {
    const { owner, admin, member, viewer } = await makeTeam(slipway.db)
    const address = '203.0.113.77'
    const as = { token: owner.token, address }
    const email = `${unique('guest')}@example.com`
    await slipway.ok(workspaces.updateWorkspace, { ...as, body: { name: 'New yard' } })
    await slipway.ok(workspaces.inviteMember, { ...as, body: { email: 'other@example.com' } })
    const { invite } = await slipway.ok(workspaces.inviteMember, { ...as, body: { email } })
    const token = new URL(invite.url ?? '').searchParams.get('token')
    await slipway.ok(join, { address, body: { token, email, password } })
    const { invites } = await slipway.ok(workspaces.listInvites, as)
    await slipway.ok(workspaces.revokeInvite, { ...as, params: { id: invites[0]?.id ?? '' } })
    await slipway.ok(workspaces.changeRole, { ...as, params: { id: member.member }, body: { role: 'admin' } })
    await slipway.ok(workspaces.removeMember, { ...as, body: { member_id: member.member } })
    await slipway.ok(workspaces.removeMember, {
      token: viewer.token,
      address,
      body: { member_id: viewer.member },
    })
    const made = await slipway.ok(createApiToken, { ...as, body: { name: 'ci' } })
    await slipway.ok(revokeApiToken, { ...as, params: { id: made.api_token.id } })
    await slipway.ok(workspaces.updateWorkspace, { token: admin.token, address, body: { name: 'Yard' } })

    const { entries } = await slipway.ok(listAudit, as)
    const sentences = entries.map(({ actor, summary, target, detail }) =>
      [actor.name, summary, target?.name, detail].filter(Boolean).join(' '),
    )
    const guest = expect.stringMatching(/^Guest \w+ joined as member$/)
    expect(sentences).toEqual([
      `${admin.name} renamed the workspace to Yard`,
      `${owner.name} revoked API token ci`,
      `${owner.name} created API token ci with the scope read`,
      `${viewer.name} left the workspace`,
      `${owner.name} removed ${member.name}`,
      `${owner.name} changed the role of ${member.name} to admin`,
      `${owner.name} revoked the invite for other@example.com`,
      guest,
      `${owner.name} invited ${email} as member`,
      `${owner.name} invited other@example.com as member`,
      `${owner.name} renamed the workspace to New yard`,
    ])
    const found = await slipway.ok(listAudit, { ...as, query: { q: 'SCOPE READ' } })
    expect(found.entries.map(({ target }) => target?.name)).toEqual(['ci'])
    for (const entry of entries) {
      expect(entry).toMatchObject({ address, actor: { via: 'session' } })
      expect(entry.actor.id).toMatch(/^usr_/)
      expect(entry.target?.id ?? 'mem_').toMatch(/^(wsp|inv|mem|tok)_/)
      expect(Object.keys(events)).toContain(entry.type)
    }
  })

  test('records actions of an API token', async () => {
    const { owner } = await makeTeam(slipway.db)
    const { token } = await slipway.ok(createApiToken, {
      token: owner.token,
      body: { name: 'ci', scope: 'manage' },
    })
    await slipway.ok(workspaces.updateWorkspace, { token, body: { name: 'By machine' } })
    const { entries } = await slipway.ok(listAudit, { token, query: { q: 'by mach' } })
    expect(entries).toMatchObject([{ actor: { id: owner.id, via: 'api_token' } }])
  })

  test('records nothing for failed actions', async () => {
    const { owner } = await makeTeam(slipway.db)
    await slipway.refused(
      workspaces.removeMember,
      { token: owner.token, body: { member_id: owner.member } },
      409,
    )
    expect((await slipway.ok(listAudit, { token: owner.token })).entries).toEqual([])
  })

  test('exports CSV without formulas', async () => {
    const { owner } = await makeTeam(slipway.db)
    const names = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', 'say "hi", all', 'ordinary', "=cmd|' /C calc'!A0"]
    for (const name of names.filter((one) => one.trim() === one))
      await slipway.ok(workspaces.updateWorkspace, { token: owner.token, body: { name } })
    await slipway.db
      .updateTable('events')
      .set({ target_name: '\t=1' })
      .where('target_name', '=', 'ordinary')
      .execute()
    const got = await slipway.call(exportAudit.key, { token: owner.token })
    expect(got.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(got.headers['content-disposition']).toBe('attachment; filename="audit.csv"')
    const [head, ...lines] = got.text.trimEnd().split('\r\n')
    expect(head).toBe(
      '"time","actor","via","type","target_kind","target_id","target_name","detail","address"',
    )
    expect(lines).toHaveLength(7)
    expect(got.text).toContain('"say ""hi"", all"')
    const searched = await slipway.call(exportAudit.key, { token: owner.token, query: { q: 'say' } })
    expect(searched.text.trimEnd().split('\r\n')).toHaveLength(2)
    for (const cell of got.text.matchAll(/"((?:[^"]|"")*)"/g)) expect(cell[1]).not.toMatch(/^[=+\-@\t\r]/)
  })

  test('exports everything that a search finds, page by page', async () => {
    const { workspace, owner } = await makeTeam(slipway.db)
    const event = {
      workspace_id: workspace,
      type: 'workspace.renamed' as const,
      actor_name: 'Ada',
      via: 'session',
    }
    const rows = Array.from({ length: 2_100 }, (_, index) => ({
      ...event,
      id: newId('event'),
      detail: `to ${index % 2 === 0 ? 'Harbour' : 'Yard'} ${index}`,
    }))
    await slipway.db.insertInto('events').values(rows).execute()
    const lines = async (query: Record<string, string>) =>
      (await slipway.call(exportAudit.key, { token: owner.token, query })).text
        .trimEnd()
        .split('\r\n')
        .slice(1)
    expect(new Set(await lines({})).size).toBe(2_100)
    const found = await lines({ q: 'harbour' })
    expect(found).toHaveLength(1_050)
    expect(found[0]).toContain('Harbour 2098')
  })
})
