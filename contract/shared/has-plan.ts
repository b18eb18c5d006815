import type { z } from 'zod'
import type { workspace } from '../workspaces.ts'

type Plan = Pick<z.output<typeof workspace>, 'on_trial' | 'subscription'>

export const hasPlan = ({ on_trial, subscription }: Plan) =>
  on_trial ||
  (subscription?.stripe_status === 'active' && ['active', 'trialing'].includes(subscription.status))
