import { sql } from 'kysely'
import { stepNames } from '../../../contract/deployments.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { TestSlipway } from './context.ts'

/** Steps of a repository deployment on a server that is set up. */
export const everyStep = stepNames.filter((name) => name !== 'setup')

export type Step = Exclude<(typeof stepNames)[number], 'build' | 'setup'>

/** Steps without a build. */
export const unbuiltSteps = everyStep.filter((name): name is Step => name !== 'build')

/** A step without a build, or the rollback of a failed deployment. */
export type Moment = Step | 'undo'

/** Reports steps when they start, through a database trigger. */
export async function watchSteps({ db, ctx }: Pick<TestSlipway, 'db' | 'ctx'>) {
  await sql`
    create function tell_step() returns trigger language plpgsql as $$
    begin
      perform pg_notify('steps', (select application_id from deployments where id = new.deployment_id) || ' ' ||
        case new.status when 'failed' then 'undo' else new.name end);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger tell_step after update on deployment_steps for each row
    when (new.status in ('running', 'failed') and old.status <> new.status) execute function tell_step()`.execute(
    db,
  )
  const waiting = new Map<string, () => void>()
  ctx.bus.on('steps', (payload) => waiting.get(payload)?.())
  await ctx.bus.ready()
  return {
    /** Subscribe before the deployment starts. */
    next: (application: Id<'application'>, moment: Moment | 'build') =>
      new Promise<void>((resolve) => void waiting.set(`${application} ${moment}`, resolve)),
    isIn: async (id: Id<'deployment'>, moment: Moment | 'build'): Promise<boolean> => {
      const found = await db
        .selectFrom('deployment_steps')
        .innerJoin('deployments', 'deployments.id', 'deployment_steps.deployment_id')
        .select('deployment_steps.name')
        .where('deployments.id', '=', id)
        .where('deployments.status', '=', 'running')
        .where('deployment_steps.status', '=', moment === 'undo' ? 'failed' : 'running')
        .execute()
      return found.some(({ name }) => moment === 'undo' || name === moment)
    },
  }
}
