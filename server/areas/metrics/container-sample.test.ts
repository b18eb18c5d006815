import { describe, expect, test } from 'vitest'
import type { ContainerReading } from './container-reading.ts'
import { toContainerSample } from './container-sample.ts'

const reading = (changes: Partial<ContainerReading> = {}): ContainerReading => ({
  at: 1_000_000,
  cpu: 100,
  cores: 4,
  memory: { used: 3, limit: 8 },
  network: new Map([['eth0', { in: 1_000, out: 500 }]]),
  disk: { read: 4_000, written: 0 },
  ...changes,
})

const later = (changes: Partial<ContainerReading> = {}) => reading({ at: 1_010_000, ...changes })

describe('a container sample', () => {
  test('has cores and rates since the previous reading', () => {
    const now = later({
      cpu: 115,
      memory: { used: 4, limit: 8 },
      network: new Map([['eth0', { in: 51_000, out: 10_500 }]]),
      disk: { read: 4_000, written: 70_000 },
    })
    expect(toContainerSample(reading(), now)).toEqual({
      cpu: 1.5,
      memory_used: 4,
      memory_limit: 8,
      network_in: 5_000,
      network_out: 1_000,
      disk_read: 0,
      disk_written: 7_000,
    })
  })

  test('is undefined across a restart', () => {
    expect(toContainerSample(reading(), later({ cpu: 0.2 }))).toBeUndefined()
  })

  test('is undefined without elapsed time', () => {
    expect(toContainerSample(reading(), reading({ cpu: 101 }))).toBeUndefined()
    expect(toContainerSample(later(), reading({ cpu: 101 }))).toBeUndefined()
  })

  test('never exceeds all cores after a clock change', () => {
    expect(toContainerSample(reading(), reading({ at: 1_000_001, cpu: 110 }))?.cpu).toBe(4)
  })

  test('has no negative rate after a counter reset', () => {
    const now = later({
      cpu: 101,
      network: new Map([
        ['eth0', { in: 10, out: 0 }],
        ['eth1', { in: 9_999_999, out: 9_999_999 }],
      ]),
      disk: { read: 10, written: 0 },
    })
    expect(toContainerSample(reading(), now)).toMatchObject({
      network_in: 0,
      network_out: 0,
      disk_read: 0,
      disk_written: 0,
    })
  })
})
