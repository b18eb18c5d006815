import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { conflict, Problem } from '../../errors.ts'
import { isLoopback } from '../../platform/net/is-loopback.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import { getSettings } from '../../settings.ts'
import type { Db } from '../../tables.ts'
import { anybodyThere } from './store.ts'

type Scope = Pick<Context, 'bus' | 'db' | 'config' | 'secrets'>

/**
 * How the first account is created: by anybody who reaches the sign-up page, or only with the set-up link, which whoever
 * reads the output of the start has. `done` once there is an account.
 */
export async function findSetupState(ctx: Scope): Promise<'open' | 'link' | 'done'> {
  if (await anybodyThere(ctx.db)) return 'done'
  return (await needsSetupLink(ctx)) ? 'link' : 'open'
}

/** Beyond loopback anybody could come first, unless the operator has said that everybody may sign up. */
export const needsSetupLink = async (ctx: Scope): Promise<boolean> =>
  isExposed(ctx.config) && (await getSettings(ctx)).signup !== 'open'

/** Whether others than the users of this machine reach Slipway: directly, or through a reverse proxy on this machine. */
const isExposed = ({ HOST, PUBLIC_URL, TRUST_PROXY }: Context['config']) =>
  !isLoopback(HOST) || !isLoopback(new URL(PUBLIC_URL).hostname) || TRUST_PROXY !== undefined

/** Creates the link that the start prints; undefined if none is needed. */
export const createLinkAtStart = async (ctx: Scope): Promise<string | undefined> =>
  (await findSetupState(ctx)) === 'link' ? replaceLink(ctx) : undefined

/** A new link; the one before stops working. */
export async function createSetupLink(ctx: Pick<Context, 'config' | 'db'>): Promise<string> {
  if (await anybodyThere(ctx.db))
    throw conflict('set_up_already', 'This Slipway is set up: there is an account. Ask for an invite.')
  return replaceLink(ctx)
}

/** Does not check for an account: one that is created at the same time makes the link unusable, which is harmless. */
async function replaceLink({ config, db }: Pick<Context, 'config' | 'db'>): Promise<string> {
  const token = newToken('sup')
  await sql`insert into instance (name, value) values ('setup_link', ${hashToken(token)})
    on conflict (name) do update set value = excluded.value`.execute(db)
  return `${config.PUBLIC_URL}/signup?setup=${token}`
}

/** Throws unless this is the token of the latest set-up link. */
export async function checkSetupLink(db: Db, token: string | undefined): Promise<void> {
  const { rows } = await sql`
    select from instance where name = 'setup_link' and value = ${hashToken(token ?? '')}`.execute(db)
  if (rows.length === 0)
    throw new Problem(
      403,
      'setup_link_needed',
      'The first account of this Slipway is created with the set-up link that its start prints. Open that link, or run `npm run admin -- setup-link` on the machine to get a new one.',
    )
}

export const deleteSetupLink = (db: Db) => sql`delete from instance where name = 'setup_link'`.execute(db)
