import { toast } from 'sonner'
import { expect, test, vi } from 'vitest'
import { ApiError } from './http/api-error.ts'
import { notify } from './notify.ts'

const offered = async (status: number, code: string, url?: string) => {
  const message = `Refused: ${code}.`
  notify(new ApiError({ messages: [message], status, code, url }))
  const shown = await vi.waitUntil(() =>
    toast.getToasts().find((entry) => 'title' in entry && entry.title === message),
  )
  const action = 'action' in shown ? shown.action : undefined
  return action && typeof action === 'object' && 'label' in action ? action.label : undefined
}

test('links the plans, the overdue payment or the card page in a rejection', async () => {
  expect(await offered(402, 'plan_limit', '/dashboard/billing/choose-plan')).toBe('Choose a plan')
  expect(await offered(409, 'payment_due', 'https://invoice.example/pay')).toBe('Pay now')
  expect(await offered(409, 'payment_failed', '/dashboard/billing')).toBe('View billing')
  expect(await offered(409, 'same_plan')).toBeUndefined()
})
