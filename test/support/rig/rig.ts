import { execFile, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

export interface Rig {
  folder: string
  /** First three octets of the addresses; .1 is this machine. */
  net: string
  /** Prefix of all names on this machine. */
  prefix: string
}

type RigOptions = { [Part in keyof Rig]?: string | undefined }

const script = join(import.meta.dirname, 'rig.sh')
const run = promisify(execFile)

/** Creates the network; servers are created when taken. */
export async function startRig(wanted: RigOptions = {}): Promise<{ rig: Rig; stop: () => Promise<void> }> {
  await removeLeftovers(wanted.folder)
  const folder = wanted.folder ?? (await mkdtemp(join(tmpdir(), 'slipway-rig-')))
  await mkdir(folder, { recursive: true })
  const rig = {
    folder,
    net: wanted.net ?? freeNet(),
    prefix: wanted.prefix ?? `s${randomBytes(2).toString('hex')}`,
  }
  const stop = await startGuard(rig)
  await onRig(rig, 'switch')
  return { rig, stop }
}

/** Runs a command of rig.sh. */
export async function onRig(rig: Rig, ...words: string[]): Promise<void> {
  await run(script, words, { env: environmentOf(rig) })
}

const environmentOf = ({ folder, net, prefix }: Rig) => ({
  ...process.env,
  RIG_DIR: folder,
  RIG_NET: net,
  RIG_PREFIX: prefix,
})

/** Removes the rig when this process ends, however it ends. */
async function startGuard(rig: Rig): Promise<() => Promise<void>> {
  const guard = spawn(script, ['guard'], {
    env: environmentOf(rig),
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const closed = once(guard, 'close')
  await writeFile(join(rig.folder, 'rig.json'), JSON.stringify({ ...rig, guard: guard.pid }))
  return async () => {
    guard.stdin.end()
    await closed
  }
}

/** Removes rigs of runs whose guard was killed. */
async function removeLeftovers(own: string | undefined): Promise<void> {
  const all = (await readdir(tmpdir())).filter((name) => name.startsWith('slipway-rig-'))
  for (const folder of [...all.map((name) => join(tmpdir(), name)), ...(own ? [own] : [])]) {
    const text = await readFile(join(folder, 'rig.json'), 'utf8').catch(() => undefined)
    if (text === undefined) continue
    const left: Rig & { guard: number } = JSON.parse(text)
    const guard = await readFile(`/proc/${left.guard}/cmdline`, 'utf8').catch(() => '')
    if (!guard.includes(basename(script))) await onRig(left, 'down')
  }
}

function freeNet(): string {
  const taken = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))
  for (;;) {
    const net = `10.77.${randomInt(256)}`
    if (!taken.includes(`${net}.1`)) return net
  }
}
