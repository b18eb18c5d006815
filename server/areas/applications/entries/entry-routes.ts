import * as contract from '../../../../contract/application-entries.ts'
import { successReply, route } from '../../../route.ts'
import { createEntry, deleteEntry, replaceEntries, updateEntry, findWrittenEntry } from './entry-list.ts'
import { labels, listLabels, presentLabel } from './labels.ts'
import { listApplicationNetworks } from '../networks.ts'
import { listPorts, publishApplicationPorts, unpublishPort } from './ports.ts'
import { listVariables, presentVariable, variables } from './variables.ts'
import { listVolumes, presentVolume, volumes } from './volumes.ts'

const ofVariables = [
  route(contract.listVariables, (ctx, { caller, params, query }) =>
    listVariables(ctx, caller, params.id, query.values),
  ),
  route(contract.createVariable, async (ctx, { caller, params, body }) => {
    const { rows } = await createEntry(ctx, caller, params.id, variables, body)
    return { env: presentVariable(ctx, findWrittenEntry(variables, rows, body)) }
  }),
  route(contract.replaceVariables, async (ctx, { caller, params, body }) => {
    const { rows } = await replaceEntries(ctx, caller, params.id, variables, body.env)
    return { env: rows.map((row) => presentVariable(ctx, row)) }
  }),
  route(contract.updateVariable, async (ctx, { caller, params, body }) => {
    const { rows } = await updateEntry(ctx, caller, params.id, variables, params.env_id, body)
    return { env: presentVariable(ctx, findWrittenEntry(variables, rows, body)) }
  }),
  route(contract.deleteVariable, async (ctx, { caller, params }) => {
    await deleteEntry(ctx, caller, params.id, variables, params.env_id)
    return successReply
  }),
]

const ofLabels = [
  route(contract.listLabels, async (ctx, { caller, params }) => ({
    labels: await listLabels(ctx, caller, params.id),
  })),
  route(contract.createLabel, async (ctx, { caller, params, body }) => {
    const { rows } = await createEntry(ctx, caller, params.id, labels, body)
    return { label: presentLabel(ctx, findWrittenEntry(labels, rows, body)) }
  }),
  route(contract.replaceLabels, async (ctx, { caller, params, body }) => {
    const { rows } = await replaceEntries(ctx, caller, params.id, labels, body.labels)
    return { labels: rows.map((row) => presentLabel(ctx, row)) }
  }),
  route(contract.updateLabel, async (ctx, { caller, params, body }) => {
    const { rows } = await updateEntry(ctx, caller, params.id, labels, params.label_id, body)
    return { label: presentLabel(ctx, findWrittenEntry(labels, rows, body)) }
  }),
  route(contract.deleteLabel, async (ctx, { caller, params }) => {
    await deleteEntry(ctx, caller, params.id, labels, params.label_id)
    return successReply
  }),
]

const ofVolumes = [
  route(contract.listVolumes, async (ctx, { caller, params, query }) => ({
    volumes: await listVolumes(ctx, caller, params.id, query.sizes),
  })),
  route(contract.createVolume, async (ctx, { caller, params, body }) => {
    const { owner: application, rows } = await createEntry(ctx, caller, params.id, volumes, body)
    return { volume: presentVolume(application, findWrittenEntry(volumes, rows, body)) }
  }),
  route(contract.replaceVolumes, async (ctx, { caller, params, body }) => {
    const { owner: application, rows } = await replaceEntries(ctx, caller, params.id, volumes, body.volumes)
    return { volumes: rows.map((row) => presentVolume(application, row)) }
  }),
  route(contract.updateVolume, async (ctx, { caller, params, body }) => {
    const { owner: application, rows } = await updateEntry(
      ctx,
      caller,
      params.id,
      volumes,
      params.volume_id,
      body,
    )
    return { volume: presentVolume(application, findWrittenEntry(volumes, rows, body)) }
  }),
  route(contract.deleteVolume, async (ctx, { caller, params }) => {
    await deleteEntry(ctx, caller, params.id, volumes, params.volume_id)
    return successReply
  }),
]

const ofPorts = [
  route(contract.listPorts, async (ctx, { caller, params }) => ({
    ports: await listPorts(ctx, caller, params.id),
  })),
  route(contract.createPorts, async (ctx, { caller, params, body }) => ({
    ports: await publishApplicationPorts(ctx, caller, params.id, body.ports),
  })),
  route(contract.deletePort, async (ctx, { caller, params }) => {
    await unpublishPort(ctx, caller, params.id, params.port_id)
    return successReply
  }),
  route(contract.listApplicationNetworks, (ctx, { caller, params }) =>
    listApplicationNetworks(ctx, caller, params.id),
  ),
]

export const entryRoutes = [...ofVariables, ...ofLabels, ...ofVolumes, ...ofPorts]
