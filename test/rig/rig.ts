import { execFile, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

/** Where the servers of one run are, and what they are called. */
export interface Rig {
  folder: string
  /** The first three numbers of their addresses. The machine itself is .1. */
  net: string
  /** Begins the name of everything that the rig makes on this machine. */
  prefix: string
}

const script = join(import.meta.dirname, 'rig.sh')
const run = promisify(execFile)

/** Makes what servers are plugged into; the servers themselves are made when one is taken. */
export async function startRig(): Promise<{ rig: Rig; stop: () => Promise<void> }> {
  await removeLeftovers()
  const prefix = process.env['RIG_PREFIX'] ?? `s${randomBytes(2).toString('hex')}`
  const net = process.env['RIG_NET'] ?? freeNet()
  const folder = process.env['RIG_DIR'] ?? (await mkdtemp(join(tmpdir(), 'slipway-rig-')))
  const rig = { folder, net, prefix }
  await mkdir(folder, { recursive: true })
  const stop = await startGuard(rig)
  await onRig(rig, 'switch')
  return { rig, stop }
}

/** Does one thing of rig.sh. */
export async function onRig(rig: Rig, ...words: string[]): Promise<void> {
  await run(script, words, { env: environmentOf(rig) })
}

const environmentOf = ({ folder, net, prefix }: Rig) => ({
  ...process.env,
  RIG_DIR: folder,
  RIG_NET: net,
  RIG_PREFIX: prefix,
})

/** A process that takes the rig away as soon as this one is gone, be it finished, interrupted or killed. */
async function startGuard(rig: Rig): Promise<() => Promise<void>> {
  const guard = spawn(script, ['guard'], {
    env: environmentOf(rig),
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  await writeFile(join(rig.folder, 'rig.json'), JSON.stringify({ ...rig, guard: guard.pid }))
  const closed = once(guard, 'close')
  return async () => {
    guard.stdin.end()
    await closed
  }
}

function freeNet(): string {
  const taken = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address))
  for (;;) {
    const net = `10.77.${randomInt(256)}`
    if (!taken.includes(`${net}.1`)) return net
  }
}

/** Of a run whose guard was killed as well. */
async function removeLeftovers(): Promise<void> {
  const folders = (await readdir(tmpdir())).filter((name) => name.startsWith('slipway-rig-'))
  for (const folder of folders) {
    const text = await readFile(join(tmpdir(), folder, 'rig.json'), 'utf8').catch(() => undefined)
    if (text === undefined) continue
    const left: Rig & { guard: number } = JSON.parse(text)
    const guard = await readFile(`/proc/${left.guard}/cmdline`, 'utf8').catch(() => '')
    if (!guard.includes(basename(script))) await onRig(left, 'down')
  }
}
