import { z } from 'zod'
import { type Call, json, page, readBody, unfit } from './answer.ts'
import { ofRepository } from './authenticate.ts'
import { commitOf } from './bare.ts'
import type { CommitStatus } from './state.ts'

const given = z.object({
  state: z.string().optional(),
  target_url: z.string().nullish(),
  description: z.string().nullish(),
  context: z.string().default('default'),
})

/** As strict as the real one about what a status may say. */
export async function createStatus(call: Call) {
  const { state } = call
  const { repository, token } = ofRepository(call, 'statuses', 'write')
  const sha = await commitOf(repository, call.params['sha'] ?? '')
  const read = given.safeParse(await readBody(call))
  const wrong = (field: string, message: string) =>
    unfit({ resource: 'Status', code: 'custom', field, message })
  if (!read.success) throw unfit({ resource: 'Status', code: 'invalid' })
  const said = read.data
  if (!['error', 'failure', 'pending', 'success'].includes(said.state ?? ''))
    throw wrong('state', 'state is not included in the list')
  if ((said.description?.length ?? 0) > 140)
    throw wrong('description', 'description is too long (maximum is 140 characters)')
  if (said.context.length > 255) throw wrong('context', 'context is too long (maximum is 255 characters)')
  if (said.target_url && !/^https?:\/\/./.test(said.target_url))
    throw wrong('target_url', 'target_url must use http(s) scheme')
  const before = state.statuses.filter((one) => one.sha === sha && one.context === said.context)
  if (before.length >= 1000)
    throw wrong('base', 'This SHA and context has reached the maximum number of statuses.')
  const status: CommitStatus = {
    id: state.nextId(),
    repository: repository.fullName,
    sha,
    state: said.state ?? '',
    context: said.context,
    description: said.description ?? null,
    target_url: said.target_url ?? null,
    creator: `${token.installation.app.slug}[bot]`,
  }
  state.statuses.push(status)
  return json(call, 201, status)
}

/** The newest first. */
export async function listStatuses(call: Call) {
  const { repository } = ofRepository(call, 'statuses')
  const sha = await commitOf(repository, call.params['ref'] ?? '')
  const all = call.state.statuses.filter((one) => one.sha === sha && one.repository === repository.fullName)
  const { items, headers } = page(call, all.toReversed())
  return json(call, 200, items, headers)
}
