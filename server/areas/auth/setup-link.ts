import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { conflict, Problem } from '../../errors.ts'
import { isLoopback } from '../../platform/net/address-range.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import { getSettings } from '../../settings.ts'
import type { Db } from '../../tables.ts'
import { anyUserExists } from './store.ts'

type SetupContext = Pick<Context, 'settingsCache' | 'db' | 'config' | 'secrets'>

/**
 * Returns who may create the first account: everyone, or only the holder of the setup link that is printed at startup.
 */
export async function findSetupState(ctx: SetupContext): Promise<'open' | 'link' | 'done'> {
  if (await anyUserExists(ctx.db)) return 'done'
  return (await needsSetupLink(ctx)) ? 'link' : 'open'
}

/**
 * Returns whether the first account needs the setup link. If other machines can reach Slipway, anyone could sign up
 * first.
 */
export const needsSetupLink = async (ctx: SetupContext): Promise<boolean> =>
  isExposed(ctx.config) && (await getSettings(ctx)).signup !== 'open'

/** Returns whether Slipway is reachable from other machines, directly or through a local reverse proxy. */
const isExposed = ({ HOST, PUBLIC_URL, TRUST_PROXY }: Context['config']) =>
  !isLoopback(HOST) || !isLoopback(new URL(PUBLIC_URL).hostname) || TRUST_PROXY !== undefined

export const createSetupLinkAtStart = async (ctx: SetupContext): Promise<string | undefined> =>
  (await findSetupState(ctx)) === 'link' ? replaceLink(ctx) : undefined

export async function createSetupLink(ctx: Pick<Context, 'config' | 'db'>): Promise<string> {
  if (await anyUserExists(ctx.db))
    throw conflict('set_up_already', 'This instance is already set up. Ask for an invite.')
  return replaceLink(ctx)
}

/**
 * Replaces the setup link without checking for an account: if one is created at the same time, the link has no effect.
 */
async function replaceLink({ config, db }: Pick<Context, 'config' | 'db'>): Promise<string> {
  const token = newToken('sup')
  await sql`insert into instance (name, value) values ('setup_link', ${hashToken(token)})
    on conflict (name) do update set value = excluded.value`.execute(db)
  return `${config.PUBLIC_URL}/signup?setup=${token}`
}

export async function checkSetupLink(db: Db, token: string | undefined): Promise<void> {
  const { rows } = await sql`
    select from instance where name = 'setup_link' and value = ${hashToken(token ?? '')}`.execute(db)
  if (rows.length === 0)
    throw new Problem(
      403,
      'setup_link_needed',
      'The first account requires the setup link that is printed at startup. Open that link, or run `npm run admin -- setup-link` on the machine to create a new one.',
    )
}

export const deleteSetupLink = (db: Db) => sql`delete from instance where name = 'setup_link'`.execute(db)
