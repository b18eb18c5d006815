import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { type Actor, holds } from '../../route.ts'
import { getApplicationRow } from '../applications/application.ts'
import { requestDeployment } from './request-deployment.ts'

type Operation = 'restart_application' | 'stop_application' | 'start_application'

/** Of the release that it has when its turn comes. */
export async function operate(ctx: Context, actor: Actor, id: Id<'application'>, type: Operation) {
  return requestDeployment(ctx, actor, await getApplicationRow(ctx, actor, id), { type })
}

/** To a kept release; without one to that which took the traffic before the one that does when its turn comes. */
export async function rollBack(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  release: Id<'release'> | undefined,
) {
  const application = await getApplicationRow(ctx, actor, id)
  const mayEmpower = holds(actor, 'binds.manage')
  return requestDeployment(ctx, actor, application, { type: 'rollback_application', release, mayEmpower })
}
