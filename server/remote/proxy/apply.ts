import { RemoteError } from '../errors.ts'
import type { Host } from '../host.ts'
import { inFolder } from './config.ts'
import { differenceOf } from './difference.ts'
import { putFiles } from './files.ts'
import { certificateName, type Plan } from './plan.ts'
import { ProxyRefused, reload } from './reload.ts'
import { questions, readRunning, type Running } from './running.ts'
import { tellWorker } from './talk.ts'

/** What each worker was given after it had started, which it cannot tell itself. */
const swapped = new WeakMap<Host, { worker: string; secrets: string }>()

/**
 * Makes a proxy that runs serve what was planned: while it runs where that can be done, by a reload where not. The files
 * are written in any case, so that a restarted one comes up the same.
 */
export async function apply(host: Host, plan: Plan, found: Running, signal?: AbortSignal): Promise<void> {
  let running = found
  if (running.shape !== plan.shape) {
    await reload(host, plan, signal)
    running = await askProxy(host)
    if (running.shape !== plan.shape)
      throw new RemoteError('The proxy configuration was changed concurrently.')
  } else {
    signal?.throwIfAborted()
    await swapCertificates(host, plan, running)
  }
  signal?.throwIfAborted()
  await Promise.all([change(host, plan, running, signal), putFiles(host, plan.files, signal)])
}

/** What it is like now. */
export const askProxy = async (host: Host): Promise<Running> => readRunning(await tellWorker(host, questions))

async function change(host: Host, plan: Plan, running: Running, signal?: AbortSignal): Promise<void> {
  for (const commands of differenceOf(plan, running)) {
    signal?.throwIfAborted()
    const answers = await tellWorker(host, commands)
    for (const [at, answer] of answers.entries())
      if (!isDone(answer))
        throw new ProxyRefused(`The proxy rejected “${commands[at] ?? ''}”: ${answer.split('\n')[0] ?? ''}`)
  }
}

/** It says nothing, or what it changed. */
const isDone = (answer: string) =>
  answer === '' || /^(IP changed|port changed|no need to change)/i.test(answer)

/** A pair that does not fit is refused by the last of these, and the old one stays in use. */
async function swapCertificates(host: Host, plan: Plan, { pid, shape, secrets }: Running): Promise<void> {
  const worker = `${pid} ${shape} ${secrets}`
  const before = swapped.get(host)
  if ((before?.worker === worker ? before.secrets : secrets) === plan.secrets) return
  for (const { host: name, pem } of plan.certificates) {
    const file = inFolder(certificateName(name))
    // An empty line would end what is sent.
    const text = pem.replaceAll(/\n\s*\n/g, '\n').trim()
    const [taken = '', used = ''] = await tellWorker(host, [
      `set ssl cert ${file} <<\n${text}\n`,
      `commit ssl cert ${file}`,
    ])
    if (!/Success|Transaction (created|updated)/.test(taken) || !/Success/.test(used)) {
      await tellWorker(host, [`abort ssl cert ${file}`])
      throw new ProxyRefused(`The proxy rejected the certificate ${file}: ${used || taken}`)
    }
  }
  swapped.set(host, { worker, secrets: plan.secrets })
}
