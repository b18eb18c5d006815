import { z } from 'zod'
import { label, labels, mount, ports, variable, variables, volumes } from './shared/application-fields.ts'
import { applicationParams as params } from './applications.ts'
import { endpoint } from './endpoint.ts'
import { idInput, id, reference } from './shared/ids.ts'
import { time } from './shared/text-fields.ts'
import { success } from './shared/replies.ts'

export const environmentVariable = z.object({
  id: id('variable'),
  key: z.string(),
  value: z.string().nullable().describe('Null unless values are requested and your role can read them.'),
  updated_at: time,
})
export const applicationLabel = z.object({
  id: id('label'),
  key: z.string(),
  value: z.string().nullable().describe('Null if your role cannot read the value.'),
})
export const applicationVolume = z.object({
  id: id('volume'),
  source: z.string(),
  target: z.string(),
  type: z.enum(['volume', 'bind']),
  name: z.string().nullable().describe('Name of the Docker volume; null for a server folder.'),
  size_bytes: z.number().nullable().describe('Size on the server; null if unknown.'),
  services: z
    .array(z.string())
    .nullable()
    .describe(
      'Services of the compose file that use the volume; empty for an unused volume, null for other sources.',
    ),
})
export const applicationPort = z.object({
  id: id('publishedPort'),
  service: z
    .string()
    .describe('Service of the compose file that publishes the port; empty for other sources.'),
  host: z
    .string()
    .describe('IP address of the server on which the port is published; empty for all addresses.'),
  source: z.int(),
  target: z.int(),
})

const ofVariable = params.extend({ env_id: idInput('variable') })
const ofLabel = params.extend({ label_id: idInput('label') })
const ofVolume = params.extend({ volume_id: idInput('volume') })
const ofPort = params.extend({ port_id: idInput('publishedPort') })

/** A variable of the project. A variable of the application with the same key takes precedence. */
export const inheritedVariable = environmentVariable.extend({
  id: id('projectVariable'),
  project: reference('project'),
  overridden: z.boolean().describe('Whether the application has its own variable with this key.'),
})

const manyVariables = z.object({ env: z.array(environmentVariable) })
const manyLabels = z.object({ labels: z.array(applicationLabel) })
const manyVolumes = z.object({ volumes: z.array(applicationVolume) })
const manyPorts = z.object({ ports: z.array(applicationPort) })
export const listVariables = endpoint('GET /v1/applications/{id}/env', {
  access: 'applications.read',
  resource: 'application',
  summary: 'List environment variables',
  description: 'Reading values requires permission to manage applications.',
  params,
  query: z.strictObject({ values: z.stringbool().default(true) }),
  reply: manyVariables.extend({ inherited: z.array(inheritedVariable) }),
})
export const createVariable = endpoint('POST /v1/applications/{id}/env', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Add an environment variable',
  params,
  body: variable,
  reply: z.object({ env: environmentVariable }),
  status: 201,
})
export const replaceVariables = endpoint('PUT /v1/applications/{id}/env', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Replace all environment variables',
  description:
    'Send a list, or the text of an `.env` file. Comments, `export`, quotes, escapes and multi-line values are read as in Docker Compose.',
  params,
  body: z.strictObject({ env: variables }),
  reply: manyVariables,
})
export const updateVariable = endpoint('PUT /v1/applications/{id}/env/{env_id}', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Update an environment variable',
  params: ofVariable,
  body: variable,
  reply: z.object({ env: environmentVariable }),
})
export const deleteVariable = endpoint('DELETE /v1/applications/{id}/env/{env_id}', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Remove an environment variable',
  params: ofVariable,
  reply: success,
})

export const listLabels = endpoint('GET /v1/applications/{id}/labels', {
  access: 'applications.read',
  resource: 'application',
  summary: 'List container labels',
  params,
  reply: manyLabels,
})
export const createLabel = endpoint('POST /v1/applications/{id}/labels', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Add a label',
  params,
  body: label,
  reply: z.object({ label: applicationLabel }),
  status: 201,
})
export const replaceLabels = endpoint('PUT /v1/applications/{id}/labels', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Replace all labels',
  description: 'Send a list, or text with one `key=value` per line.',
  params,
  body: z.strictObject({ labels }),
  reply: manyLabels,
})
export const updateLabel = endpoint('PUT /v1/applications/{id}/labels/{label_id}', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Update a label',
  params: ofLabel,
  body: label,
  reply: z.object({ label: applicationLabel }),
})
export const deleteLabel = endpoint('DELETE /v1/applications/{id}/labels/{label_id}', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Remove a label',
  params: ofLabel,
  reply: success,
})

export const listVolumes = endpoint('GET /v1/applications/{id}/volumes', {
  access: 'applications.read',
  resource: 'application',
  summary: 'List volumes and mounted server folders',
  params,
  query: z.strictObject({
    sizes: z.stringbool().default(false).describe('Whether to measure sizes on the server.'),
  }),
  reply: manyVolumes,
})
export const createVolume = endpoint('POST /v1/applications/{id}/volumes', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Mount a volume or server folder',
  description: 'Only admins can mount server folders.',
  params,
  body: mount,
  reply: z.object({ volume: applicationVolume }),
  status: 201,
})
export const replaceVolumes = endpoint('PUT /v1/applications/{id}/volumes', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Replace all mounts',
  description: 'Send a list, or text with one `source:target` per line. No data is deleted.',
  params,
  body: z.strictObject({ volumes }),
  reply: manyVolumes,
})
export const updateVolume = endpoint('PUT /v1/applications/{id}/volumes/{volume_id}', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Update a mount',
  params: ofVolume,
  body: mount,
  reply: z.object({ volume: applicationVolume }),
})
export const deleteVolume = endpoint('DELETE /v1/applications/{id}/volumes/{volume_id}', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Remove a mount',
  description: 'The data stays on the server.',
  params: ofVolume,
  reply: success,
})

export const listPorts = endpoint('GET /v1/applications/{id}/ports', {
  access: 'applications.read',
  resource: 'application',
  summary: 'List published ports',
  params,
  reply: manyPorts,
})
export const createPorts = endpoint('POST /v1/applications/{id}/ports', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Publish container ports on the server',
  description: 'Applies immediately.',
  params,
  body: z.strictObject({ ports }),
  reply: manyPorts,
  status: 201,
})
export const deletePort = endpoint('DELETE /v1/applications/{id}/ports/{port_id}', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Unpublish a port',
  params: ofPort,
  reply: success,
})

export const listApplicationNetworks = endpoint('GET /v1/applications/{id}/networks', {
  access: 'applications.read',
  summary: 'List the networks of an application',
  description: 'Returns the Docker networks of running containers and the host names in the project network.',
  params,
  reply: z.object({
    networks: z.array(
      z.object({
        name: z.string(),
        kind: z
          .enum(['application', 'compose', 'project'])
          .describe(
            '`application`: network between the application and the proxy. `compose`: defined in the compose file. `project`: shared by the applications of the project.',
          ),
        services: z.array(z.string()).describe('Services of the compose file in this network.'),
      }),
    ),
    project: z
      .object({ id: id('project'), name: z.string(), network: z.boolean() })
      .nullable()
      .describe('Project of the application, and whether the project network is enabled.'),
    hosts: z
      .array(z.object({ service: z.string().nullable(), host: z.string() }))
      .describe(
        'Host names at which other applications of the project on the same server reach this application.',
      ),
  }),
})
