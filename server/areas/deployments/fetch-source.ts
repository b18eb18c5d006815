import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { aboutBytes } from '../../platform/bytes.ts'
import { command } from '../../remote/command.ts'
import type { BuildConfig } from '../../tables.ts'
import { buildLimits } from '../applications/build-limits.ts'
import { lookUp, ofContents, repositoryUrl } from '../integrations/repository.ts'
import { tokenFor } from '../integrations/token.ts'
import { type Attempt, Failed } from './attempt.ts'
import { findSame } from './built-before.ts'
import { runTwice, wordsTold } from './follow-work.ts'
import type { Integration } from '../integrations/integration.ts'
import { nameNow } from './repository-name.ts'
import { integrationOf, patiently, resolveCommit } from './resolve-commit.ts'
import { fetchScript } from './fetch-script.ts'
import { buildOf, fetchWork, markBegun, sourceFolder } from './source-work.ts'
import { whyNotFetched } from './why-not-fetched.ts'

const minutes = 30
const mostOutput = 1024 * 1024
/** KiB that stay free whatever is fetched. */
export const leastLeft = 256 * 1024

/** The repository is on the server, as it is at exactly this commit; unless its image is there already. */
export async function fetchSource(attempt: Attempt): Promise<void> {
  const { log } = attempt
  const build = buildOf(attempt)
  const integration = await integrationOf(attempt)
  const commit = await resolveCommit(attempt, integration)
  const { sha, message, author } = commit
  log.say(`Commit ${sha.slice(0, 7)}${message ? `, ${message}` : ''}${author ? `, by ${author}` : ''}.`)
  if (await findSame(attempt)) return
  await attempt.entered
  await markBegun(attempt)
  const [token, name] = await Promise.all([getToken(attempt, integration), nameNow(attempt, integration)])
  const work = {
    id: fetchWork(attempt.deployment.id),
    command: { ...commandFor(attempt, name, sha), env: { SLIPWAY_TOKEN: token }, asRoot: true },
    limitSeconds: (minutes + 1) * 60,
    most: mostOutput,
  }
  const secrets = [{ key: 'token', value: token }]
  const { finish, lines } = await runTwice(attempt, work, { prefix: 'fetch: ', secrets })
  if (finish.why === 'ended' && finish.code === 0) return
  const { memory } = buildLimits(attempt.server, build)
  const why = { server: attempt.server.name, repository: build.repository, sha, lines, minutes, memory }
  throw new Failed(whyNotFetched(finish, why), lines.slice(-wordsTold))
}

/** It lets nobody do more than read, for an hour at most; submodules may be in other repositories of the account. */
async function getToken(attempt: Attempt, integration: Integration): Promise<string> {
  const { ctx } = attempt
  const build = buildOf(attempt)
  const scope = build.submodules ? { permissions: { contents: 'read' as const } } : ofContents(build)
  return patiently(attempt, () => tokenFor(ctx, integration, scope))
}

function commandFor(attempt: Attempt, name: string, sha: string) {
  const { ctx, application, deployment, server } = attempt
  const { submodules, lfs } = buildOf(attempt)
  const url = `${repositoryUrl(ctx.config, name)}.git`
  const where = [sourceFolder(application.id), deployment.id, url, new URL(url).origin, sha]
  const more = [submodules ? 'submodules' : 'none', lfs ? 'lfs' : 'none']
  const { memory, cpus, processes } = buildLimits(server, buildOf(attempt))
  const most = [minutes * 60, leastLeft, memory, Math.round(cpus * 100_000), processes]
  return command('sh', '-c', fetchScript, 'sh', ...where, ...more, ...most.map(String))
}

/**
 * Bytes that GitHub says it has, against what is free: it is there twice, packed and as files. All that was ever in it counts
 * for that, and only one commit is fetched: whether that fits is seen while it is fetched.
 */
export async function warnOfSize(attempt: Attempt, free: number): Promise<void> {
  const { ctx, server, log } = attempt
  const build = buildOf(attempt)
  const { repository } = build
  const size = await sizeOf(ctx, await integrationOf(attempt), build)
  const needed = size * 1024 * 2
  if (needed + leastLeft * 1024 > free)
    log.say(
      `Warning: ${repository} has about ${aboutBytes(size * 1024)} with its history, and ${server.name} has ${aboutBytes(free)} free. Should the newest commit alone be too large, the fetch is ended.`,
    )
}

/** In kilobytes. What GitHub does not tell now is no reason to wait: whoever fetches it says what is wrong. */
async function sizeOf(ctx: Context, integration: Integration, build: BuildConfig): Promise<number> {
  try {
    return (await lookUp(ctx, integration, build)).size
  } catch (error) {
    if (error instanceof Problem) return 0
    throw error
  }
}
