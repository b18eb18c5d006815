import type { Context } from '../../../context.ts'
import { enqueue } from '../../../platform/jobs.ts'
import type { Trx } from '../../../tables.ts'
import type { Deployment } from './deployment.ts'
import { laneOf, placesOnServer } from './places.ts'

/** How often it is tried when Slipway itself fails under it. */
export const deployAttempts = 6

type Secrets = Pick<Context, 'secrets'>
type Of = Pick<Deployment, 'workspace_id' | 'application_id' | 'server_id' | 'id' | 'type'>

/** One at a time for an application. */
const jobOf = ({ workspace_id, application_id, id }: Of) => ({
  kind: 'deploy',
  payload: { workspace_id, deployment_id: id },
  key: `application:${application_id}`,
  attempts: deployAttempts,
})

/** A few at a time on a server. */
export const enqueueDeploy = ({ secrets }: Secrets, trx: Trx, of: Of) =>
  enqueue(secrets, trx, {
    ...jobOf(of),
    group: { name: `${laneOf(of.type)}:${of.server_id}`, limit: placesOnServer },
    lane: laneOf(of.type),
  })

/** For what is left once the new release takes the traffic. */
export const enqueueDrain = ({ secrets }: Secrets, trx: Trx, of: Of) =>
  enqueue(secrets, trx, { ...jobOf(of), lane: 'drain' })
