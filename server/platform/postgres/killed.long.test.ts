import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  bundle,
  killBelow,
  processesBelow,
  removeBundle,
  startProgram,
  temporaryFolder,
} from '../../../test/support/programs/programs.ts'

let writer: string
/** One for all tests but that of the first start. */
let folder: string
beforeAll(async () => {
  folder = await temporaryFolder(afterAll)
  writer = await bundle('server/platform/postgres/fixtures/writer.mjs')
})
afterAll(() => removeBundle(writer))

const lastNumber = (lines: string[]) => Number(lines.findLast((line) => /^\d+$/.test(line)) ?? 0)

test('killed again and again while it writes, it starts by itself and has every row that it acknowledged', async () => {
  let acknowledged = 0
  for (let round = 0; round < 20; round += 1) {
    const program = startProgram(writer, [folder])
    const found = await program.line(/^found/)
    const [count = 0, last = 0] = (found.match(/\d+/g) ?? []).map(Number)
    // The row that was on its way may have arrived; none that was acknowledged may be missing.
    expect(count).toBe(last)
    expect(last).toBeGreaterThanOrEqual(acknowledged)
    await program.line(/^\d+$/)
    await sleep(Math.random() * 200)
    await program.end('SIGKILL')
    acknowledged = lastNumber(program.lines)
  }
  expect(acknowledged).toBeGreaterThan(20)
  const program = startProgram(writer, [folder])
  await program.line(/^\d+$/)
  await program.end('SIGTERM')
  expect(await processesBelow(folder)).toEqual([])
}, 180_000)

test('killed together with its PostgreSQL it starts by itself as well', async () => {
  for (let round = 0; round < 2; round += 1) {
    const program = startProgram(writer, [folder])
    await program.line(/^\d+$/)
    const ended = program.end('SIGKILL')
    await killBelow(folder)
    await ended
    const acknowledged = lastNumber(program.lines)
    const next = startProgram(writer, [folder])
    const [, last = 0] = ((await next.line(/^found/)).match(/\d+/g) ?? []).map(Number)
    expect(last).toBeGreaterThanOrEqual(acknowledged)
    await next.end('SIGTERM')
  }
}, 90_000)

test('killed in the middle of its first start it begins anew', async () => {
  const empty = await temporaryFolder()
  for (const pause of [200, 400, 600, 800]) {
    const program = startProgram(writer, [empty])
    await sleep(pause)
    await program.end('SIGKILL')
  }
  expect(await startProgram(writer, [empty]).line(/^found/)).toBe('found 0 last 0')
}, 90_000)

test('Ctrl-C, which reaches the whole process group, ends it in order', async () => {
  const program = startProgram(writer, [folder], { detached: true })
  await program.line(/^\d+$/)
  process.kill(-(program.process.pid ?? Number.NaN), 'SIGINT')
  await program.end('SIGINT')
  expect(program.lines.filter((line) => line.startsWith('#'))).toEqual([])
  expect(await processesBelow(folder)).toEqual([])
}, 60_000)

test('idle with four connections it stays small', async () => {
  const program = startProgram(writer, [folder, '--idle'])
  await program.line(/^idle/)
  const sizes = (await processesBelow(folder)).map(async (pid) => {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(/^Pss: +(\d+) kB/m.exec(rollup)?.[1]) / 1024
  })
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  process.stdout.write(`PostgreSQL, idle, 4 connections: ${total.toFixed(1)} MB (PSS)\n`)
  expect(total).toBeLessThan(40)
  await program.end('SIGTERM')
}, 60_000)
