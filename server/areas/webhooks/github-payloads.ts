import { z } from 'zod'
import type { commit } from '../../../contract/shared/repository-fields.ts'

const files = z.array(z.string()).default([])

const pushedCommit = z.object({
  id: z.string(),
  message: z.string().default(''),
  timestamp: z.string().nullish(),
  url: z.string().default(''),
  author: z.object({ name: z.string().nullish(), username: z.string().nullish() }).nullish(),
  added: files,
  removed: files,
  modified: files,
})

const repository = z.object({ id: z.number(), full_name: z.string() })

export const pushPayload = z.object({
  ref: z.string(),
  before: z.string().default(''),
  after: z.string(),
  created: z.boolean().default(false),
  deleted: z.boolean().default(false),
  forced: z.boolean().default(false),
  commits: z.array(pushedCommit).default([]),
  head_commit: pushedCommit.nullish(),
  repository,
  sender: z.object({ login: z.string() }).nullish(),
  pusher: z.object({ name: z.string() }).nullish(),
})
export type PushPayload = z.output<typeof pushPayload>

export const installationPayload = z.object({ action: z.string() })
export const repositoryPayload = z.object({ action: z.string(), repository })

const anyEvent = z.object({
  installation: z.object({ id: z.number() }).nullish(),
  repository: z
    .object({
      full_name: z.string().max(300),
      // Push events contain seconds; other events contain text, which is ignored.
      pushed_at: z.union([z.number().int().nonnegative().max(10_000_000_000), z.string()]).nullish(),
    })
    .nullish(),
  sender: z.object({ login: z.string().max(300) }).nullish(),
  ref: z.string().max(1_000).nullish(),
  after: z.string().max(100).nullish(),
  head_commit: z
    .object({ id: z.string().max(100), message: z.string(), timestamp: z.string().nullish() })
    .nullish(),
})
export type GitHubEvent = z.output<typeof anyEvent>

export function parseGitHubEvent(payload: string): GitHubEvent | undefined {
  try {
    return anyEvent.parse(JSON.parse(payload))
  } catch {
    return undefined
  }
}

export interface Ref {
  kind: 'branch' | 'tag'
  name: string
}

export function parseRef(ref: string): Ref | undefined {
  const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/s.exec(ref) ?? []
  if (name === undefined) return undefined
  return { kind: kind === 'tags' ? 'tag' : 'branch', name }
}

/** For annotated tags `after` is the tag object, so `head_commit` is used. */
export const commitSha = ({ head_commit, after }: Pick<PushPayload, 'after' | 'head_commit'>) =>
  head_commit?.id ?? after

export const firstLine = (text: string) => (text.split('\n', 1)[0] ?? '').trim().slice(0, 300)

export const toCommit = (pushed: PushPayload): z.output<typeof commit> => ({
  sha: commitSha(pushed),
  message: firstLine(pushed.head_commit?.message ?? ''),
  author: pushed.head_commit?.author?.username ?? pushed.head_commit?.author?.name ?? null,
  branch: parseRef(pushed.ref)?.name ?? null,
  url: pushed.head_commit?.url ?? '',
})

export const shortSha = (sha: string) => sha.slice(0, 7)

export function commitTime(
  head: { timestamp?: string | null | undefined } | null | undefined,
): Date | undefined {
  const time = Date.parse(head?.timestamp ?? '')
  return Number.isNaN(time) ? undefined : new Date(time)
}
