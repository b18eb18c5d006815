import * as contract from '../../../contract/alerts.ts'
import * as incidents from '../../../contract/incidents.ts'
import { successReply, route } from '../../route.ts'
import { getAlert, listAlerts } from './alert.ts'
import { createAlert } from './create-alert.ts'
import { deleteAlert } from './delete-alert.ts'
import { getIncident, listIncidents } from './list-incidents.ts'
import { muteAlert, muteIncident } from './mute.ts'
import { previewAlert } from './preview.ts'
import { updateAlert } from './update-alert.ts'

export const routes = [
  route(contract.listAlerts, (ctx, { caller, query }) => listAlerts(ctx, caller, query)),
  route(contract.createAlert, async (ctx, { caller, body }) => ({
    alert: await createAlert(ctx, caller, body),
  })),
  route(contract.getAlert, async (ctx, { caller, params }) => ({
    alert: await getAlert(ctx, caller, params.id),
  })),
  route(contract.updateAlert, async (ctx, { caller, params, body }) => ({
    alert: await updateAlert(ctx, caller, params.id, body),
  })),
  route(contract.deleteAlert, async (ctx, { caller, params }) => {
    await deleteAlert(ctx, caller, params.id)
    return successReply
  }),
  route(contract.muteAlert, async (ctx, { caller, params, body }) => ({
    alert: await muteAlert(ctx, caller, params.id, body.seconds),
  })),
  route(contract.previewAlert, async (ctx, { caller, body }) => ({
    preview: await previewAlert(ctx, caller, body),
  })),
  route(incidents.listIncidents, (ctx, { caller, query }) => listIncidents(ctx, caller, query)),
  route(incidents.getIncident, async (ctx, { caller, params }) => ({
    incident: await getIncident(ctx, caller, params.id),
  })),
  route(incidents.muteIncident, async (ctx, { caller, params, body }) => ({
    incident: await muteIncident(ctx, caller, params.id, body.seconds),
  })),
]
