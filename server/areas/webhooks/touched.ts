import type { Context } from '../../context.ts'
import { compareFiles } from '../integrations/files.ts'
import type { Integration } from '../integrations/integration.ts'
import { matchesAny } from './matches-glob.ts'
import type { Push } from './payloads.ts'
import { shaOf } from './pushed.ts'

/** Of so many commits GitHub may have left some out. */
const mostCommits = 20

interface Watched {
  integration: Integration
  watch_paths: string[]
}

/** Whether a push touched a watched path. Where nobody can tell it did: a version too many is better than one too few. */
export async function isTouched(ctx: Context, pushed: Push, { integration, watch_paths }: Watched) {
  if (watch_paths.length === 0) return true
  const files = filesOf(pushed) ?? (await ask(ctx, pushed, integration))
  return files?.some((path) => matchesAny(path, watch_paths)) ?? true
}

/** What its commits say that they touched, where those are all that came with it. */
function filesOf({ created, forced, commits }: Push): string[] | undefined {
  if (created || forced || commits.length === 0 || commits.length >= mostCommits) return undefined
  return commits.flatMap(({ added, removed, modified }) => [...added, ...removed, ...modified])
}

async function ask(ctx: Context, pushed: Push, integration: Integration): Promise<string[] | undefined> {
  if (pushed.created || /^0*$/.test(pushed.before)) return undefined
  try {
    const { id: repository_id, full_name: repository } = pushed.repository
    return await compareFiles(ctx, integration, { repository_id, repository }, pushed.before, shaOf(pushed))
  } catch (error) {
    ctx.log.warn(
      { why: String(error) },
      'GitHub did not say what a push touched, so it counts as touching all.',
    )
    return undefined
  }
}
