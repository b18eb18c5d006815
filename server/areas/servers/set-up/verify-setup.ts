import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { command } from '../../../remote/command.ts'
import { readComposeVersion } from '../../../remote/compose.ts'
import { RemoteError } from '../../../remote/errors.ts'
import type { DockerEngine, Host } from '../../../remote/host.ts'
import { proxyContainer } from '../../../remote/proxy/container.ts'
import {
  type SetupRun,
  startStep,
  retrySetupWhileUnreachable,
  saveProgress,
  SetUpFailed,
} from './setup-run.ts'
import { assertMachineFree, UNREACHABLE_LIMIT_MS } from './connect-for-setup.ts'

const container = z.object({ State: z.object({ Running: z.boolean(), Restarting: z.boolean() }) })

export interface Versions {
  docker: DockerEngine
  compose: string | null
}

export async function verifySetup(attempt: SetupRun): Promise<Versions> {
  await startStep(attempt, 'verify', 'Checking Docker and the proxy')
  const checks = await retrySetupWhileUnreachable(attempt, UNREACHABLE_LIMIT_MS, async (host, server) => {
    const engine = await readEngine(attempt, host)
    await mustRun(host)
    await assertMachineFree(attempt, server, host)
    return { docker: engine, compose: await readComposeVersion(host, attempt.run.signal) }
  })
  await saveProgress(
    attempt,
    { step: 'verify' },
    `Docker ${checks.docker.version} is running and the proxy is up\n`,
  )
  return checks
}

async function readEngine({ ctx, run }: SetupRun, host: Host): Promise<DockerEngine> {
  const ask = async ({ docker }: Host) => {
    // Send a request first, because only a fresh response shows whether setup replaced Docker.
    await docker.json({ method: 'HEAD', path: '/_ping' })
    return docker.engine()
  }
  try {
    return await ask(host)
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    // Reconnecting ends all terminals and streams of this server, so do it only if necessary.
    if (await isGroupNew(host)) ctx.hosts.disconnect(host.target.id)
    await sleep(500, undefined, { signal: run.signal })
    return ask(ctx.hosts.get(host.target))
  }
}

const GROUPS = 'id -Gn; id -Gn "$(id -un)"'

/** Tells whether the user has joined the docker group since the login: a membership applies from the next login on. */
async function isGroupNew(host: Host): Promise<boolean> {
  if (host.target.kind === 'local' || host.target.user === 'root') return false
  const { stdout } = await host.run(command('sh', '-c', GROUPS))
  const [now = '', next = ''] = stdout.split('\n')
  return next.split(' ').includes('docker') && !now.split(' ').includes('docker')
}

async function mustRun(host: Host): Promise<void> {
  const { State } = container.parse(await host.docker.json({ path: `/containers/${proxyContainer}/json` }))
  if (!State.Running || State.Restarting)
    throw new SetUpFailed(
      'The proxy container keeps exiting. Run "docker logs slipway-proxy" on the server to see why, then set up again.',
    )
}
