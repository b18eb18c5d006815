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
/** Shared by all tests except the first start. */
let folder: string
beforeAll(async () => {
  folder = await temporaryFolder(afterAll)
  writer = await bundle('server/platform/postgres/fixtures/writer.mjs')
})
afterAll(() => removeBundle(writer))

const lastNumber = (lines: string[]) => Number(lines.findLast((line) => /^\d+$/.test(line)) ?? 0)

test('keeps every acknowledged row when it is killed repeatedly', async () => {
  let acknowledged = 0
  for (let round = 0; round < 20; round += 1) {
    const program = startProgram(writer, [folder])
    const found = await program.line(/^found/)
    const [count = 0, last = 0] = (found.match(/\d+/g) ?? []).map(Number)
    // A row that was not acknowledged may be stored, but no acknowledged row may be missing.
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

test('restarts when it is killed together with PostgreSQL', async () => {
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

test('starts over when it is killed during the first start', async () => {
  const empty = await temporaryFolder()
  for (const pause of [200, 400, 600, 800]) {
    const program = startProgram(writer, [empty])
    await sleep(pause)
    await program.end('SIGKILL')
  }
  expect(await startProgram(writer, [empty]).line(/^found/)).toBe('found 0 last 0')
}, 90_000)

test('shuts down in order on Ctrl-C', async () => {
  const program = startProgram(writer, [folder], { detached: true })
  await program.line(/^\d+$/)
  process.kill(-(program.process.pid ?? Number.NaN), 'SIGINT')
  await program.end('SIGINT')
  expect(program.lines.filter((line) => line.startsWith('#'))).toEqual([])
  expect(await processesBelow(folder)).toEqual([])
}, 60_000)

test('stays small when idle with four connections', async () => {
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
