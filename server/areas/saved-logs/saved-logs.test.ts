import { afterAll, beforeEach, expect, test } from 'vitest'
import * as contract from '../../../contract/saved-logs.ts'
import { updateApplication } from '../../../contract/applications.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { makeApplication, makeSavedLog } from '../../../test/support/factories/application-factories.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { openStream } from '../../../test/support/clients/streams.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { deleteExpiredLogs } from './saved-log.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { ctx, db, ok } = slipway
const { workspace, member, viewer } = await makeTeam(db)
const url = await slipway.listen()
const server = await makeServer(ctx, workspace, nowhere(), { status: 'unreachable' })
let id: Id<'application'>
beforeEach(async () => {
  id = await makeApplication(db, workspace, server)
})

const list = async (query = {}) =>
  (await ok(contract.listSavedLogs, { token: viewer.token, params: { id }, query })).logs
const numbered = (count: number, width = 0) =>
  Array.from({ length: count }, (_, index) => `line ${index} ${'x'.repeat(width)}`.trim())

async function read(log: Id<'savedLog'>, query = '', headers: Record<string, string> = {}) {
  const stream = await openStream(`${url}/v1/applications/${id}/logs/${log}${query}`, {
    authorization: `Bearer ${viewer.token}`,
    ...headers,
  })
  await stream.untilEnded()
  const texts = stream.heard.flatMap(({ data }) => {
    const { lines = [] } = data as { lines?: { text: string }[] }
    return lines.map(({ text }) => text)
  })
  return { texts, heard: stream.heard }
}

test('returns all lines, the last ones, those since a time, and those after an event', async () => {
  const lines = numbered(9_000, 100)
  const from = new Date('2026-01-31T12:00:00.000Z')
  const log = await makeSavedLog(ctx, workspace, id, lines, { from })
  const { texts, heard } = await read(log)
  expect(texts).toEqual(lines)
  expect((await read(log, '?tail=5000')).texts).toEqual(lines.slice(-5_000))
  expect((await read(log, '?tail=20000')).texts).toEqual(lines)
  expect((await read(log, '?since=2026-01-31T12:00:08.990Z')).texts).toEqual(lines.slice(8_990))
  const secondEvent = heard.find(({ id: event }) => event === '1')
  const rest = await read(log, '?tail=1', { 'last-event-id': secondEvent?.id ?? '' })
  expect(rest.texts.length).toBeGreaterThan(1_000)
  expect(rest.texts).toEqual(lines.slice(-rest.texts.length))
  const download = await fetch(`${url}/v1/applications/${id}/logs/${log}/download?timestamps=true`, {
    headers: { authorization: `Bearer ${viewer.token}` },
  })
  const file = await download.text()
  expect(file.split('\n').slice(0, 1)).toEqual([`2026-01-31T12:00:00.000000000Z ${lines[0]}`])
  expect(file.trimEnd().split('\n')).toHaveLength(9_000)
  expect(download.headers.get('content-disposition')).toBe('attachment; filename="shop-1-1-abcd.log"')
})

test('lists logs by release, newest first', async () => {
  await makeSavedLog(ctx, workspace, id, ['one'], { release: 1, exit_code: 0 })
  await makeSavedLog(ctx, workspace, id, ['two', 'more'], { release: 2, service: 'web', restarts: 4 })
  expect(await list()).toMatchObject([
    { release: 2, service: 'web', lines: 2, bytes: 103, exit_code: 1, restarts: 4 },
    { release: 1, service: null, lines: 1, bytes: 51, exit_code: 0, restarts: 0 },
  ])
  expect(await list({ release: '1' })).toMatchObject([{ release: 1 }])
})

test('finds text in all logs regardless of case, newest first, and says when there is more', async () => {
  const find = async (q: string) =>
    ok(contract.searchSavedLogs, { token: viewer.token, params: { id }, query: { q } })
  await makeSavedLog(ctx, workspace, id, ['ERROR job=7', 'fine'], { release: 1, from: new Date(0) })
  await makeSavedLog(ctx, workspace, id, ['error job=8', '100% sure', 'a_b'], { release: 2 })
  expect((await find('error JOB')).matches).toMatchObject([
    { text: 'error job=8', log: { release: 2 } },
    { text: 'ERROR job=7', log: { release: 1 }, at: '1970-01-01T00:00:00.000000000Z' },
  ])
  expect((await find('%')).matches.map(({ text }) => text)).toEqual(['100% sure'])
  expect(await find('nothing')).toEqual({ matches: [], complete: true })
  await makeSavedLog(ctx, workspace, id, numbered(201))
  const many = await find('line')
  expect([many.matches.length, many.complete, many.matches[0]?.text]).toEqual([200, false, 'line 200'])
})

test('replaces the log of a container that is saved again', async () => {
  const container_id = 'c'.repeat(64)
  await makeSavedLog(ctx, workspace, id, ['one'], { container_id })
  await makeSavedLog(ctx, workspace, id, ['one', 'two'], { container_id })
  expect(await list()).toMatchObject([{ lines: 2 }])
})

test('keeps the newest output within the size limit of the application', async () => {
  const half = numbered(6_000, 90)
  await makeSavedLog(ctx, workspace, id, half, { log_megabytes: 1 })
  const second = await makeSavedLog(ctx, workspace, id, half, { log_megabytes: 1 })
  expect((await list()).map((log) => log.id)).toEqual([second])
  const log = await makeSavedLog(ctx, workspace, id, numbered(15_000, 90), { log_megabytes: 1 })
  const [saved] = await list()
  expect(saved).toMatchObject({ id: log, truncated: true })
  expect(saved?.bytes).toBeLessThanOrEqual(1_000_000)
  expect((await read(log)).texts.at(-1)).toMatch(/^line 14999 /)
})

test('deletes logs after the days of the application', async () => {
  const { signal } = new AbortController()
  const age = (log: Id<'savedLog'>, days: number) =>
    db
      .updateTable('saved_logs')
      .set({ saved_at: new Date(Date.now() - days * 86_400_000) })
      .where('id', '=', log)
      .execute()
  await age(await makeSavedLog(ctx, workspace, id, ['old']), 8)
  await age(await makeSavedLog(ctx, workspace, id, ['new']), 6)
  await deleteExpiredLogs(db, signal)
  expect(await list()).toHaveLength(1)
  await ok(updateApplication, { token: member.token, params: { id }, body: { log_days: 5 } })
  await deleteExpiredLogs(db, signal)
  expect(await list()).toEqual([])
})

test('keeps lines with an unreadable time, and names the file safely', async () => {
  const log = await makeSavedLog(ctx, workspace, id, ['x', ''], {
    container_name: 'a"\nb',
    from: new Date(0),
  })
  expect((await read(log)).texts).toEqual(['x', ''])
  const download = await fetch(`${url}/v1/applications/${id}/logs/${log}/download`, {
    headers: { authorization: `Bearer ${viewer.token}` },
  })
  expect(download.headers.get('content-disposition')).toBe('attachment; filename="a__b.log"')
})

test.each([
  { log_days: -1 },
  { log_days: 91 },
  { log_megabytes: 0 },
  { log_megabytes: 201 },
  { log_days: 1.5 },
])('refuses the limit %o', async (body) => {
  const reply = await slipway.call('PUT /v1/applications/{id}', { token: member.token, params: { id }, body })
  expect(reply.status).toBe(422)
})
