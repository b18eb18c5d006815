import type { Context } from '../../context.ts'
import {
  commitSha,
  commitTime,
  parseRef,
  pushPayload,
  type PushPayload,
  type Ref,
  shortSha,
  toCommit,
} from './github-payloads.ts'
import { type Delivery, findNewerPush, findNewerTag, type Decision, ignoredDecision } from './delivery.ts'
import { hasSkipMarker, listChangedFiles } from '../integrations/repository.ts'
import { findIntegrationByInstallation, type Integration } from '../integrations/integration.ts'
import type { Selectable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db, Tables } from '../../tables.ts'

/** Maximum age of a push: less than the 30 days deliveries are kept, so that none can be replayed after it was deleted. */
const maxAge = 25 * 86_400_000

export async function decidePush(ctx: Context, delivery: Delivery, payload: unknown): Promise<Decision[]> {
  const pushed = pushPayload.parse(payload)
  const { workspace_id, installation_id } = delivery
  const { id: repositoryId, full_name: name } = pushed.repository
  const integration = await findIntegrationByInstallation(ctx.db, workspace_id, installation_id ?? 0)
  if (!integration)
    return [
      ignoredDecision('The GitHub App installation is no longer connected. Push again or deploy manually.'),
    ]
  const candidates = await listCandidates(ctx.db, workspace_id, integration, repositoryId)
  if (candidates.length === 0) return [ignoredDecision(`No application uses ${name}.`)]
  return Promise.all(candidates.map((candidate) => decide(candidate)))

  /** Replay protection: an old delivery must not deploy an older version. */
  async function outdatedReason(candidate: Candidate): Promise<string | undefined> {
    const { pushed_at: pushedAt } = delivery
    if (pushedAt && ctx.now().getTime() - pushedAt.getTime() > maxAge)
      return `Skipped: the push of ${pushedAt.toISOString().slice(0, 10)} is too old. Deploy manually if needed.`
    const newer = await findNewerPush(ctx.db, workspace_id, delivery, candidate.id)
    return newer === undefined
      ? undefined
      : `Skipped: ${shortSha(newer)} was pushed later and is already deployed. Redeliver to deploy this commit anyway.`
  }

  async function decide(candidate: Candidate): Promise<Decision> {
    const application = { id: candidate.id, name: candidate.name }
    const reason = ignoredReason(pushed, candidate)
    if (reason !== undefined) return ignoredDecision(reason, application)
    if (!(await changesWatchedPath(ctx, pushed, candidate)))
      return ignoredDecision(`No watched path of ${candidate.name} changed.`, application)
    const outdated = delivery.redelivery_of ? undefined : await outdatedReason(candidate)
    if (outdated !== undefined) return ignoredDecision(outdated, application)
    const newer = delivery.redelivery_of
      ? undefined
      : await findNewerTag(ctx.db, workspace_id, delivery, candidate.id)
    if (newer !== undefined)
      return ignoredDecision(
        `Skipped: the tag ${newer} arrived just before and has a newer commit. Redeliver to deploy this tag anyway.`,
        application,
      )
    const sender = pushed.sender?.login ?? pushed.pusher?.name ?? 'Someone'
    const isTag = parseRef(pushed.ref)?.kind === 'tag'
    const label = `${isTag ? `the tag ${parseRef(pushed.ref)?.name}` : 'the push'} of ${shortSha(commitSha(pushed))}`
    return {
      application,
      status: 'deployed',
      summary: `Deployment of ${shortSha(commitSha(pushed))} requested.`,
      request: {
        initiator: { name: `${sender} (push)`, via: 'webhook', address: null },
        deployment: { type: 'build_application', commit: toCommit(pushed) },
        label,
        at: isTag ? commitTime(pushed.head_commit) : undefined,
      },
    }
  }
}

function ignoredReason(
  pushed: PushPayload,
  application: Pick<Candidate, 'name' | 'branch' | 'deploy_on' | 'tags'>,
) {
  const ref = parseRef(pushed.ref)
  if (application.deploy_on === 'nothing') return `Push to deploy is off for ${application.name}.`
  if (!ref) return `${pushed.ref} is neither a branch nor a tag.`
  if (pushed.deleted) return `The ${ref.kind} ${ref.name} was deleted. Nothing was deployed.`
  const reason =
    application.deploy_on === 'tag'
      ? tagIgnoredReason(ref, application)
      : branchIgnoredReason(ref, application)
  if (reason !== undefined) return reason
  if (hasSkipMarker(pushed.head_commit?.message ?? ''))
    return 'Skipped: the last commit message contains [skip deploy].'
  return undefined
}

function tagIgnoredReason(
  { kind, name }: Ref,
  application: Pick<Candidate, 'name' | 'tags'>,
): string | undefined {
  if (kind === 'branch') return `Pushed to the branch ${name}, but ${application.name} deploys tags only.`
  if (application.tags !== '' && !matchesName(name, application.tags))
    return `The tag ${name} does not match ${application.tags}, the tag pattern of ${application.name}.`
  return undefined
}

