import { z } from 'zod'
import type { Context } from '../../context.ts'
import { askGitHub, nextOf } from '../auth/github-api.ts'
import { outsideFailed } from '../../errors.ts'

/** One time that GitHub sent a delivery, or tried to. */
const sent = z.object({
  /** Of this one time. It is longer than what a number holds. */
  id: z.string(),
  /** Of the delivery, each time the same. */
  guid: z.string(),
  delivered_at: z.string().transform((text) => new Date(text)),
  status_code: z.number(),
})
export type SentByGitHub = z.output<typeof sent>

/** As far back as GitHub sends something again. */
const keptFor = 3 * 86_400_000
const mostPages = 30

/** What GitHub sent of late, the newest first. */
export async function listSent(ctx: Context, token: string, now: Date): Promise<SentByGitHub[]> {
  const all: SentByGitHub[] = []
  const since = now.getTime() - keptFor
  let path: string | undefined = '/app/hook/deliveries?per_page=100'
  for (let pages = 0; path && pages < mostPages; pages++) {
    const answer: Response = await askGitHub(ctx, { path, token })
    const read = readPage(await answer.text())
    all.push(...read.filter(({ delivered_at }) => delivered_at.getTime() > since))
    const isAll = read.some(({ delivered_at }) => delivered_at.getTime() <= since)
    path = isAll ? undefined : nextOf(answer, path)
  }
  return all
}

function readPage(text: string): SentByGitHub[] {
  try {
    return z.array(sent).parse(JSON.parse(text.replace(/"id":\s*(\d+)/g, '"id":"$1"')))
  } catch {
    throw outsideFailed('GitHub', 'the list of what it sent has another form.')
  }
}

export async function sendAgain(ctx: Context, token: string, id: string): Promise<void> {
  const path = `/app/hook/deliveries/${encodeURIComponent(id)}/attempts`
  const answer = await askGitHub(ctx, { method: 'POST', path, token })
  await answer.body?.cancel()
}
