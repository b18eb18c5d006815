import * as contract from '../../../../contract/application-entries.ts'
import { successReply, route } from '../../../route.ts'
import { entryUseCases } from './entry-list.ts'
import { labels, listLabels } from './labels.ts'
import { listApplicationNetworks } from '../networks.ts'
import { listPorts, publishApplicationPorts, unpublishPort } from './ports.ts'
import { listVariables, variables } from './variables.ts'
import { listVolumes, volumes } from './volumes.ts'

const variableEntries = entryUseCases(variables)
const labelEntries = entryUseCases(labels)
const volumeEntries = entryUseCases(volumes)

export const entryRoutes = [
  route(contract.listVariables, (ctx, { caller, params, query }) =>
    listVariables(ctx, caller, params.id, query.values),
  ),
  route(contract.createVariable, async (ctx, { caller, params, body }) => ({
    env: await variableEntries.create(ctx, caller, params.id, body),
  })),
  route(contract.replaceVariables, async (ctx, { caller, params, body }) => ({
    env: await variableEntries.replace(ctx, caller, params.id, body.env),
  })),
  route(contract.updateVariable, async (ctx, { caller, params, body }) => ({
    env: await variableEntries.update(ctx, caller, params.id, params.env_id, body),
  })),
  route(contract.deleteVariable, async (ctx, { caller, params }) => {
    await variableEntries.delete(ctx, caller, params.id, params.env_id)
    return successReply
  }),

  route(contract.listLabels, async (ctx, { caller, params }) => ({
    labels: await listLabels(ctx, caller, params.id),
  })),
  route(contract.createLabel, async (ctx, { caller, params, body }) => ({
    label: await labelEntries.create(ctx, caller, params.id, body),
  })),
  route(contract.replaceLabels, async (ctx, { caller, params, body }) => ({
    labels: await labelEntries.replace(ctx, caller, params.id, body.labels),
  })),
  route(contract.updateLabel, async (ctx, { caller, params, body }) => ({
    label: await labelEntries.update(ctx, caller, params.id, params.label_id, body),
  })),
  route(contract.deleteLabel, async (ctx, { caller, params }) => {
    await labelEntries.delete(ctx, caller, params.id, params.label_id)
    return successReply
  }),

  route(contract.listVolumes, async (ctx, { caller, params, query }) => ({
    volumes: await listVolumes(ctx, caller, params.id, query.sizes),
  })),
  route(contract.createVolume, async (ctx, { caller, params, body }) => ({
    volume: await volumeEntries.create(ctx, caller, params.id, body),
  })),
  route(contract.replaceVolumes, async (ctx, { caller, params, body }) => ({
    volumes: await volumeEntries.replace(ctx, caller, params.id, body.volumes),
  })),
  route(contract.updateVolume, async (ctx, { caller, params, body }) => ({
    volume: await volumeEntries.update(ctx, caller, params.id, params.volume_id, body),
  })),
  route(contract.deleteVolume, async (ctx, { caller, params }) => {
    await volumeEntries.delete(ctx, caller, params.id, params.volume_id)
    return successReply
  }),

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
