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

type Wanted = { [Part in keyof Rig]?: string | undefined }

const script = join(import.meta.dirname, 'rig.sh')
const run = promisify(execFile)

/** Makes what servers are plugged into; the servers themselves are made when one is taken. */
export async function startRig(wanted: Wanted = {}): Promise<{ rig: Rig; stop: () => Promise<void> }> {
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
  const closed = once(guard, 'close')
  await writeFile(join(rig.folder, 'rig.json'), JSON.stringify({ ...rig, guard: guard.pid }))
  return async () => {
    guard.stdin.end()
    await closed
  }
}

/** Of runs whose guard was killed as well. */
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
