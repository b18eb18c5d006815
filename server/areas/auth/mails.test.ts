import { expect, onTestFinished, test, vi } from 'vitest'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { enqueue } from '../../platform/jobs.ts'
import { jobRetryDelay } from '../../platform/jobs.ts'
import { mailAttempts } from './mails.ts'

test('retries a mail while the mail server is unreachable for 90 minutes', () => {
  const waits = Array.from({ length: mailAttempts - 1 }, (_, failures) => jobRetryDelay(failures, 0))
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThanOrEqual(1.5 * 3_600)
})

test('keeps and logs a mail when the worker has no mail server', async () => {
  const slipway = await startSlipway()
  onTestFinished(() => slipway.close())
  const payload = { to: 'ada@example.com', subject: 'Hello', text: 'Hello' }
  const id = await enqueue(slipway.ctx.secrets, slipway.db, {
    kind: 'send-mail',
    payload,
    attempts: mailAttempts,
  })
  slipway.work()
  await vi.waitFor(() =>
    expect(slipway.lines.join('\n')).toMatch(/Failed to run a job; retrying .*send-mail/),
  )
  const { rows } = await slipway.ctx.pool.query('select state from jobs where id = $1', [id])
  expect(rows).not.toEqual([{ state: 'done' }])
})
