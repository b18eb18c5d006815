import { describe, expect, test } from 'vitest'
import { type ContainerReading, parseContainerStats, toContainerSample } from './collect-containers.ts'

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

/** Response of Docker 20.10 with cgroup v1, without unused fields. */
const answer = (changes: object = {}) => ({
  read: '2026-11-15T17:18:57.182896653Z',
  preread: '0001-01-01T00:00:00Z',
  blkio_stats: {
    io_service_bytes_recursive: [
      { major: 8, minor: 0, op: 'Read', value: 4_096 },
      { major: 8, minor: 0, op: 'Write', value: 1_024 },
      { major: 8, minor: 0, op: 'Total', value: 5_120 },
      { major: 8, minor: 16, op: 'Read', value: 4 },
    ],
  },
  cpu_stats: {
    cpu_usage: { total_usage: 2_500_000_000, percpu_usage: [1, 2] },
    system_cpu_usage: 23_673_630_000_000,
    online_cpus: 2,
  },
  precpu_stats: { cpu_usage: { total_usage: 0 } },
  memory_stats: {
    usage: 860_160,
    limit: 67_108_864,
    stats: { inactive_file: 40_000, total_inactive_file: 60_160 },
  },
  networks: { eth0: { rx_bytes: 486, tx_bytes: 12 }, eth1: { rx_bytes: 1, tx_bytes: 2 } },
  ...changes,
})

describe("Docker's stats", () => {
  test('are read with cgroup v1', () => {
    expect(parseContainerStats(answer())).toEqual({
      at: Date.parse('2026-11-15T17:18:57.182Z'),
      cpu: 2.5,
      cores: 2,
      memory: { used: 800_000, limit: 67_108_864 },
      network: new Map([
        ['eth0', { in: 486, out: 12 }],
        ['eth1', { in: 1, out: 2 }],
      ]),
      disk: { read: 4_100, written: 1_024 },
    })
  })

  test('are read with cgroup v2', () => {
    const read = parseContainerStats(
      answer({
        blkio_stats: {
          io_service_bytes_recursive: [
            { op: 'read', value: 7 },
            { op: 'write', value: 9 },
          ],
        },
        memory_stats: { usage: 100, limit: 200, stats: { anon: 50, file: 50, inactive_file: 30 } },
      }),
    )
    expect(read).toMatchObject({ disk: { read: 7, written: 9 }, memory: { used: 70, limit: 200 } })
  })

  test('count nothing when the kernel or container has no counters', () => {
    for (const blkio of [null, undefined, {}, { io_service_bytes_recursive: null }])
      expect(parseContainerStats(answer({ blkio_stats: blkio }))?.disk).toEqual({ read: 0, written: 0 })
    expect(parseContainerStats(answer({ networks: undefined }))?.network).toEqual(new Map())
    const memory_stats = { usage: 100, limit: 200 }
    expect(parseContainerStats(answer({ memory_stats }))?.memory).toEqual({ used: 100, limit: 200 })
  })

  test('never report negative memory', () => {
    const memory_stats = { usage: 100, limit: 200, stats: { inactive_file: 150 } }
    expect(parseContainerStats(answer({ memory_stats }))?.memory.used).toBe(100)
  })

  test('are undefined while the container is stopped', () => {
    const empty = {
      read: '0001-01-01T00:00:00Z',
      blkio_stats: { io_service_bytes_recursive: null },
      cpu_stats: { cpu_usage: { total_usage: 0 } },
      memory_stats: {},
    }
    expect(parseContainerStats(empty)).toBeUndefined()
  })

  test('are undefined when invalid', () => {
    const bad = [
      undefined,
      null,
      [],
      'figures',
      {},
      answer({ read: 'yesterday' }),
      answer({ cpu_stats: { cpu_usage: { total_usage: -1 }, online_cpus: 2 } }),
      answer({ cpu_stats: { cpu_usage: { total_usage: 1 }, online_cpus: 1e300 } }),
      answer({ cpu_stats: { cpu_usage: { total_usage: '1' }, online_cpus: 2 } }),
      answer({ memory_stats: { usage: Infinity, limit: 1 } }),
      answer({ networks: { eth0: {} } }),
    ]
    for (const given of bad) expect(parseContainerStats(given)).toBeUndefined()
  })

  test('are limited to what the database can store', () => {
    const memory_stats = { usage: 1e300, limit: 9_223_372_036_854_771_712 }
    const { memory } = parseContainerStats(answer({ memory_stats })) ?? {}
    expect(memory).toEqual({ used: Number.MAX_SAFE_INTEGER, limit: Number.MAX_SAFE_INTEGER })
  })
})