function branchIgnoredReason(
  { kind, name }: Ref,
  application: Pick<Candidate, 'name' | 'branch'>,
): string | undefined {
  if (kind === 'branch' && name === application.branch) return undefined
  const push = kind === 'branch' ? `Pushed to the branch ${name}` : `Pushed the tag ${name}`
  return `${push}, but ${application.name} deploys the branch ${application.branch}.`
}

/** GitHub truncates the commit list at this size. */
const maxListedCommits = 20

/** Returns whether a push changed a watched path; true if unknown, since an extra deployment is better than a missing one. */
async function changesWatchedPath(
  ctx: Context,
  pushed: PushPayload,
  { integration, watch_paths }: { integration: Integration; watch_paths: string[] },
) {
  if (watch_paths.length === 0) return true
  const files = listedFiles(pushed) ?? (await fetchChangedFiles(ctx, pushed, integration))
  return files?.some((path) => matchesAny(path, watch_paths)) ?? true
}

function listedFiles({ created, forced, commits }: PushPayload): string[] | undefined {
  if (created || forced || commits.length === 0 || commits.length >= maxListedCommits) return undefined
  return commits.flatMap(({ added, removed, modified }) => [...added, ...removed, ...modified])
}

async function fetchChangedFiles(
  ctx: Context,
  pushed: PushPayload,
  integration: Integration,
): Promise<string[] | undefined> {
  if (pushed.created || /^0*$/.test(pushed.before)) return undefined
  try {
    const { id: repository_id, full_name: repository } = pushed.repository
    return await listChangedFiles(
      ctx,
      integration,
      { repository_id, repository },
      pushed.before,
      commitSha(pushed),
    )
  } catch (error) {
    ctx.log.warn(
      { reason: String(error) },
      'Failed to compare the commits of a push; treating all paths as changed',
    )
    return undefined
  }
}

interface Candidate extends Pick<
  Selectable<Tables['sources']>,
  'branch' | 'deploy_on' | 'tags' | 'watch_paths'
> {
  id: Id<'application'>
  name: string
  integration: Integration
}

async function listCandidates(
  db: Db,
  workspaceId: Id<'workspace'>,
  integration: Integration,
  repositoryId: number,
): Promise<Candidate[]> {
  const rows = await db
    .selectFrom('sources as s')
    .innerJoin('applications as a', (on) =>
      on.onRef('a.workspace_id', '=', 's.workspace_id').onRef('a.id', '=', 's.application_id'),
    )
    .select(['a.id', 'a.name', 's.branch', 's.deploy_on', 's.tags', 's.watch_paths'])
    .where('s.workspace_id', '=', workspaceId)
    .where('s.repository_id', '=', repositoryId)
    .where('s.integration_id', '=', integration.id)
    .where('a.deleting_at', 'is', null)
    .orderBy('a.name')
    .execute()
  return rows.map((row) => ({ ...row, integration }))
}

/** `*` and `?` stay within a folder, `**` spans folders, a folder matches all in it. Runs in O(pattern × path). */
export function matchesGlob(path: string, pattern: string): boolean {
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.')
  return parts.length > 0 && matchesSequence(path.split('/'), [...parts, '**'], isAnyFolder, matchesPart)
}

/** The last matching pattern decides; a leading `!` excludes. */
export function matchesAny(path: string, patterns: string[]): boolean {
  const [first] = patterns
  let counts = first?.startsWith('!') ?? false
  for (const pattern of patterns) {
    const not = pattern.startsWith('!')
    if (counts === not && matchesGlob(path, not ? pattern.slice(1) : pattern)) counts = !not
  }
  return counts
}

/** Matches a tag name, in which a slash is an ordinary character. */
export const matchesName = (name: string, pattern: string) => matchesPart(name, pattern.replaceAll('**', '*'))

const isAnyFolder = (part: string) => part === '**'

const matchesPart = (part: string, pattern: string) =>
  matchesSequence(
    Array.from(part),
    Array.from(pattern),
    (sign) => sign === '*',
    (sign, expected) => expected === '?' || expected === sign,
  )

/** Backtracks to the last wildcard only, which is sufficient for globs. */
function matchesSequence(
  items: string[],
  pattern: string[],
  isWild: (sign: string) => boolean,
  isOne: (sign: string, wanted: string) => boolean,
): boolean {
  let [index, next, wild, taken] = [0, 0, -1, 0]
  while (index < items.length) {
    const sign = pattern[next]
    if (sign !== undefined && isWild(sign)) {
      ;[wild, taken] = [next, index]
      next++
    } else if (sign !== undefined && isOne(items[index] ?? '', sign)) {
      index++
      next++
    } else if (wild >= 0) {
      taken++
      index = taken
      next = wild + 1
    } else return false
  }
  return pattern.slice(next).every(isWild)
}
