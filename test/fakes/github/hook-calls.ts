import { z } from 'zod'
import { type Call, json, missing, Refusal } from './answer.ts'
import type { Attempt } from './apps.ts'
import { asApp } from './authenticate.ts'
import { send } from './webhooks.ts'

const told = z.looseObject({
  action: z.string().optional(),
  installation: z.object({ id: z.number() }).optional(),
  repository: z.object({ id: z.number() }).optional(),
})

const show = (attempt: Attempt) => {
  const { action, installation, repository } = told.parse(JSON.parse(attempt.body))
  return {
    id: String(attempt.id),
    guid: attempt.guid,
    delivered_at: attempt.deliveredAt.toISOString(),
    redelivery: attempt.redelivery,
    duration: 0.1,
    status: attempt.status,
    status_code: attempt.statusCode,
    event: attempt.event,
    action: action ?? null,
    installation_id: installation?.id ?? null,
    repository_id: repository?.id ?? null,
    throttled_at: null,
  }
}

/** The newest first; the next page begins at a cursor, not at a number. */
export function listDeliveries(call: Call) {
  const { url, state, response } = call
  const all = asApp(call).attempts.toReversed()
  const size = Math.min(100, Number(url.searchParams.get('per_page') ?? 30))
  const cursor = url.searchParams.get('cursor')
  const from = cursor === null ? 0 : all.findIndex(({ id }) => `v1_${id}` === cursor)
  if (from < 0) throw new Refusal(422, 'Invalid cursor.')
  const next = all[from + size]
  const link = `${state.url}/app/hook/deliveries?per_page=${size}&cursor=v1_${next?.id}`
  const body = JSON.stringify(all.slice(from, from + size).map(show))
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    ...(next && { link: `<${link}>; rel="next"` }),
  })
  return response.end(body.replace(/"id":"(\d+)"/g, '"id":$1'))
}

/** Sends it once more, a moment after it was asked for, as the same delivery. */
export function redeliver(call: Call) {
  const app = asApp(call)
  const found = app.attempts.find(({ id }) => String(id) === call.params['id'])
  if (!found) throw missing()
  if (found.deliveredAt.getTime() < Date.now() - 3 * 86_400_000)
    throw new Refusal(422, 'This delivery is too old to be delivered again.')
  const { event, guid: delivery, body } = found
  setImmediate(() => void send(app, event, {}, { delivery, body, redelivery: true }))
  return json(call, 202, {})
}
