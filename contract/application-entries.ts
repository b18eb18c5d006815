import { z } from 'zod'
import { label, labels, mount, ports, variable, variables, volumes } from './shared/application-fields.ts'
import { applicationParams as params } from './applications.ts'
import { endpoint } from './endpoint.ts'
import { givenId, id, time } from './shared/ids.ts'
import { success } from './shared/page.ts'

export const environmentVariable = z.object({
  id: id('variable'),
  key: z.string(),
  value: z
    .string()
    .nullable()
    .meta({ description: 'Null for who may not read it, and when it was not asked for.' }),
  updated_at: time,
})
export const applicationLabel = z.object({
  id: id('label'),
  key: z.string(),
  value: z.string().nullable().meta({ description: 'Null for who may not read it.' }),
})
export const applicationVolume = z.object({
  id: id('volume'),
  source: z.string(),
  target: z.string(),
  type: z.enum(['volume', 'bind']),
  name: z
    .string()
    .nullable()
    .meta({ description: 'What Docker calls it on the server; null for a folder of the server.' }),
  size_bytes: z.number().nullable().meta({ description: 'Null while it is not known.' }),
  services: z.array(z.string()).nullable().meta({
    description:
      'Of a compose file: which of its services use it; none where it is only left over. Else null.',
  }),
})
export const applicationPort = z.object({
  id: id('publishedPort'),
  service: z.string().meta({ description: 'Of its compose file, which names the port; else empty.' }),
  host: z.string().meta({ description: 'Where the server listens for it; empty for all its addresses.' }),
  source: z.number().int(),
  target: z.number().int(),
  lost: z.string().nullable().meta({
    description:
      'Why it does not lead here, where the machine used it for something else before; as a sentence.',
  }),
})

const ofVariable = params.extend({ env_id: givenId('variable') })
const ofLabel = params.extend({ label_id: givenId('label') })
const ofVolume = params.extend({ volume_id: givenId('volume') })
const ofPort = params.extend({ port_id: givenId('publishedPort') })

/** What an application gets from its project; a variable of its own with the same key wins. */
export const inheritedVariable = environmentVariable.extend({
  id: id('projectVariable'),
  project: z.object({ id: id('project'), name: z.string() }),
  overridden: z.boolean().meta({ description: 'Whether the application has one of its own instead.' }),
})

const manyVariables = z.object({ env: z.array(environmentVariable) })
const manyLabels = z.object({ labels: z.array(applicationLabel) })
const manyVolumes = z.object({ volumes: z.array(applicationVolume) })
const manyPorts = z.object({ ports: z.array(applicationPort) })
export const listVariables = endpoint('GET /v1/applications/{id}/env', {
  access: 'applications.read',
  resource: 'application',
  summary: 'Its environment variables, in their order; values only for who may change them',
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
  summary: 'Replace all environment variables: a list, or text with KEY=value a line',
  params,
  body: z.strictObject({ env: variables }),
  reply: manyVariables,
})
export const updateVariable = endpoint('PUT /v1/applications/{id}/env/{env_id}', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Change an environment variable',
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
  summary: 'The labels that its containers get',
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
  summary: 'Replace all labels: a list, or text with key=value a line',
  params,
  body: z.strictObject({ labels }),
  reply: manyLabels,
})
export const updateLabel = endpoint('PUT /v1/applications/{id}/labels/{label_id}', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Change a label',
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
  summary: 'What is mounted into its containers',
  params,
  query: z.strictObject({
    sizes: z
      .stringbool()
      .default(false)
      .meta({ description: 'Whether the server is asked how large they are.' }),
  }),
  reply: manyVolumes,
})
export const createVolume = endpoint('POST /v1/applications/{id}/volumes', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Mount a volume, or for admins a folder of the server',
  params,
  body: mount,
  reply: z.object({ volume: applicationVolume }),
  status: 201,
})
export const replaceVolumes = endpoint('PUT /v1/applications/{id}/volumes', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Replace all mounts: a list, or text with source:target a line. Nothing on the server is deleted',
  params,
  body: z.strictObject({ volumes }),
  reply: manyVolumes,
})
export const updateVolume = endpoint('PUT /v1/applications/{id}/volumes/{volume_id}', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Change a mount',
  params: ofVolume,
  body: mount,
  reply: z.object({ volume: applicationVolume }),
})
export const deleteVolume = endpoint('DELETE /v1/applications/{id}/volumes/{volume_id}', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Mount it no longer; what is in it stays on the server',
  params: ofVolume,
  reply: success,
})

export const listPorts = endpoint('GET /v1/applications/{id}/ports', {
  access: 'applications.read',
  resource: 'application',
  summary: 'The ports of the server that lead to it',
  params,
  reply: manyPorts,
})
export const createPorts = endpoint('POST /v1/applications/{id}/ports', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Publish ports of its containers on the server; takes effect at once',
  params,
  body: z.strictObject({ ports }),
  reply: manyPorts,
  status: 201,
})
export const deletePort = endpoint('DELETE /v1/applications/{id}/ports/{port_id}', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Publish a port no longer',
  params: ofPort,
  reply: success,
})

export const listApplicationNetworks = endpoint('GET /v1/applications/{id}/networks', {
  access: 'applications.read',
  summary: 'The Docker networks of its running containers, and the host names in the network of its project',
  params,
  reply: z.object({
    networks: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['application', 'compose', 'project', 'shared']).meta({
          description:
            '`application`: its own, in which the proxy reaches it. `compose`: named in its file. `shared`: by all applications of the server, until its next deployment.',
        }),
        services: z.array(z.string()).meta({ description: 'Of compose: those that are in it.' }),
      }),
    ),
    project: z
      .object({ id: id('project'), name: z.string(), network: z.boolean() })
      .nullable()
      .meta({ description: 'Its project, and whether that has its network turned on.' }),
    hosts: z
      .array(z.object({ service: z.string().nullable(), host: z.string() }))
      .meta({ description: 'By which other applications of its project reach it on the same server.' }),
  }),
})
