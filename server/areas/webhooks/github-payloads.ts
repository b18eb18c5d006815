import { z } from 'zod'

/** Used fields of GitHub payloads. */
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

/** Common fields of all events. */
const anyEvent = z.object({
  installation: z.object({ id: z.number() }).nullish(),
  repository: z
    .object({
      full_name: z.string().max(300),
      // Seconds for push events; text, which is ignored, for others.
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

/** Undefined if the text is not a valid GitHub event. */
export function parseGitHubEvent(payload: string): GitHubEvent | undefined {
  try {
    return anyEvent.parse(JSON.parse(payload))
  } catch {
    return undefined
  }
}
