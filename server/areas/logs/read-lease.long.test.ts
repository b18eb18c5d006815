import { describe, expect, onTestFinished, test } from 'vitest'
import * as told from '../../../test/support/stages/logs.ts'
import { toLogProblem, isTransientLogError, type LogSource } from './log-source.ts'
import { ReadLease } from './read-lease.ts'

const { counting, endOf, expectCounted, linesOf, more, much, numbers, textsOf } = told
const stage = await told.startLogStage()
const { host, slipway } = stage

test('lets others read while a viewer does not consume its lines', async () => {
  const cid = await stage.run(`${much}; exec sleep 1000`)
  await told.untilLast(host, cid, 'over')
  const asked = { tail: 'all', follow: 'false' }
  const stuck = await Promise.all(
    Array.from({ length: 18 }, async () => {
      const stream = await stage.stream(cid, asked)
      stream.pause()
      return stream
    }),
  )
  const rest = await Promise.all(Array.from({ length: 4 }, () => stage.read(cid, { tail: '1' })))
  for (const stream of rest) expect(textsOf(stream)).toEqual(['over'])
  for (const stream of stuck.slice(1)) stream.close()
  const [one] = stuck
  one?.resume()
  await one?.untilEnded(60_000)
  const seen = one ? textsOf(one).map((text) => Number.parseInt(text, 10)) : []
  expect(seen.slice(0, -1)).toEqual(numbers(1, 100_000).map(Number))
}, 180_000)

describe('a lease', () => {
  const source: LogSource = {
    ctx: slipway.ctx,
    workspace: stage.team.workspace,
    server: stage.server,
    container: '',
    tty: false,
    isOver: false,
  }
  const { signal } = new AbortController()

  async function takeAll(offers: number) {
    const all = Array.from({ length: 16 }, () => new ReadLease(source, signal, { offers, wait: 10_000 }))
    onTestFinished(() => all.forEach((turn) => turn.end()))
    for (const turn of all) await turn.begin()
    return all
  }

  test('ends when the total wait is too long', async () => {
    const slow = await takeAll(500)
    const taking = setInterval(() => {
      for (const turn of slow.filter(({ isGivenUp }) => !isGivenUp)) {
        turn.taken()
        turn.offer()
      }
    }, 200)
    onTestFinished(() => clearInterval(taking))
    const next = new ReadLease(source, signal)
    onTestFinished(() => next.end())
    await expect(next.begin()).resolves.toBeDefined()
  }, 20_000)

  test('fails instead of waiting forever', async () => {
    await takeAll(10_000)
    const waits = new ReadLease(source, signal, { offers: 10_000, wait: 100 })
    const error: unknown = await waits.begin().catch((reason: unknown) => reason)
    expect(isTransientLogError(error)).toBe(true)
    expect(await toLogProblem(source, error)).toMatchObject({
      status: 503,
      message: expect.stringMatching(/^Too many logs of the server .+ Try again shortly\.$/),
    })
  }, 20_000)
})

describe('a time in the future', () => {
  test('ends the stream, with or without a line', async () => {
    const [cid, silent] = [await stage.run(counting), await stage.run('sleep 1000')]
    const soon = new Date(Date.now() + 3_000).toISOString()
    const streams = [
      await stage.stream(cid, { until: soon, timestamps: 'true' }),
      await stage.stream(silent, { until: soon }),
    ]
    for (const stream of streams) {
      await stream.untilEnded(30_000)
      expect(endOf(stream)).toBe('End of the selected time range.')
    }
    const [lines] = streams.map(linesOf)
    expect(lines?.length).toBeGreaterThan(0)
    expect(lines?.filter(({ at = '' }) => at > soon.replace('Z', '999999Z'))).toEqual([])
  }, 60_000)

  test('may be far away', async () => {
    const warnings: Error[] = []
    const hear = (warning: Error) => void warnings.push(warning)
    process.on('warning', hear)
    onTestFinished(() => void process.off('warning', hear))
    const cid = await stage.run(`echo up; ${told.waiting('echo late')}`)
    const stream = await stage.stream(cid, { until: '2999-01-31T12:00:00Z' })
    await told.untilSaid(stream, 'up')
    await stage.go(cid)
    await told.untilSaid(stream, 'late')
    await stage.read(cid)
    expect(warnings.filter(({ name }) => name === 'TimeoutOverflowWarning')).toEqual([])
  }, 60_000)

  test('starts the stream', async () => {
    const cid = await stage.run(counting)
    const soon = new Date(Date.now() + 2_000).toISOString()
    const stream = await stage.stream(cid, { since: soon, timestamps: 'true' })
    await more(stream)
    expect(linesOf(stream).filter(({ at = '' }) => at < soon.replace('Z', '000000Z'))).toEqual([])
    expectCounted(textsOf(stream))
  }, 60_000)
})
