import type { Context } from '../../context.ts'
import { type Candidate, findInstalled, listCandidates } from './candidates.ts'
import { push, type Push } from './payloads.ts'
import { commitOf, refOf, shaOf, shortSha, timeOf, type Ref } from './pushed.ts'
import { type Delivery, findNewerPush, findNewerTag } from './store.ts'
import { ignored, type Verdict } from './verdict.ts'
import { saysSkip } from '../integrations/says-skip.ts'
import { matchesName, matchesAny } from './matches-glob.ts'
import { compareFiles } from '../integrations/files.ts'
import type { Integration } from '../integrations/integration.ts'

/** Maximum age of a push: less than the 30 days deliveries are kept, so that none can be replayed after it was deleted. */
const oldest = 25 * 86_400_000

/** Decides for each application of the repository what a push does. */
export async function judgePush(ctx: Context, delivery: Delivery, payload: unknown): Promise<Verdict[]> {
  const pushed = push.parse(payload)
  const { workspace_id, installation_id } = delivery
  const { id: repositoryId, full_name: name } = pushed.repository
  const integration = await findInstalled(ctx.db, workspace_id, installation_id ?? 0)
  // The App was reinstalled or the account disconnected meanwhile.
  if (!integration)
    return [ignored('The App installation is no longer connected. Push again or deploy manually.')]
  const candidates = await listCandidates(ctx.db, workspace_id, integration, repositoryId)
  if (candidates.length === 0) return [ignored(`No application uses ${name}.`)]
  return Promise.all(candidates.map((one) => judge(one)))

  /** Replay protection: an old delivery must not deploy an older version. */
  async function whyOutdated(candidate: Candidate): Promise<string | undefined> {
    const { pushed_at: at } = delivery
    if (at && ctx.now().getTime() - at.getTime() > oldest)
      return `Pushed on ${at.toISOString().slice(0, 10)}, which is too long ago. Deploy manually if needed.`
    const newer = await findNewerPush(ctx.db, workspace_id, delivery, candidate.id)
    return newer === undefined
      ? undefined
      : `Skipped: ${shortSha(newer)} was pushed later and is already deployed. Redeliver to deploy this commit anyway.`
  }

  async function judge(candidate: Candidate): Promise<Verdict> {
    const application = { id: candidate.id, name: candidate.name }
    const why = whyNot(pushed, candidate)
    if (why !== undefined) return ignored(why, application)
    if (!(await isTouched(ctx, pushed, candidate)))
      return ignored(`No watched path of ${candidate.name} changed.`, application)
    const outdated = delivery.redelivery_of ? undefined : await whyOutdated(candidate)
    if (outdated !== undefined) return ignored(outdated, application)
    const newer = delivery.redelivery_of
      ? undefined
      : await findNewerTag(ctx.db, workspace_id, delivery, candidate.id)
    if (newer !== undefined)
      return ignored(
        `Skipped: the tag ${newer} arrived just before and has a newer commit. Redeliver to deploy this tag anyway.`,
        application,
      )
    const who = pushed.sender?.login ?? pushed.pusher?.name ?? 'Somebody'
    const isTag = refOf(pushed.ref)?.kind === 'tag'
    const what = `${isTag ? `the tag ${refOf(pushed.ref)?.name}` : 'the push'} of ${shortSha(shaOf(pushed))}`
    return {
      application,
      status: 'deployed',
      summary: `Deployment of ${shortSha(shaOf(pushed))} requested.`,
      asks: {
        doer: { name: `${who} (push)`, via: 'webhook', address: null },
        wanted: { type: 'build_application', commit: commitOf(pushed) },
        what,
        at: isTag ? timeOf(pushed.head_commit) : undefined,
      },
    }
  }
}

/** Reason why an application ignores a push, without looking at its files; undefined if it does not. */
function whyNot(pushed: Push, of: Pick<Candidate, 'name' | 'branch' | 'deploy_on' | 'tags'>) {
  const ref = refOf(pushed.ref)
  if (of.deploy_on === 'nothing') return `Push to deploy is off for ${of.name}.`
  if (!ref) return `${pushed.ref} is neither a branch nor a tag.`
  if (pushed.deleted) return `The ${ref.kind} ${ref.name} was deleted. Nothing was deployed.`
  const other = of.deploy_on === 'tag' ? whyNotTag(ref, of) : whyNotBranch(ref, of)
  if (other !== undefined) return other
  if (saysSkip(pushed.head_commit?.message ?? ''))
    return 'Skipped: the last commit message contains [skip deploy].'
  return undefined
}

function whyNotTag({ kind, name }: Ref, of: Pick<Candidate, 'name' | 'tags'>): string | undefined {
  if (kind === 'branch') return `Pushed to the branch ${name}, but ${of.name} deploys tags only.`
  if (of.tags !== '' && !matchesName(name, of.tags))
    return `The tag ${name} does not match ${of.tags}, the tag pattern of ${of.name}.`
  return undefined
}

function whyNotBranch({ kind, name }: Ref, of: Pick<Candidate, 'name' | 'branch'>): string | undefined {
  if (kind === 'branch' && name === of.branch) return undefined
  const what = kind === 'branch' ? `Pushed to the branch ${name}` : `Pushed the tag ${name}`
  return `${what}, but ${of.name} deploys the branch ${of.branch}.`
}

/** GitHub truncates the commit list at this size. */
const mostCommits = 20

interface Watched {
  integration: Integration
  watch_paths: string[]
}

/** Returns whether a push changed a watched path; true if unknown, since an extra deployment is better than a missing one. */
async function isTouched(ctx: Context, pushed: Push, { integration, watch_paths }: Watched) {
  if (watch_paths.length === 0) return true
  const files = filesOf(pushed) ?? (await ask(ctx, pushed, integration))
  return files?.some((path) => matchesAny(path, watch_paths)) ?? true
}

/** Files listed in the commits, if the list is complete. */
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
    ctx.log.warn({ why: String(error) }, 'Failed to compare a push at GitHub: treating all paths as changed')
    return undefined
  }
}
