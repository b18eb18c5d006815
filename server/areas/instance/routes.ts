import * as contract from '../../../contract/instance.ts'
import { successReply, route } from '../../route.ts'
import { listInstanceAudit } from './audit.ts'
import { getOverview } from './overview.ts'
import { deleteUser, endAccess, getUser, listUsers, updateUser } from './people.ts'
import { showSettings, updateSettings } from './settings.ts'
import { sendTestMail } from './test-mail.ts'
import { disableThisMachine, enableThisMachine, getThisMachine } from './this-machine.ts'
import { deleteWorkspace, listWorkspaces, lockWorkspace } from './workspaces.ts'

export const routes = [
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
    return { user: await getUser(ctx, params.id) }
  }),
  route(contract.endInstanceUserAccess, async (ctx, { caller, params }) => {
    await endAccess(ctx, caller, params.id)
    return { user: await getUser(ctx, params.id) }
  }),
  route(contract.deleteInstanceUser, async (ctx, { caller, params, body }) => {
    await deleteUser(ctx, caller, params.id, body.email)
    return successReply
  }),
  route(contract.listInstanceWorkspaces, (ctx, { query }) => listWorkspaces(ctx, query)),
  route(contract.updateInstanceWorkspace, async (ctx, { caller, params, body }) => ({
    workspace: await lockWorkspace(ctx, caller, params.id, body.locked),
  })),
  route(contract.deleteInstanceWorkspace, async (ctx, { caller, params, body }) => {
    await deleteWorkspace(ctx, caller, params.id, body.name)
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
