import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { median, report } from './results.ts'
import { newDataDir, removeDataDir, logIn, startSlipway } from './slipway.ts'

test('starts warm and idles with little memory', async () => {
  const dataDir = newDataDir()
  try {
    const first = await startSlipway(4910, dataDir)
    await logIn(first.url)
    await first.stop()
    const times: number[] = []
    for (let i = 0; i < 3; i++) {
      const again = await startSlipway(4910, dataDir)
      times.push(again.startedAfter)
      if (i < 2) await again.stop()
      else {
        await sleep(60_000)
        measureMemory(again.child.pid ?? 0)
        await again.stop()
      }
    }
    const time = median(times)
    report({ what: 'warm start', bar: '≤ 2 s', measured: `${(time / 1000).toFixed(2)} s`, met: time <= 2000 })
  } finally {
    removeDataDir(dataDir)
  }
})

function measureMemory(npm: number) {
  const all = tree(npm)
  const own = all.filter((pid) => pid !== npm && commandOf(pid) !== 'sh')
  const megabytes = (pids: number[]) => pids.reduce((sum, pid) => sum + pss(pid), 0) / 1024
  const slipway = megabytes(own)
  expect(own.length).toBeGreaterThan(3)
  report({
    what: 'idle memory (PSS), database included, 60 s after start',
    bar: '≤ 150 MB',
    measured: `${slipway.toFixed(0)} MB (${megabytes(all).toFixed(0)} MB with npm and its shell)`,
    met: slipway <= 150,
  })
}

const pids = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
const stat = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ''
  }
}
const parentOf = (pid: number) => Number(stat(pid).split(') ').at(-1)?.split(' ')[1])
const commandOf = (pid: number) => /\((.*)\)/.exec(stat(pid))?.[1]

function tree(root: number): number[] {
  const children = pids().filter((pid) => parentOf(pid) === root)
  return [root, ...children.flatMap(tree)]
}

function pss(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
