import type { Area } from '../../area.ts'
import * as contract from '../../../contract/instance.ts'
import type { getInstance } from '../../../contract/instance.ts'
import { route, successReply } from '../../route.ts'
import { deleteUser, endAccess, getInstanceUser, listUsers, updateUser } from './users.ts'
import { sendTestMail, showSettings, updateSettings } from './settings.ts'
import { disableThisMachine, enableThisMachine, getThisMachine } from './this-machine.ts'
import { deleteInstanceWorkspace, listInstanceWorkspaces, setWorkspaceLock } from './workspaces.ts'
import { instanceEvents } from '../../../contract/shared/events.ts'
import { toAuditEntry } from '../../events.ts'
import type { Context } from '../../context.ts'
import type { SearchQuery } from '../../platform/pagination.ts'
import { listInstanceEvents, readInstanceCounts } from './store.ts'
import type { z } from 'zod'
import { version } from '../../root.ts'

const startedAt = new Date(Date.now() - process.uptime() * 1000)

async function getOverview(ctx: Context): Promise<z.input<(typeof getInstance)['reply']>> {
  const { workers, failing_mails, ...counts } = await readInstanceCounts(ctx.db)
  const database = ctx.health()
  return {
    instance: {
      version,
      public_url: ctx.config.PUBLIC_URL,
      started_at: startedAt.toISOString(),
      health: {
        database: database.ok ? healthy : { ok: false, problem: database.reason },
        worker:
          workers > 0
            ? healthy
            : { ok: false, problem: 'No worker is running. Start a process with ROLE=worker or ROLE=all.' },
        mail: mailHealth(ctx, failing_mails),
      },
      counts,
    },
  }
}

const healthy = { ok: true, problem: null }

function mailHealth({ mail }: Context, failing: number) {
  if (!mail) return { ok: true, problem: 'No email server is configured, so no email is sent.' }
  if (failing === 0) return healthy
  const emails = failing === 1 ? '1 email' : `${failing} emails`
  return { ok: false, problem: `Could not send ${emails}. Send a test email to see why.` }
}

async function listInstanceAudit(ctx: Context, query: SearchQuery) {
  const { rows, page } = await listInstanceEvents(ctx.db, query)
  return { entries: rows.map((row) => toAuditEntry(row, instanceEvents[row.type])), page }
}

const routes = [
  route(contract.getInstance, (ctx) => getOverview(ctx)),
  route(contract.getInstanceSettings, async (ctx) => ({ settings: await showSettings(ctx) })),
  route(contract.updateInstanceSettings, async (ctx, { caller, body }) => {
    await updateSettings(ctx, caller, body)
    return { settings: await showSettings(ctx) }
  }),
  route(contract.testInstanceMail, async (ctx, { caller }) => ({
    ...successReply,
    to: await sendTestMail(ctx, caller),
  })),
  route(contract.listInstanceUsers, (ctx, { query }) => listUsers(ctx, query)),
  route(contract.updateInstanceUser, async (ctx, { caller, params, body }) => {
    await updateUser(ctx, caller, params.id, body)
    return { user: await getInstanceUser(ctx, params.id) }
  }),
  route(contract.endInstanceUserAccess, async (ctx, { caller, params }) => {
    await endAccess(ctx, caller, params.id)
    return { user: await getInstanceUser(ctx, params.id) }
  }),
  route(contract.deleteInstanceUser, async (ctx, { caller, params, body }) => {
    await deleteUser(ctx, caller, params.id, body.email)
    return successReply
  }),
  route(contract.listInstanceWorkspaces, (ctx, { query }) => listInstanceWorkspaces(ctx, query)),
  route(contract.updateInstanceWorkspace, async (ctx, { caller, params, body }) => ({
    workspace: await setWorkspaceLock(ctx, caller, params.id, body.locked),
  })),
  route(contract.deleteInstanceWorkspace, async (ctx, { caller, params, body }) => {
    await deleteInstanceWorkspace(ctx, caller, params.id, body.name)
    return successReply
  }),
  route(contract.getThisMachine, async (ctx, { caller }) => ({
    this_machine: await getThisMachine(ctx, caller),
  })),
  route(contract.enableThisMachine, async (ctx, { caller, body }) => {
    await enableThisMachine(ctx, caller, body.workspace_id)
    return { this_machine: await getThisMachine(ctx, caller) }
  }),
  route(contract.disableThisMachine, async (ctx, { caller }) => {
    await disableThisMachine(ctx, caller)
    return { this_machine: await getThisMachine(ctx, caller) }
  }),
  route(contract.listInstanceAudit, (ctx, { query }) => listInstanceAudit(ctx, query)),
]

export const instanceArea: Area = {
  name: 'instance',
  routes,
}
