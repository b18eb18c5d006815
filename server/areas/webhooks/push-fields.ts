import type { z } from 'zod'
import type { commit } from '../../../contract/shared/repository-fields.ts'
import type { PushPayload } from './github-payloads.ts'

/** Branch or tag of a push. */
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

/** Commit time as set by the author. */
export function commitTime(
  head: { timestamp?: string | null | undefined } | null | undefined,
): Date | undefined {
  const time = Date.parse(head?.timestamp ?? '')
  return Number.isNaN(time) ? undefined : new Date(time)
}
