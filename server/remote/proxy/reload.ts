import { setTimeout as sleep } from 'node:timers/promises'
import { FileMissing, RemoteError } from '../errors.ts'
import type { Host } from '../host.ts'
import { proxyPath } from './config.ts'
import { proxyContainer } from './container.ts'
import { configName, type ProxyPlan, type ProxyFile } from './plan.ts'
import { type ProxyState, ProxyUnreachable, readWorkers, sendToMaster, sendToWorker } from './runtime-api.ts'
import { changedFiles, ProxyRejected, readFolder, readProxyState, uploadFiles, writeFiles } from './apply.ts'

const TIMEOUT = 30_000
const RETRY_AFTER = 3_000

export async function reloadProxy(
  host: Host,
  { files, shape }: ProxyPlan,
  signal?: AbortSignal,
): Promise<ProxyState> {
  const now = await readFolder(host, signal)
  const undo = await backUpFiles(host, changedFiles(files, now))
  try {
    await writeFiles(
      host,
      changedFiles(files, now).filter(({ name }) => name !== configName),
    )
    await checkConfig(host, files)
    signal?.throwIfAborted()
    await uploadFiles(host, files, signal)
    signal?.throwIfAborted()
    await awaitNewWorker(host)
  } catch (error) {
    if (error instanceof ProxyRejected) await undo()
    throw error
  }
  const running = await readProxyState(host)
  if (running.shape !== shape) throw new RemoteError('The proxy configuration was changed concurrently.')
  return running
}

/**
 * Reads the files before they change. Returns a function that restores them, so that a restarted proxy starts with a
 * valid configuration.
 */
async function backUpFiles(host: Host, files: readonly ProxyFile[]): Promise<() => Promise<void>> {
  const before = await Promise.all(
    files.map(async ({ name, mode }) => {
      const content = await host.files.read(proxyPath(name)).catch((error: unknown) => {
        if (error instanceof FileMissing) return undefined
        throw error
      })
      return { name, mode, content: content?.toString() }
    }),
  )
  return async () => {
    await writeFiles(
      host,
      before.flatMap((file) => (file.content === undefined ? [] : [{ ...file, content: file.content }])),
    )
  }
}

async function checkConfig(host: Host, files: readonly ProxyFile[]): Promise<void> {
  const config = files.find(({ name }) => name === configName)
  if (!config) return
  const path = proxyPath(`${configName}.new`)
  await host.files.write(path, config.content, { mode: config.mode })
  const { code, output } = await runInProxy(host, ['haproxy', '-c', '-f', path])
  if (code !== 0) throw new ProxyRejected(`The proxy rejected its configuration: ${firstAlert(output)}`)
  await host.files.remove(path)
}

async function runInProxy(host: Host, args: string[]): Promise<{ code: number; output: string }> {
  const { docker } = host
  const { Id } = await docker.json<{ Id: string }>({
    method: 'POST',
    path: `/containers/${proxyContainer}/exec`,
    // With a TTY, the log has both streams in one, without frames.
    body: { AttachStdout: true, AttachStderr: true, Tty: true, User: '0:0', Cmd: args },
  })
  const body = { Detach: false, Tty: true }
  const stream = await docker.stream({ method: 'POST', path: `/exec/${Id}/start`, body })
  const output = Buffer.concat(await stream.toArray()).toString()
  const { ExitCode } = await docker.json<{ ExitCode: number | null }>({ path: `/exec/${Id}/json` })
  return { code: ExitCode ?? 1, output }
}

async function awaitNewWorker(host: Host): Promise<void> {
  const before = await readWorkers(host, TIMEOUT)
  let requestedAt = await askToReload(host)
  for (const end = Date.now() + TIMEOUT; Date.now() < end; await sleep(15)) {
    const now = await readWorkers(host, TIMEOUT)
    if (now.current !== before.current) {
      if (await isServing(host, now.current)) return
    } else if (now.failedReloads > before.failedReloads) {
      throw notReloaded(await readProxyLog(host))
    } else if (Date.now() > requestedAt + RETRY_AFTER) {
      requestedAt = await askToReload(host)
    }
  }
  throw new ProxyRejected(`Reloading the proxy timed out after ${TIMEOUT / 1_000} s.`)
}

/** Requests a reload. HAProxy before 2.7 closes the connection without a result, which counts as success. */
async function askToReload(host: Host): Promise<number> {
  const answer = await sendToMaster(host, 'reload')
  if (answer.startsWith('Success=0')) throw notReloaded(answer)
  return Date.now()
}

async function isServing(host: Host, worker: number): Promise<boolean> {
  try {
    const [info = ''] = await sendToWorker(host, ['show info'])
    return info.includes(`\nPid: ${worker}\n`)
  } catch (error) {
    if (error instanceof ProxyUnreachable) return false
    throw error
  }
}

async function readProxyLog(host: Host): Promise<string> {
  const stream = await host.docker.stream({
    path: `/containers/${proxyContainer}/logs?stdout=1&stderr=1&tail=20`,
  })
  return Buffer.concat(await stream.toArray()).toString()
}

const notReloaded = (output: string) =>
  new ProxyRejected(`The proxy could not be reloaded: ${firstAlert(output)}`)

function firstAlert(output: string): string {
  const alerts = [...output.matchAll(/\[ALERT\][^:]*: *(.*)/g)].map(([, alert = '']) => alert.trim())
  const [first = output.trim().split('\n').at(-1) ?? ''] = alerts
  return first.replace(/^config : /, '').replace(/\.?$/, '.')
}
