import { sql } from 'kysely'
import type { stepNames } from '../contract/deployments.ts'
import type { Id } from '../contract/ids.ts'
import type { TestSlipway } from './context.ts'

type Step = (typeof stepNames)[number]

/** Tells at which step deployments are at the moment they begin it: the database itself says so. */
export async function watchSteps({ db, ctx }: Pick<TestSlipway, 'db' | 'ctx'>) {
  await sql`
    create function tell_step() returns trigger language plpgsql as $$
    begin
      perform pg_notify('steps', (select application_id from deployments where id = new.deployment_id) || ' ' || new.name);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger tell_step after update on deployment_steps for each row
    when (new.status = 'running' and old.status <> 'running') execute function tell_step()`.execute(db)
  const waiting = new Map<string, () => void>()
  ctx.bus.on('steps', (told) => waiting.get(told)?.())
  await ctx.bus.ready()
  return {
    /** Resolves when a deployment of the application begins it. Ask before that is begun. */
    next: (application: Id<'application'>, step: Step) =>
      new Promise<void>((resolve) => void waiting.set(`${application} ${step}`, resolve)),
  }
}
