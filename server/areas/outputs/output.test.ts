import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { makeWorkspace } from '../../../test/support/factories/factories.ts'
import { followOutput } from './follow-output.ts'
import { appendOutput, deleteOutput, readOutput } from './output.ts'

let slipway: TestSlipway
let workspace: Id<'workspace'>
beforeAll(async () => {
  slipway = await startSlipway()
  workspace = await makeWorkspace(slipway.db)
})
afterAll(() => slipway.close())

const say = (source: string, ...texts: string[]) =>
  appendOutput(
    slipway.ctx,
    slipway.db,
    workspace,
    source,
    texts.map((text) => ({ stream: 'stdout' as const, text })),
  )

/** Follows a source and collects events until the test or stream ends. */
function listen(
  source: string,
  given: { after?: string; mayRead?: () => boolean; of?: Id<'workspace'> } = {},
) {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const state = {
    texts: [] as string[],
    ids: [] as string[],
    types: [] as string[],
    over: false,
    ended: false,
  }
  const events = followOutput(slipway.ctx, given.of ?? workspace, {
    source,
    after: given.after,
    signal: leaving.signal,
    isOver: async () => state.over,
    mayRead: async () => given.mayRead?.() ?? true,
  })
  const reading = (async () => {
    for await (const { id, data } of events) {
      state.types.push(data.type)
      if (data.type === 'output') state.texts.push(data.text)
      if (data.type === 'output') state.ids.push(id)
    }
    state.ended = true
  })()
  return { state, reading, leave: () => leaving.abort() }
}

const soon = (check: () => void) => vi.waitFor(check, { interval: 10 })

test('streams existing output, then new output, in order', async () => {
  await say('one', 'a', 'b')
  const { state, reading } = listen('one')
  await soon(() => expect(state.texts).toEqual(['a', 'b']))
  await say('one', 'c')
  await say('another', 'x')
  await soon(() => expect(state.texts).toEqual(['a', 'b', 'c']))
  state.over = true
  await reading
  expect(state.types).toEqual(['connected', 'output', 'output', 'output', 'end'])
  expect(state.ids).toEqual(['1', '2', '3'])
})

test('streams more than one page', async () => {
  const texts = Array.from({ length: 1_203 }, (_, index) => String(index))
  await say('long', ...texts)
  const { state, reading } = listen('long')
  state.over = true
  await reading
  expect(state.texts).toEqual(texts)
})

test('resumes after the last event ID', async () => {
  await say('resumed', 'a', 'b', 'c')
  const { state, reading } = listen('resumed', { after: '2' })
  state.over = true
  await reading
  expect(state.texts).toEqual(['c'])
})

test('ends when access is revoked', async () => {
  let allowed = true
  const { state, reading } = listen('secret', { mayRead: () => allowed })
  await say('secret', 'a')
  await soon(() => expect(state.texts).toEqual(['a']))
  allowed = false
  await say('secret', 'b')
  await reading
  expect(state.texts).toEqual(['a'])
  expect(state.types).not.toContain('end')
})

test('stops when the client disconnects', async () => {
  const { state, reading, leave } = listen('left')
  await soon(() => expect(state.types).toEqual(['connected']))
  leave()
  await reading
  expect(state.ended).toBe(true)
})

test('isolates workspaces', async () => {
  const elsewhere = await makeWorkspace(slipway.db)
  await say('ours', 'a')
  const { state, reading } = listen('ours', { of: elsewhere })
  state.over = true
  await reading
  expect(state.texts).toEqual([])
  expect(await readOutput(slipway.ctx, slipway.db, elsewhere, 'ours')).toEqual({ stdout: '', stderr: '' })
  await deleteOutput(slipway.db, elsewhere, ['ours'])
  expect(await readOutput(slipway.ctx, slipway.db, workspace, 'ours')).toEqual({ stdout: 'a', stderr: '' })
  await deleteOutput(slipway.db, workspace, [])
  await deleteOutput(slipway.db, workspace, ['ours'])
  expect(await readOutput(slipway.ctx, slipway.db, workspace, 'ours')).toEqual({ stdout: '', stderr: '' })
})

test('reads each stream separately', async () => {
  const pieces = [
    { stream: 'stdout', text: 'out ' },
    { stream: 'stderr', text: 'err ' },
    { stream: 'stdout', text: 'again' },
  ] as const
  await appendOutput(slipway.ctx, slipway.db, workspace, 'both', [...pieces])
  expect(await readOutput(slipway.ctx, slipway.db, workspace, 'both')).toEqual({
    stdout: 'out again',
    stderr: 'err ',
  })
})

test('keeps the time and the origin of the output', async () => {
  const at = new Date('2026-01-31T12:00:00.123Z')
  await appendOutput(slipway.ctx, slipway.db, workspace, 'timed', [
    { stream: 'stdout', origin: 'container', text: 'a', at },
    { stream: 'stdout', text: 'b' },
  ])
  const [times, origins]: [string[], unknown[]] = [[], []]
  const pieces = followOutput(slipway.ctx, workspace, {
    source: 'timed',
    after: undefined,
    signal: new AbortController().signal,
    isOver: async () => true,
    mayRead: async () => true,
  })
  for await (const { data } of pieces)
    if (data.type === 'output') {
      times.push(data.at)
      origins.push(data.origin)
    }
  expect(origins).toEqual(['container', undefined])
  expect(times[0]).toBe(at.toISOString())
  expect(Math.abs(Date.now() - Date.parse(times[1] ?? ''))).toBeLessThan(60_000)
})
