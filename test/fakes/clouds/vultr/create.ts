import { z } from 'zod'
import type { Call } from '../answer.ts'
import { need, refuse } from './answers.ts'
import { plans, regions, systems } from './catalogue.ts'
import { keysOf } from './keys.ts'
import { show } from './show.ts'

const host = /^[a-zA-Z0-9]([a-zA-Z0-9.-]{0,61}[a-zA-Z0-9])?$/
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const wanted = z.object({
  region: z.string({ error: 'Invalid region.' }),
  plan: z.string({ error: 'Invalid plan chosen.' }),
  os_id: z.number({ error: 'Invalid os_id.' }).int(),
  label: z.string({ error: 'Invalid label.' }).default(''),
  hostname: z.string({ error: 'Invalid hostname.' }).regex(host, { error: 'Invalid hostname.' }).optional(),
  sshkey_id: z.array(z.string(), { error: 'Invalid sshkey_id.' }).default([]),
  tags: z.array(z.string().min(1).max(255), { error: 'Invalid tags.' }).default([]),
  user_data: z
    .string({ error: 'Invalid user_data.' })
    .regex(base64, { error: 'Invalid user_data: it must be base64 encoded.' })
    .default(''),
  enable_ipv6: z.boolean({ error: 'Invalid enable_ipv6.' }).default(false),
  activation_email: z.boolean({ error: 'Invalid activation_email.' }).default(false),
  backups: z.enum(['enabled', 'disabled'], { error: 'Invalid backups.' }).default('disabled'),
})

const failed = (why: string) => refuse(400, `Server add failed: ${why}`)

export async function create(call: Call) {
  need(call, 'provisioning')
  const { state } = call
  const { data, error } = wanted.safeParse(call.body ?? {})
  if (!data) throw refuse(400, error.issues[0]?.message ?? 'Invalid request.')
  if (!regions.some(({ id }) => id === data.region)) throw refuse(400, 'Invalid region.')
  const plan = plans.find(({ id }) => id === data.plan)
  if (!plan?.locations.includes(data.region)) throw refuse(400, 'Invalid plan chosen.')
  const system = systems.find(({ id }) => id === data.os_id)
  if (!system) throw refuse(400, 'Invalid os_id.')
  if (['iso', 'snapshot', 'backup', 'application'].includes(system.family))
    throw refuse(400, `${system.name} needs more than an os_id.`)
  if (plan.ram < 1_000) throw failed(`${system.name} requires a plan with at least 1000 MB memory.`)
  const keys = data.sshkey_id.map((by) => {
    const found = keysOf(call).find(({ id }) => id === by)
    if (!found) throw refuse(400, 'Invalid SSH key ID.')
    return found
  })
  if (state.soldOut.has(`${plan.id}@${data.region}`))
    throw failed('Plan is not available in the selected region.')
  if (state.servers.filter((one) => one.account === call.account).length >= state.quota)
    throw failed('You have reached the maximum number of active virtual machines for this account.')
  const instance = await call.makeServer({
    // What a person sees is the label; the host has its own name.
    name: data.label,
    region: data.region,
    type: plan.id,
    image: String(system.id),
    labels: { hostname: data.hostname ?? 'vultr' },
    tags: data.tags,
    keys,
    userData: Buffer.from(data.user_data, 'base64').toString(),
  })
  return { status: 202, body: { instance: { ...show(instance), default_password: 'x9$Wb2{cD7' } } }
}
