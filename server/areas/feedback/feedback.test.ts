import { afterAll, expect, test } from 'vitest'
import { sendFeedback } from '../../../contract/feedback.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeTeam } from '../../../test/support/factories/factories.ts'
import { startMailbox } from '../../../test/support/fakes/mailbox.ts'
import { formatFeedback, listFeedback } from './feedback.ts'

const mailbox = await startMailbox()
const slipway = await startSlipway({ SMTP_URL: mailbox.url, OPERATOR_EMAIL: 'harbour@example.com' })
const unset = await startSlipway()
afterAll(async () => {
  await Promise.all([slipway.close(), unset.close()])
  await mailbox.close()
})

const body = { message: 'The log\nis quick.', kind: 'idea', page: '/dashboard/servers?q=web' }

test('stores feedback and mails it to the operator with the author as reply address', async () => {
  slipway.work()
  const { viewer } = await makeTeam(slipway.db)
  await slipway.ok(sendFeedback, { token: viewer.token, body })
  const letter = await mailbox.next('harbour@example.com')
  expect(letter.subject).toContain('Feedback (idea) from')
  expect(letter.text).toContain('  The log\n  is quick.')
  expect(letter.replyTo?.[0]?.address).toBe(viewer.email)
  expect(letter.link).toBe(`${slipway.ctx.config.PUBLIC_URL}/dashboard/servers?q=web`)
  const [row] = await listFeedback(slipway.db)
  expect(row).toMatchObject({ message: body.message, kind: 'idea', email: viewer.email })
  expect(row && formatFeedback(row)).toContain('on /dashboard/servers?q=web\n  The log\n  is quick.')
})

test('stores feedback without a configured address', async () => {
  const { owner } = await makeTeam(unset.db)
  await unset.ok(sendFeedback, { token: owner.token, body: { message: 'Hello' } })
  expect(await listFeedback(unset.db)).toMatchObject([{ message: 'Hello', kind: 'other' }])
})

test('rejects empty, too long and anonymous feedback', async () => {
  const { owner } = await makeTeam(unset.db)
  const refuse = (message: string) =>
    unset.refused(sendFeedback, { token: owner.token, body: { message } }, 422)
  expect((await refuse('  \n')).body).toEqual({ errors: { message: ['Must not be empty.'] } })
  expect((await refuse('a'.repeat(5_001))).body).toEqual({
    errors: { message: ['Must have at most 5000 characters.'] },
  })
  expect((await unset.call('POST /v1/feedback', { body: { message: 'Hello' } })).status).toBe(401)
})
