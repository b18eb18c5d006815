import { Problem } from '../../../errors.ts'
import { formatBytes, formatBytesExact } from '../../../../contract/shared/bytes.ts'
import { command } from '../../../remote/command.ts'
import { lookUp } from '../../integrations/repository.ts'
import { type DeploymentRun, DeploymentFailed, hostOfRun } from '../run/deployment-run.ts'
import { requireIntegration } from '../source/github-queries.ts'
import {
  findDockerRoot,
  defaultDockerRoot,
  isRepository,
  sourceFolder,
  buildConfig,
  minFreeKib,
} from '../source/source-work.ts'

const mebibyte = 1024 ** 2
/** With less free space Docker fails halfway. */
const minFreeBytes = 100 * mebibyte
/** Builds need more, but at most a tenth of a small disk. */
const minToBuild = { disk: 1024 * mebibyte, memory: 256 * mebibyte }

/** Falls back to the root disk if the Docker folder is not readable. */
const readSpaceScript = `df -Pk "$2" / 2>/dev/null
cat /proc/meminfo
[ ! -d "$1/git" ] || echo fetched`

interface FreeSpace {
  free: number
  total: number
  /** Available memory in bytes; undefined if unknown. */
  memory: number | undefined
  /** Whether the repository was fetched before. */
  isFetched: boolean
}

export async function checkFreeSpace(attempt: DeploymentRun): Promise<void> {
  const { server } = attempt
  // Docker nearly always uses the default folder, so read it without waiting for the answer.
  const [usual, folder] = await Promise.all([
    readFreeSpace(attempt, defaultDockerRoot),
    isRepository(attempt) ? findDockerRoot(attempt) : defaultDockerRoot,
  ])
  const room = folder === defaultDockerRoot ? usual : await readFreeSpace(attempt, folder)
  const why = freeSpaceProblem(server.name, room, isRepository(attempt))
  if (why !== undefined) throw new DeploymentFailed(why)
  if (isRepository(attempt) && !room.isFetched) await warnOfSize(attempt, room.free)
}

async function readFreeSpace(attempt: DeploymentRun, folder: string): Promise<FreeSpace> {
  const { application, signal } = attempt
  const asked = command('sh', '-c', readSpaceScript, 'sh', sourceFolder(application.id), folder)
  return parseFreeSpace((await hostOfRun(attempt).run(asked, { signal })).stdout)
}

export function parseFreeSpace(text: string): FreeSpace {
  const lines = text.split('\n')
  const [, total, , free] = lines[1]?.trim().split(/\s+/) ?? []
  const memory = /^MemAvailable:\s+(\d+) kB$/m.exec(text)?.[1]
  return {
    total: Number(total) * 1024,
    free: Number(free) * 1024,
    memory: memory === undefined ? undefined : Number(memory) * 1024,
    isFetched: lines.includes('fetched'),
  }
}

export function freeSpaceProblem(
  server: string,
  { free, total, memory }: FreeSpace,
  isBuild: boolean,
): string | undefined {
  const least = isBuild ? Math.max(minFreeBytes, Math.min(minToBuild.disk, total / 10)) : minFreeBytes
  if (free < least)
    return isBuild
      ? `Not enough disk space on ${server}: ${formatBytes(free)} free, a build needs ${formatBytes(least)}. Remove unused images or add disk space, then deploy again.`
      : `Not enough disk space on ${server}: ${formatBytesExact(free)} free, a deployment needs ${formatBytesExact(least)}. Remove unused images or add disk space, then deploy again.`
  if (isBuild && memory !== undefined && memory < minToBuild.memory)
    return `Not enough free memory on ${server}: ${formatBytes(memory)} free, a build needs ${formatBytes(minToBuild.memory)}. Stop other containers or add memory, then deploy again.`
  return undefined
}

/**
 * Compares twice the size on GitHub (packed and checked out) with the free space. The size includes the
 * history while only one commit is fetched, so this is a warning.
 */
async function warnOfSize(attempt: DeploymentRun, free: number): Promise<void> {
  const { server, log } = attempt
  const { repository } = buildConfig(attempt)
  const size = await repositorySize(attempt)
  const needed = size * 1024 * 2
  if (needed + minFreeKib * 1024 > free)
    log.write(
      `Warning: ${repository} is about ${formatBytes(size * 1024)} with its history, and ${server.name} has ${formatBytes(free)} free. The fetch fails if the latest commit alone is too large.`,
    )
}

/** Size in kilobytes; 0 if GitHub does not answer, because the fetch reports its own errors. */
async function repositorySize(attempt: DeploymentRun): Promise<number> {
  try {
    return (await lookUp(attempt.ctx, await requireIntegration(attempt), buildConfig(attempt))).size
  } catch (error) {
    if (error instanceof Problem) return 0
    throw error
  }
}
