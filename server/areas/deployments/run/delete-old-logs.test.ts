import { afterAll, expect, test } from 'vitest'
import { getDeployment } from '../../../../contract/deployments.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import { makeApplication, makeDeployment } from '../../../../test/support/factories/application-factories.ts'
import { startSlipway } from '../../../../test/support/stages/context.ts'
import { makeServer, makeTeam, nowhere } from '../../../../test/support/factories/factories.ts'
import { appendOutput } from '../../outputs/output.ts'
import { deleteOldLogs } from './delete-old-logs.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { ctx, db } = slipway
const { workspace, member } = await makeTeam(db)
const server = await makeServer(ctx, workspace, nowhere())

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

/** Creates deployments with one log line each, oldest first. */
async function makeDeployments(count: number, finished_at: Date | null): Promise<Id<'deployment'>[]> {
  const id = await makeApplication(db, workspace, server)
  const made: Id<'deployment'>[] = []
  for (let nth = 0; nth < count; nth++) {
    const one = await makeDeployment(db, workspace, { id, server }, { finished_at })
    await appendOutput(ctx, db, workspace, one, [{ stream: 'stdout', text: 'Done.\n' }])
    made.push(one)
  }
  return made
}

const look = async (id: string) =>
  (await slipway.ok(getDeployment, { token: member.token, params: { id } })).deployment

test('deletes logs older than thirty days beyond the last fifty', async () => {
  const [old, few, young] = [
    await makeDeployments(153, daysAgo(31)),
    await makeDeployments(2, daysAgo(400)),
    await makeDeployments(52, daysAgo(29)),
  ]
  await deleteOldLogs(db, new AbortController().signal)
  const left = await db.selectFrom('outputs').select('source').distinct().execute()
  expect(left.map(({ source }) => source).toSorted()).toEqual(
    [...old.slice(103), ...few, ...young].toSorted(),
  )
  expect((await look(old[102] ?? '')).data).toMatchObject({ logs: [], deleted: true })
  expect((await look(old[103] ?? '')).data).toMatchObject({ logs: ['Done.'], deleted: false })
})
