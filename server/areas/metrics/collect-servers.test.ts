import { describe, expect, test } from 'vitest'
import {
  parseServerReading,
  type ServerReading,
  toServerSample,
  collectorCommand,
  createBlockParser,
} from './collect-servers.ts'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fc from 'fast-check'

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

const block = `cpu  22361 10 8417 188805 2424 5 230 56 100 0
load 1.79 0.78 0.36 1/117 6848
uptime 1115.83 1888.05
MemTotal:       24643328 kB
MemFree:        23588608 kB
MemAvailable:   24100900 kB
Buffers:           18580 kB
Cached:           591764 kB
Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
  eth0: 616610559   20081    0    0    0     0          0         0  1424584   14423    0    0    0     0       0          0
  eth1:1000 1 0 0 0 0 0 0 2000 2 0 0 0 0 0 0
disk Filesystem     1024-blocks     Used Available Capacity Mounted on
disk /dev/vda         264212084 19962992  82227756      20% /`

const without = (...words: string[]) =>
  block
    .split('\n')
    .filter((line) => !words.some((word) => line.startsWith(word)))
    .join('\n')

describe('a block of metrics', () => {
  test('is parsed', () => {
    expect(parseServerReading(block)).toEqual({
      uptime: 1115.83,
      cpu: {
        busy: 22361 + 10 + 8417 + 5 + 230 + 56,
        total: 22361 + 10 + 8417 + 188805 + 2424 + 5 + 230 + 56,
      },
      memory: { used: (24643328 - 24100900) * 1024, total: 24643328 * 1024 },
      disk: { used: 19962992 * 1024, total: 264212084 * 1024 },
      network: new Map([
        ['eth0', { in: 616610559, out: 1424584 }],
        ['eth1', { in: 1000, out: 2000 }],
      ]),
      load: [1.79, 0.78, 0.36],
    })
  })

  test('is parsed despite output of a login script', () => {
    const noisy = `Welcome!\n\n  lo0 is up: 5 lamps\n${block}\ncpufreq: ok`
    expect(parseServerReading(noisy)).toEqual(parseServerReading(block))
  })

  test('counts only external interfaces, each byte once', () => {
    const counters = '7 1 0 0 0 0 0 0 9 1 0 0 0 0 0 0'
    const virtual = ['lo', 'docker0', 'veth12ab', 'br-0c1d', 'bond0', 'eth0.100', 'wg0', 'virbr0', 'cni0']
    const added = [...virtual, 'ens3', 'venet0'].map((name) => `${name}: ${counters}`).join('\n')
    const names = [...(parseServerReading(`${block}\n${added}`)?.network.keys() ?? [])]
    expect(names).toEqual(['eth0', 'eth1', 'ens3', 'venet0'])
  })

  test('may lack disk or network, but nothing else', () => {
    expect(parseServerReading(without('disk', '  eth'))).toMatchObject({
      disk: { used: 0, total: 0 },
      network: new Map(),
    })
    for (const needed of ['cpu', 'load', 'uptime', 'MemTotal', 'MemAvailable'])
      expect(parseServerReading(without(needed))).toBeUndefined()
    for (const odd of [
      'cpu 1 2',
      'cpu a b c d',
      'load 1 x 2',
      'uptime -1',
      'MemTotal: 0 kB',
      'uptime NaN',
      `load 1 ${'9'.repeat(30)} 1`,
    ])
      expect(parseServerReading(`${block}\n${odd}`)).toBeUndefined()
    expect(parseServerReading('')).toBeUndefined()
  })

  test('never throws and returns numbers or undefined', () => {
    const words = fc.constantFrom(
      'cpu',
      'load',
      'uptime',
      'disk',
      'MemTotal:',
      'eth0:',
      '1',
      '-1',
      '9'.repeat(400),
      '/',
    )
    const lines = fc.array(fc.array(fc.oneof(words, fc.string()), { maxLength: 20 }), { maxLength: 20 })
    fc.assert(
      fc.property(lines, (given) => {
        const reading = parseServerReading(given.map((line) => line.join(' ')).join('\n'))
        const amounts = reading ? [...Object.values(reading.memory), ...reading.load] : []
        expect(amounts.every((value) => value >= 0 && value < 2 ** 63)).toBe(true)
      }),
    )
  })
})

describe('blocks', () => {
  const cut = (pieces: string[]) => {
    const blocks: string[] = []
    const read = createBlockParser((one) => blocks.push(one))
    for (const piece of pieces) read(Buffer.from(piece))
    return blocks
  }

  test('are joined from any chunks', () => {
    const text = 'a\nb\n.\nc.\n.d\n.\n.\nrest'
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), text.length]
        const pieces = at.slice(1).map((end, index) => text.slice(at[index], end))
        expect(cut(pieces)).toEqual(['a\nb', 'c.\n.d', ''])
      }),
    )
  })

  test('without an end are refused', () => {
    expect(() => cut(Array.from({ length: 300 }, () => 'x'.repeat(1024)))).toThrow('too large')
  })
})

describe('the collector', () => {
  test.each(['dash', 'bash', 'busybox sh'])('prints the metrics of this machine in %s', async (shell) => {
    const [program = '', ...before] = shell.split(' ')
    const running = spawn(program, [...before, ...collectorCommand(60).args])
    const blocks: string[] = []
    const read = createBlockParser((one) => blocks.push(one))
    running.stdout.on('data', read)
    await expect.poll(() => blocks.length).toBe(2)
    running.kill()
    const [first, second] = blocks.map(parseServerReading)
    const memory = Number(/MemTotal:\s+(\d+)/.exec(execFileSync('cat', ['/proc/meminfo']).toString())?.[1])
    const disk = Number(execFileSync('df', ['-kP', '/']).toString().split('\n')[1]?.split(/\s+/)[1])
    expect(second).toMatchObject({ memory: { total: memory * 1024 }, disk: { total: disk * 1024 } })
    expect(second?.uptime).toBeGreaterThan(first?.uptime ?? Infinity)
    expect(second?.cpu.total).toBeGreaterThan(first?.cpu.total ?? Infinity)
  })

  test('exits when its reader is gone, even without a signal', async () => {
    const { args } = collectorCommand(0)
    const running = spawn('sh', ['-c', `trap '' PIPE; exec "$0" "$@"`, 'sh', ...args])
    await once(running.stdout, 'data')
    running.stdout.destroy()
    await once(running, 'exit')
  })
})
