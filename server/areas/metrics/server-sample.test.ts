import { describe, expect, test } from 'vitest'
import type { ServerReading } from './server-reading.ts'
import { toServerSample } from './server-sample.ts'

const reading = (changes: Partial<ServerReading> = {}): ServerReading => ({
  uptime: 1_000,
  cpu: { busy: 500, total: 100_000 },
  memory: { used: 3, total: 8 },
  disk: { used: 20, total: 100 },
  network: new Map([['eth0', { in: 1_000, out: 500 }]]),
  load: [0.5, 0.25, 0.125],
  ...changes,
})

const later = (changes: Partial<ServerReading> = {}) =>
  reading({ uptime: 1_010, cpu: { busy: 1_500, total: 104_000 }, ...changes })

describe('a sample', () => {
  test('has shares and rates since the previous reading', () => {
    const network = new Map([['eth0', { in: 51_000, out: 10_500 }]])
    expect(toServerSample(reading(), later({ network }))).toEqual({
      cpu: 0.25,
      memory_used: 3,
      memory_total: 8,
      disk_used: 20,
      disk_total: 100,
      network_in: 5_000,
      network_out: 1_000,
      load_1: 0.5,
      load_5: 0.25,
      load_15: 0.125,
    })
  })

  test('is a share of all cores', () => {
    const busy = later({ cpu: { busy: 500 + 128 * 1_000, total: 100_000 + 256 * 1_000 } })
    expect(toServerSample(reading(), busy)?.cpu).toBe(0.5)
  })

  test('stays between 0 and 1 when idle time goes back', () => {
    expect(toServerSample(reading(), later({ cpu: { busy: 400, total: 100_001 } }))?.cpu).toBe(0)
    expect(toServerSample(reading(), later({ cpu: { busy: 5_000, total: 101_000 } }))?.cpu).toBe(1)
  })

  test('is undefined across a restart or without elapsed time', () => {
    expect(toServerSample(reading(), later({ uptime: 5 }))).toBeUndefined()
    expect(toServerSample(reading(), later({ cpu: { busy: 1, total: 10 } }))).toBeUndefined()
    expect(toServerSample(reading(), reading())).toBeUndefined()
  })

  test('is limited to what the database can store', () => {
    const network = new Map([['eth0', { in: 1.8e19, out: 500 }]])
    expect(toServerSample(reading(), later({ uptime: 1_000.01, network }))?.network_in).toBeLessThan(2 ** 63)
  })

  test('ignores initial and lost counters of an interface', () => {
    const network = new Map([
      ['eth0', { in: 10, out: 1_500 }],
      ['eth1', { in: 9_999_999, out: 9_999_999 }],
    ])
    expect(toServerSample(reading(), later({ network }))).toMatchObject({ network_in: 0, network_out: 100 })
    expect(toServerSample(reading(), later({ network: new Map() }))).toMatchObject({
      network_in: 0,
      network_out: 0,
    })
  })
})
