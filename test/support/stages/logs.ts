import { afterAll, expect, vi } from 'vitest'
import type { z } from 'zod'
import { logEvent, type logLine } from '../../../contract/logs.ts'
import { runContainer } from './containers.ts'
import { startSlipway, type TestSlipway } from './context.ts'
import { makeServer, makeTeam, type TestHost } from '../factories/factories.ts'
import type { RigServer } from '../rig/server.ts'
import { type Heard, openStream, type Stream } from '../clients/streams.ts'
import { takeHost } from './take-host.ts'

export type LogLine = z.output<typeof logLine>

/** Slipway and a server for the tests of a file. */
export async function startLogStage() {
  const host = await takeHost()
  const slipway = await startSlipway()
  afterAll(() => slipway.close())
  return { host, slipway, ...(await openLogStage(slipway, host)) }
}

/** A team with a server and a viewer. */
export async function openLogStage(slipway: TestSlipway, host: RigServer & TestHost) {
  const team = await makeTeam(slipway.db)
  const server = await makeServer(slipway.ctx, team.workspace, host)
  const { token } = team.viewer
  const base = await slipway.listen()

  const urlOf = (cid: string, query: Record<string, string> = {}, below = '') =>
    `${base}/v1/servers/${server}/containers/${cid}/logs${below}?${new URLSearchParams(query).toString()}`

  const stream = async (cid: string, query?: Record<string, string>, headers: Record<string, string> = {}) =>
    openStream(urlOf(cid, query), { authorization: `Bearer ${token}`, ...headers })

  /** Reads until the end. */
  const read = async (cid: string, query: Record<string, string> = {}, headers?: Record<string, string>) => {
    const opened = await stream(cid, { follow: 'false', ...query }, headers)
    await opened.untilEnded()
    return opened
  }
  const run = (script: string, options: string[] = []) =>
    runContainer(host, { options: ['--init', ...options], script })

  /** Lets a waiting container continue. */
  const go = (cid: string) => host.exec('docker', 'exec', cid, 'touch', '/go')

  return { team, server, token, urlOf, stream, read, run, go }
}

export const openLog = (url: string, token: string) => openStream(url, { authorization: `Bearer ${token}` })

const shared = new WeakMap<RigServer['exec'], Promise<string>>()

/** A shared container that has printed ten numbers. */
export function sharedNumbers(host: RigServer): Promise<string> {
  const made = shared.get(host.exec) ?? saysNumbers(host)
  shared.set(host.exec, made)
  return made
}

async function saysNumbers(host: RigServer): Promise<string> {
  const cid = await runContainer(host, { script: 'seq 1 10; exec sleep 1000' })
  await untilLast(host, cid, '10')
  return cid
}

/** Waits for the last line of a container. */
export const untilLast = (host: RigServer, cid: string, line: string) =>
  vi.waitFor(
    async () => {
      const last = (await host.exec('docker', 'logs', '--tail', '1', cid)).trimEnd()
      if (last !== line) throw new Error(`It said last: ${last}`)
    },
    { interval: 200 },
  )

const known = new WeakMap<Heard, z.output<typeof logEvent>>()

/** Parsed once, because there may be very many lines. */
function eventOf(heard: Heard) {
  const event = known.get(heard) ?? logEvent.parse(heard.data)
  known.set(heard, event)
  return event
}

export const eventsOf = (stream: Stream) => stream.heard.map(eventOf)

export function linesIn(heard: Heard): LogLine[] {
  const event = eventOf(heard)
  return event.type === 'lines' ? event.lines : []
}

export const linesOf = (stream: Stream): LogLine[] => stream.heard.flatMap(linesIn)

export const textsOf = (stream: Stream) => linesOf(stream).map(({ text }) => text)

export const missedIn = (stream: Stream) =>
  eventsOf(stream).reduce((sum, event) => sum + (event.type === 'missed' ? event.lines : 0), 0)

/** Reason of the end, or undefined. */
export const endOf = (stream: Stream) =>
  eventsOf(stream).flatMap((event) => (event.type === 'end' ? [event.reason] : []))[0]

export const untilSaid = (stream: Stream, text: string, timeout = 120_000) =>
  vi.waitFor(
    () => {
      const said = textsOf(stream)
      if (!said.includes(text))
        throw new Error(`It said ${said.length} lines, the last: ${said.slice(-5).join(' | ')}`)
    },
    { timeout, interval: 50 },
  )

export const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index))

/** Prints a number every 20 ms on both streams. */
export const counting = 'while :; do n=$((n + 1)); echo $n; echo e$n >&2; sleep 0.02; done'
/** Continues counting after a restart. */
export const keptCounting = `n=$(cat /n 2>/dev/null); ${counting.replace('sleep', 'echo $n >/n; sleep')}`
/** About 27 MB of numbered lines. */
export const much = `seq 1 100000 | sed "s/$/ ${'and more '.repeat(30)}/"; echo over`
/** Prints on a signal and keeps running. */
export const waiting = (script: string) => `until [ -e /go ]; do sleep 0.05; done; ${script}; exec sleep 1000`

export const until = (work: () => void | Promise<void>, timeout = 120_000) =>
  vi.waitFor(work, { timeout, interval: 50 })

/** Waits for this many more lines. */
export function more(stream: Stream, lines = 20) {
  const enough = linesOf(stream).length + lines
  return until(() => expect(linesOf(stream).length).toBeGreaterThan(enough), 60_000)
}

/** Expects no lost, repeated or reordered number per stream. */
export function expectCounted(texts: string[]) {
  for (const prefix of ['', 'e']) {
    const own = texts.filter((text) => text.startsWith('e') === (prefix === 'e'))
    const first = Number(own[0]?.replace('e', ''))
    expect(own).toEqual(numbers(first, first + own.length - 1).map((n) => prefix + n))
  }
}
