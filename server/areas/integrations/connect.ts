import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { createIntegration } from '../../../contract/integrations.ts'
import type { Context } from '../../context.ts'
import { integrationNotConfigured, Invalid, notFound, Problem } from '../../errors.ts'
import { emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { findGitHubApp, type GitHubApp } from '../auth/github-app.ts'
import { authorizeUrl, exchangeForToken } from '../auth/github-oauth.ts'
import { readAppDetails } from './installation-token.ts'
import { checkOAuthState, sealOAuthState } from './oauth-state.ts'
import { type Installation, listOwnedInstallations } from './owned-installations.ts'
import {
  presentIntegration,
  adoptSources,
  deleteReplacedIntegrations,
  listIntegrationsById,
  upsertIntegration,
} from './integration.ts'

type ConnectInput = z.output<(typeof createIntegration)['body']>

const callbackUrl = ({ config }: Context) => `${config.PUBLIC_URL}/dashboard/integrations/github/callback`

async function getApp(ctx: Context, provider: string): Promise<GitHubApp> {
  if (provider !== 'github') throw notFound('This provider')
  const app = await findGitHubApp(ctx)
  if (!app) throw integrationNotConfigured('GitHub')
  return app
}

export async function startConnecting(ctx: Context, actor: Actor, provider: string, installed: boolean) {
  const app = await getApp(ctx, provider)
  const state = sealOAuthState(ctx, actor, 'connect')
  if (installed) return authorizeUrl(ctx, app.client, { redirect_uri: callbackUrl(ctx), state })
  const { html_url: page } = await readAppDetails(ctx, app)
  return `${page}/installations/new?state=${encodeURIComponent(state)}`
}

/** Installation IDs can be guessed, so the user must prove ownership. */
export async function connectIntegrations(ctx: Context, actor: Actor, provider: string, input: ConnectInput) {
  if (input.provider !== undefined && input.provider !== provider)
    throw new Invalid({ provider: ['Must match the path.'] })
  const app = await getApp(ctx, provider)
  const { code, state, installation_id } = input
  if (!code || !state)
    throw new Problem(
      400,
      'connecting_unproved',
      'GitHub did not identify the user, so no account was connected. Open Integrations and select Connect, or “Use existing installation” if the app is already installed.',
    )
  checkOAuthState(ctx, actor, 'connect', state)
  const token = await exchangeForToken(ctx, app.client, { code, state, callback: callbackUrl(ctx) })
  const installations = await listOwnedInstallations(ctx, actor.workspace.id, {
    token,
    installation: installation_id,
  })
  const ids = await transaction(ctx.db, async (trx) => {
    const created: Id<'integration'>[] = []
    for (const installation of installations) created.push(await saveIntegration(trx, actor, installation))
    return created
  })
  const rows = await listIntegrationsById(ctx.db, actor.workspace.id, ids)
  return rows.map((row) => presentIntegration(ctx, row))
}

async function saveIntegration(
  trx: Trx,
  actor: Actor,
  { id: installation_id, account, ...installation }: Installation,
) {
  const fresh = newId('integration')
  const workspace_id = actor.workspace.id
  const { id } = await upsertIntegration(trx, {
    id: fresh,
    workspace_id,
    provider: 'github',
    installation_id,
    account_id: account.id,
    account: account.login,
    account_type: account.type,
    avatar: account.avatar_url,
    repositories: installation.repository_selection,
  })
  const connected = { id, account_id: account.id, account: account.login }
  await adoptSources(trx, workspace_id, connected)
  await deleteReplacedIntegrations(trx, workspace_id, connected)
  const target = { kind: 'integration', id, name: account.login }
  await emit(trx, actor, workspace_id, id === fresh ? 'integration.created' : 'integration.changed', target)
  return id
}
