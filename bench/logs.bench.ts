import { type IncomingMessage, request, type RequestOptions } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runContainer } from '../test/support/stages/containers.ts'
import { takeHost } from '../test/support/stages/take-host.ts'
import { collecting, memory, workerOf } from './process.ts'
import { median, report } from './results.ts'
import { addServer, newDataDir, removeDataDir, logIn, startSlipway } from './slipway.ts'

const host = await takeHost()
const LINES = 200_000
const VIEWERS = 200
const SAID = 20_000

type Open = (cid: string, query: string) => Promise<IncomingMessage>

async function withSlipway(port: number, work: (open: Open, pid: number) => Promise<void>) {
  const dataDir = newDataDir()
  const slipway = await startSlipway(port, dataDir, collecting)
  try {
    const token = await logIn(slipway.url)
    const server = await addServer(dataDir, host)
    const open: Open = (cid, query) =>
      get({
        port,
        path: `/v1/servers/${server}/containers/${cid}/logs?${query}`,
        headers: { authorization: `Bearer ${token}` },
      })
    await work(open, workerOf(slipway.child.pid ?? 0))
  } finally {
    await slipway.stop()
    removeDataDir(dataDir)
  }
}

const get = (options: RequestOptions) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    request({ ...options, agent: false }, resolve)
      .once('error', reject)
      .end()
  })

test('streams 200,000 lines over SSH, compared to the direct Docker socket', async () => {
  const text = 'a line as long as many a line of a log is, with some words to read'
  const cid = await runContainer(host, {
    script: `seq 1 ${LINES} | sed "s/$/ ${text}/"; echo over; exec sleep 1000`,
  })
  while (!(await host.exec('docker', 'logs', '--tail', '1', cid)).startsWith('over')) await sleep(500)
  await withSlipway(4950, async (open) => {
    const direct = () =>
      get({
        socketPath: host.dockerSocket(),
        path: `/containers/${cid}/logs?stdout=1&stderr=1&timestamps=1`,
      })
    const ours = () => open(cid, 'tail=all&follow=false')
    await timed(ours)
    const [rates, times]: [number[], number[][]] = [[], []]
    for (let round = 0; round < 3; round++) {
      const [socket, slipway] = [await timed(direct), await timed(ours)]
      expect(count(socket.text, / a line as long /g)).toBe(LINES)
      expect(count(slipway.text, / a line as long /g)).toBe(LINES)
      rates.push(socket.took / slipway.took)
      times.push([socket.took, slipway.took])
    }
    const said = times.map(([socket = 0, slipway = 0]) => `${socket.toFixed(0)}/${slipway.toFixed(0)}`)
    report({
      what: '200,000 log lines through Slipway over SSH, against the direct Docker socket, median of 3',
      bar: '≥ 0.6 ×',
      measured: `${median(rates).toFixed(2)} × (ms direct/ours: ${said.join(', ')})`,
      met: median(rates) >= 0.6,
    })
  })
}, 300_000)

async function timed(open: () => Promise<IncomingMessage>) {
  const began = performance.now()
  const pieces: Buffer[] = []
  for await (const piece of await open()) pieces.push(Buffer.from(piece))
  return { took: performance.now() - began, text: Buffer.concat(pieces).toString('latin1') }
}

const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0

test('streams a container with 1,000 lines a second to 200 viewers', async () => {
  const cid = await runContainer(host, {
    script: `echo ready; until [ -e /go ]; do sleep 0.1; done
      n=0; while [ $n -lt ${SAID} ]; do seq $((n + 1)) $((n + 50)); n=$((n + 50)); usleep 47000; done
      echo over; exec sleep 1000`,
  })
  await withSlipway(4951, async (open, pid) => {
    const warm = await Promise.all(Array.from({ length: 20 }, () => view(open, cid)))
    await until(() => warm.every(({ saw }) => saw.ready))
    for (const { close } of warm) close()
    await sleep(4_000)
    const before = await memory(pid)
    const viewers = await Promise.all(Array.from({ length: VIEWERS }, () => view(open, cid)))
    await until(() => viewers.every(({ saw }) => saw.ready))
    await host.exec('docker', 'exec', cid, 'touch', '/go')
    const began = performance.now()
    await sleep(10_000)
    const streams = await upstreams(cid)
    await until(() => viewers.every(({ saw }) => saw.over))
    const seconds = (performance.now() - began) / 1_000
    const growth = (await memory(pid)) - before
    const lost = viewers.reduce((sum, viewer) => sum + SAID - viewer.saw.lines, 0)
    const missed = viewers.filter(({ saw }) => saw.missed).length
    report({
      what: `${VIEWERS} viewers of one container that says 1,000 lines a second: streams, lost lines, memory`,
      bar: '1, 0, ≤ +100 MB',
      measured: `${streams}, ${lost}, +${growth.toFixed(0)} MB (${seconds.toFixed(0)} s, ${missed} told of missed lines)`,
      met: streams === 1 && lost === 0 && missed === 0 && growth <= 100,
    })
  })
}, 300_000)

/** A viewer that counts the numbers it reads. */
async function view(open: Open, cid: string) {
  const stream = await open(cid, 'tail=10')
  const saw = { lines: 0, ready: false, over: false, missed: false }
  let rest = ''
  stream.setEncoding('latin1').on('data', (piece: string) => {
    const text = rest + piece
    const end = text.lastIndexOf('\n\n') + 1
    rest = text.slice(end)
    const whole = text.slice(0, end)
    saw.lines += count(whole, /"text":"\d+"/g)
    saw.missed ||= whole.includes('"type":"missed"')
    saw.ready ||= whole.includes('"ready"')
    saw.over ||= whole.includes('"over"')
  })
  stream.on('error', () => {})
  return { saw, close: () => stream.destroy() }
}

async function until(isSo: () => boolean) {
  for (const end = performance.now() + 120_000; !isSo(); await sleep(50))
    if (performance.now() > end) throw new Error('It takes too long.')
}

/** Counts Docker log readers. */
async function upstreams(cid: string): Promise<number> {
  const files = await host.exec('sh', '-c', 'ls -l /proc/$(pidof dockerd)/fd')
  return files.split('\n').filter((line) => line.includes(`${cid}-json.log`)).length - 1
}
