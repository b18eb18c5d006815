import { z } from 'zod'
import type { Host } from '../../../remote/host.ts'
import { type DeploymentRun, hostOfRun } from '../run/deployment-run.ts'

export const defaultDockerRoot = '/var/lib/docker'

const info = z.object({ DockerRootDir: z.string().min(1).catch(defaultDockerRoot) })

/** Cached: `docker info` is slow and the folder rarely changes. */
const cacheMs = 60 * 60_000
const known = new WeakMap<Host, { folder: string; until: number }>()

export async function findDockerRoot(attempt: DeploymentRun): Promise<string> {
  const host = hostOfRun(attempt)
  const kept = known.get(host)
  if (kept && kept.until > Date.now()) return kept.folder
  const told = info.parse(await host.docker.json({ path: '/info', signal: attempt.signal }))
  known.set(host, { folder: told.DockerRootDir, until: Date.now() + cacheMs })
  return told.DockerRootDir
}
