import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contract from '../contract/servers.ts'
import type { Host } from '../server/remote/host.ts'
import { startSlipway, type TestSlipway } from '../test/support/stages/context.ts'
import { makeServer, makeTeam } from '../test/support/factories/factories.ts'
import { takeHost } from '../test/support/stages/take-host.ts'
import { median, report } from './results.ts'

const rig = await takeHost()
let slipway: TestSlipway
beforeAll(async () => {
  slipway = await startSlipway()
})
afterAll(() => slipway.close())

test('calls Docker over the open connection, compared to the direct socket and spawning ssh', async () => {
  const { address, port, user, hostKey, keys } = rig
  const { hosts } = slipway.ctx
  const ours = hosts.get({
    kind: 'ssh',
    id: 'bench',
    mayConnect: async () => true,
    version: 1,
    address,
    port,
    user,
    privateKey: keys.privateKey,
    hostKeys: [hostKey],
  })
  const direct = hosts.get({ kind: 'local', id: 'direct', dockerSocket: rig.dockerSocket() })
  const times = { ours: [] as number[], direct: [] as number[], spawned: [] as number[] }
  for (const host of [ours, direct]) for (let n = 0; n < 50; n++) await ask(host)
  for (let round = 0; round < 20; round++) {
    for (let n = 0; n < 10; n++) times.ours.push(await timed(() => ask(ours)))
    for (let n = 0; n < 10; n++) times.direct.push(await timed(() => ask(direct)))
  }
  await withKeyFile(async (args) => {
    for (let n = 0; n < 20; n++)
      times.spawned.push(await timed(() => promisify(execFile)('ssh', [...args, 'docker', 'ps'])))
  })
  const [kept, socket, spawned] = [times.ours, times.direct, times.spawned].map(median)
  if (kept === undefined || socket === undefined || spawned === undefined) throw new Error('No figures.')
  report({
    what: 'Docker call over the kept connection, against the direct socket',
    bar: '≤ 2.5 ×',
    measured: `${(kept / socket).toFixed(2)} × (${kept.toFixed(2)} ms, direct ${socket.toFixed(2)} ms)`,
    met: kept / socket <= 2.5,
  })
  report({
    what: 'the same against spawning ssh host docker ps',
    bar: '≥ 50 × faster',
    measured: `${(spawned / kept).toFixed(0)} × faster (${spawned.toFixed(0)} ms)`,
    met: spawned / kept >= 50,
  })
})

const ask = (host: Host) => host.docker.json({ path: '/containers/json' })

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** SSH arguments for the server. */
async function withKeyFile(work: (args: string[]) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-bench-key-'))
  try {
    const [key, known] = [join(folder, 'key'), join(folder, 'known_hosts')]
    await writeFile(key, rig.keys.privateKey, { mode: 0o600 })
    await writeFile(known, `${rig.address} ${rig.hostKey}\n`)
    await work(['-F', '/dev/null', '-i', key, '-o', `UserKnownHostsFile=${known}`, `root@${rig.address}`])
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('detects a lost and restored connection', async () => {
  const { workspace, admin } = await makeTeam(slipway.db)
  const id = await makeServer(slipway.ctx, workspace, rig)
  slipway.work()
  const until = (status: string) =>
    timed(async () => {
      for (;;) {
        const { server } = await slipway.ok(contract.getServer, { token: admin.token, params: { id } })
        if (server.status === status && server.cpus !== null) return
        await sleep(20)
      }
    })
  await until('ready')
  const [lost, found]: [number[], number[]] = [[], []]
  for (let round = 0; round < 3; round++) {
    await rig.cut()
    lost.push(await until('unreachable'))
    await rig.plug()
    found.push(await until('ready'))
    await sleep(2_000)
  }
  expect(lost).toHaveLength(3)
  for (const [what, times] of [
    ['cable cut → unreachable', lost],
    ['cable back → ready', found],
  ] as const) {
    const worst = Math.max(...times) / 1_000
    report({
      what: `${what}, worst of 3`,
      bar: '≤ 10 s',
      measured: `${worst.toFixed(1)} s`,
      met: worst <= 10,
    })
  }
})
