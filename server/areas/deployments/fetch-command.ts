import { type Command, command } from '../../remote/command.ts'
import { buildLimits } from '../applications/build-limits.ts'
import { repositoryUrl } from '../integrations/repository.ts'
import type { Attempt } from './attempt.ts'
import { fetchScript } from './fetch-script.ts'
import { buildOf, fetchMinutes, leastLeft, sourceFolder } from './source-work.ts'

interface Given {
  /** What the repository is called now. */
  name: string
  token: string
  /** The line that is said once it is fetched. */
  mark: string
  /** What goes on from there. */
  next: Command
}

/** Fetches the repository at the commit, and goes on. The token is in no argument list. */
export function fetchCommand(attempt: Attempt, { name, token, mark, next }: Given): Command {
  const { ctx, application, deployment, server, commit } = attempt
  const { submodules, lfs } = buildOf(attempt)
  const url = `${repositoryUrl(ctx.config, name)}.git`
  const sha = commit?.sha ?? ''
  const where = [sourceFolder(application.id), deployment.id, url, new URL(url).origin, sha]
  const more = [submodules ? 'submodules' : 'none', lfs ? 'lfs' : 'none']
  const { memory, cpus, processes } = buildLimits(server, buildOf(attempt))
  const most = [fetchMinutes * 60, leastLeft, memory, Math.round(cpus * 100_000), processes].map(String)
  return {
    ...command('sh', '-c', fetchScript, 'sh', ...where, ...more, ...most, mark, next.program, ...next.args),
    env: { ...next.env, SLIPWAY_TOKEN: token },
    asRoot: true,
  }
}
