import type { Context } from '../../context.ts'
import { type Candidate, findInstalled, listCandidates } from './candidates.ts'
import { whyNot } from './filter-push.ts'
import { push } from './payloads.ts'
import { commitOf, refOf, shaOf, shortSha, timeOf } from './pushed.ts'
import { type Delivery, findNewerPush, findNewerTag } from './store.ts'
import { isTouched } from './touched.ts'
import { ignored, type Verdict } from './verdict.ts'

/** Milliseconds: less than the 30 days for which deliveries are remembered, so none can be taken again once it is forgotten. */
const oldest = 25 * 86_400_000

/** What each application that is made from the repository has to do with a push. */
export async function judgePush(ctx: Context, delivery: Delivery, payload: unknown): Promise<Verdict[]> {
  const pushed = push.parse(payload)
  const { workspace_id, installation_id } = delivery
  const { id: repositoryId, full_name: name } = pushed.repository
  const integration = await findInstalled(ctx.db, workspace_id, installation_id ?? 0)
  // Somebody removed the App and installed it anew since, or disconnected the account.
  if (!integration)
    return [
      ignored(
        'It came by an installation of the App that is not connected any more. Push again, or deploy by hand.',
      ),
    ]
  const candidates = await listCandidates(ctx.db, workspace_id, integration, repositoryId)
  if (candidates.length === 0) return [ignored(`No application is made from ${name}.`)]
  return Promise.all(candidates.map((one) => judge(one)))

  /** Somebody may have captured it to send it again: that must not bring back an older version. */
  async function whyOutdated(candidate: Candidate): Promise<string | undefined> {
    const { pushed_at: at } = delivery
    if (at && ctx.now().getTime() - at.getTime() > oldest)
      return `It was pushed on ${at.toISOString().slice(0, 10)}, which is too long ago. Deploy by hand if you want it.`
    const newer = await findNewerPush(ctx.db, workspace_id, delivery, candidate.id)
    return newer === undefined
      ? undefined
      : `Left out for ${shortSha(newer)}, which was pushed after it and was deployed already. Deliver this once more to have it after all.`
  }

  async function judge(candidate: Candidate): Promise<Verdict> {
    const application = { id: candidate.id, name: candidate.name }
    const why = whyNot(pushed, candidate)
    if (why !== undefined) return ignored(why, application)
    if (!(await isTouched(ctx, pushed, candidate)))
      return ignored(`It touched none of the paths that ${candidate.name} watches.`, application)
    const outdated = delivery.redelivery_of ? undefined : await whyOutdated(candidate)
    if (outdated !== undefined) return ignored(outdated, application)
    const newer = delivery.redelivery_of
      ? undefined
      : await findNewerTag(ctx.db, workspace_id, delivery, candidate.id)
    if (newer !== undefined)
      return ignored(
        `Left out for the tag ${newer}, which came just before and whose commit is newer. Deliver this once more to have it after all.`,
        application,
      )
    const who = pushed.sender?.login ?? pushed.pusher?.name ?? 'Somebody'
    const isTag = refOf(pushed.ref)?.kind === 'tag'
    const what = `${isTag ? `the tag ${refOf(pushed.ref)?.name}` : 'the push'} of ${shortSha(shaOf(pushed))}`
    return {
      application,
      status: 'deployed',
      says: `A deployment of ${shortSha(shaOf(pushed))} was asked for.`,
      asks: {
        doer: { name: `${who} (push)`, via: 'webhook', address: null },
        wanted: { type: 'build_application', commit: commitOf(pushed) },
        what,
        at: isTag ? timeOf(pushed.head_commit) : undefined,
      },
    }
  }
}
