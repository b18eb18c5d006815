import { RemoteError } from '../errors.ts'
import type { Host } from '../host.ts'
import { proxyPath } from './config.ts'
import { runtimeCommands } from './runtime-commands.ts'
import { uploadFiles } from './files.ts'
import { certificateName, type ProxyPlan } from './plan.ts'
import { ProxyRejected, reloadProxy } from './reload.ts'
import { stateCommands, parseProxyState, type ProxyState } from './proxy-state.ts'
import { sendToWorker } from './socket.ts'

/**
 * Applies a plan at run time where possible, otherwise by a reload. Always writes the files, so that a
 * restart yields the same state.
 */
export async function applyPlan(
  host: Host,
  plan: ProxyPlan,
  found: ProxyState,
  signal?: AbortSignal,
): Promise<void> {
  let running = found
  if (running.shape !== plan.shape) {
    await reloadProxy(host, plan, signal)
    running = await readProxyState(host)
    if (running.shape !== plan.shape)
      throw new RemoteError('The proxy configuration was changed concurrently.')
  } else {
    signal?.throwIfAborted()
    await swapCertificates(host, plan, running)
  }
  signal?.throwIfAborted()
  await Promise.all([runCommands(host, plan, running, signal), uploadFiles(host, plan.files, signal)])
}

export const readProxyState = async (host: Host): Promise<ProxyState> =>
  parseProxyState(await sendToWorker(host, stateCommands))

async function runCommands(
  host: Host,
  plan: ProxyPlan,
  running: ProxyState,
  signal?: AbortSignal,
): Promise<void> {
  for (const commands of runtimeCommands(plan, running)) {
    signal?.throwIfAborted()
    const answers = await sendToWorker(host, commands)
    for (const [at, answer] of answers.entries())
      if (!isDone(answer))
        throw new ProxyRejected(`The proxy rejected “${commands[at] ?? ''}”: ${answer.split('\n')[0] ?? ''}`)
  }
}

const isDone = (answer: string) =>
  answer === '' || /^(IP changed|port changed|no need to change)/i.test(answer)

/** The commit rejects an invalid pair, and the old certificate stays. */
async function swapCertificates(
  host: Host,
  plan: ProxyPlan,
  { pid, shape, secrets }: ProxyState,
): Promise<void> {
  const worker = `${pid} ${shape} ${secrets}`
  const before = host.cache.swappedCertificates
  if ((before?.worker === worker ? before.secrets : secrets) === plan.secrets) return
  for (const { host: name, pem } of plan.certificates) {
    const file = proxyPath(certificateName(name))
    // An empty line would end the payload.
    const text = pem.replaceAll(/\n\s*\n/g, '\n').trim()
    const [taken = '', used = ''] = await sendToWorker(host, [
      `set ssl cert ${file} <<\n${text}\n`,
      `commit ssl cert ${file}`,
    ])
    if (!/Success|Transaction (created|updated)/.test(taken) || !/Success/.test(used)) {
      await sendToWorker(host, [`abort ssl cert ${file}`])
      throw new ProxyRejected(`The proxy rejected the certificate ${file}: ${used || taken}`)
    }
  }
  host.cache.swappedCertificates = { worker, secrets: plan.secrets }
}
