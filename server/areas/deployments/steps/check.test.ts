import { expect, test } from 'vitest'
import { buildLimits } from '../../applications/source.ts'
import { cacheBudget } from '../source/source-work.ts'
import { parseFreeSpace, freeSpaceProblem } from './check.ts'

const gibibyte = 1024 ** 3
const said = (free: number, available: number) => `Filesystem 1024-blocks Used Available Capacity Mounted on
/dev/vda 41943040 1 ${free} 1% /
MemTotal: 2048000 kB
MemAvailable: ${available} kB
`

test('parses free space and reports too little of it', () => {
  const room = parseFreeSpace(said(2 * 1024 ** 2, 512 * 1024))
  expect(room).toEqual({
    total: 40 * gibibyte,
    free: 2 * gibibyte,
    memory: gibibyte / 2,
  })
  expect(freeSpaceProblem('web-1', room, true)).toBeUndefined()
  const few = parseFreeSpace(said(900 * 1024, 200 * 1024))
  expect(freeSpaceProblem('web-1', few, false)).toBeUndefined()
  expect(freeSpaceProblem('web-1', few, true)).toBe(
    'Not enough disk space on web-1: 900 MiB free, a build needs 1 GiB. Remove unused images or add disk space, then deploy again.',
  )
  // A tenth of a small disk is enough.
  expect(freeSpaceProblem('web-1', { ...few, total: 5 * gibibyte }, true)).toBe(
    'Not enough free memory on web-1: 200 MiB free, a build needs 256 MiB. Stop other containers or add memory, then deploy again.',
  )
})

test('limits builds by default so that the server can keep serving', () => {
  const none = { build_memory: null, build_cpus: null, build_minutes: 30 }
  const of = (gigabytes: number, cpus: number) =>
    buildLimits({ memory_bytes: gigabytes * gibibyte, cpus }, none)
  expect(of(0.5, 1)).toMatchObject({ memory: gibibyte / 2, cpus: 1 })
  expect(of(1, 1)).toMatchObject({ memory: gibibyte / 2, cpus: 1 })
  expect(of(8, 4)).toEqual({ memory: 6 * gibibyte, cpus: 3, processes: 4096, minutes: 30 })
  const set = { build_memory: gibibyte, build_cpus: 0.5, build_minutes: 5 }
  expect(buildLimits({ memory_bytes: null, cpus: null }, set)).toMatchObject({ memory: gibibyte, cpus: 0.5 })
  expect([30, 400].map((size) => cacheBudget({ disk_bytes: size * gibibyte }) / gibibyte)).toEqual([6, 20])
})
