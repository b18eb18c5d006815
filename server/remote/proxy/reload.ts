import { setTimeout as sleep } from 'node:timers/promises'
import { FileMissing, RemoteError } from '../errors.ts'
import type { Host } from '../host.ts'
import { inFolder, proxyFolder } from './config.ts'
import { proxyContainer, runInProxy } from './container.ts'
import { differing, look, putFiles, write } from './files.ts'
import { configName, type Plan, type ProxyFile } from './plan.ts'
import { ProxyAway, tellMaster, tellWorker } from './talk.ts'
import { askWorkers } from './workers.ts'

/** The proxy does not take what it was given; in its own words. What served before goes on. */
export class ProxyRefused extends RemoteError {
  /** Of the certificate that it is about, if it is about one. */
  get host(): string | undefined {
    const [, host] = new RegExp(`${proxyFolder}/(\\S+)\\.pem`).exec(this.message) ?? []
    return host
  }
}

const PATIENCE = 30_000
/** Milliseconds after which one that still has its old worker is asked again. */
const UNHEARD = 3_000

/** Has new processes take over with these files. Open connections stay with the old ones until they end. */
export async function reload(host: Host, { files }: Plan, signal?: AbortSignal): Promise<void> {
  const now = await look(host, signal)
  const undo = await remember(host, differing(files, now))
  try {
    await write(
      host,
      differing(files, now).filter(({ name }) => name !== configName),
    )
    await check(host, files)
    signal?.throwIfAborted()
    await putFiles(host, files, signal)
    signal?.throwIfAborted()
    await takeOver(host)
  } catch (error) {
    if (error instanceof ProxyRefused) await undo()
    throw error
  }
}

/** A restarted proxy must come up, whatever we wrote; resolves with what puts the files back. */
async function remember(host: Host, files: readonly ProxyFile[]): Promise<() => Promise<void>> {
  const before = await Promise.all(
    files.map(async ({ name, mode }) => {
      const content = await host.files.read(inFolder(name)).catch((error: unknown) => {
        if (error instanceof FileMissing) return undefined
        throw error
      })
      return { name, mode, content: content?.toString() }
    }),
  )
  return async () => {
    await write(
      host,
      before.flatMap((file) => (file.content === undefined ? [] : [{ ...file, content: file.content }])),
    )
  }
}

async function check(host: Host, files: readonly ProxyFile[]): Promise<void> {
  const config = files.find(({ name }) => name === configName)
  if (!config) return
  const path = inFolder(`${configName}.new`)
  await host.files.write(path, config.content, { mode: config.mode })
  const { code, said } = await runInProxy(host, ['haproxy', '-c', '-f', path])
  if (code !== 0) throw new ProxyRefused(`The proxy rejected its configuration: ${wordsOf(said)}`)
  await host.files.remove(path)
}

async function takeOver(host: Host): Promise<void> {
  const before = await askWorkers(host, PATIENCE)
  let asked = await askToReload(host)
  for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(15)) {
    const now = await askWorkers(host, PATIENCE)
    if (now.current !== before.current) {
      if (await serves(host, now.current)) return
    } else if (now.failedReloads > before.failedReloads) {
      throw notReloaded(await logOf(host))
    } else if (Date.now() > asked + UNHEARD) {
      asked = await askToReload(host)
    }
  }
  throw new ProxyRefused(`Reloading the proxy timed out after ${PATIENCE / 1_000} s.`)
}

/** From 2.7 on it answers how it went; before that it breaks off, as does one that did not hear it. Resolves with when. */
async function askToReload(host: Host): Promise<number> {
  const answer = await tellMaster(host, 'reload')
  if (answer.startsWith('Success=0')) throw notReloaded(answer)
  return Date.now()
}

async function serves(host: Host, worker: number): Promise<boolean> {
  try {
    const [info = ''] = await tellWorker(host, ['show info'])
    return info.includes(`\nPid: ${worker}\n`)
  } catch (error) {
    if (error instanceof ProxyAway) return false
    throw error
  }
}

async function logOf(host: Host): Promise<string> {
  const stream = await host.docker.stream({
    path: `/containers/${proxyContainer}/logs?stdout=1&stderr=1&tail=20`,
  })
  return Buffer.concat(await stream.toArray()).toString()
}

const notReloaded = (said: string) => new ProxyRefused(`The proxy could not be reloaded: ${wordsOf(said)}`)

/** What it calls an alert, without when and by whom. */
function wordsOf(said: string): string {
  const alerts = [...said.matchAll(/\[ALERT\][^:]*: *(.*)/g)].map(([, words = '']) => words.trim())
  const [first = said.trim().split('\n').at(-1) ?? ''] = alerts
  return first.replace(/^config : /, '').replace(/\.?$/, '.')
}
