import { z } from 'zod'
import { api, type NamedEndpoint } from '../../contract/api.ts'
import { needsPlan, needsSession } from '../../contract/endpoint.ts'
import { permissions, permissionScopes, type Role } from '../../contract/shared/permissions.ts'
import { invalid, problem } from '../../contract/shared/replies.ts'
import { version } from '../root.ts'

export const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

const json = (schema: object) => ({ content: { 'application/json': { schema } } })

let cachedDocument: ReturnType<typeof write> | undefined

export const openApi = () => (cachedDocument ??= write())

function write() {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of api) {
    const path = (paths[endpoint.path] ??= {})
    path[endpoint.method.toLowerCase()] = operation(endpoint)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Slipway', version, description: 'Deploy and operate applications on your own servers.' },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: toJsonSchema(problem, 'output'), Invalid: toJsonSchema(invalid, 'output') },
    },
  }
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'For 24 hours, requests with the same key return the response of the first request.',
  schema: { type: 'string', maxLength: 255 },
}

const noPlan = {
  description: 'The workspace has no active plan. Returned only if billing is on.',
  ...json({ $ref: '#/components/schemas/Problem' }),
}

function operation(endpoint: NamedEndpoint) {
  return {
    operationId: endpoint.name,
    tags: [endpoint.area],
    summary: endpoint.summary,
    ...describe(endpoint),
    security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
    parameters: [
      ...parameters(endpoint.params, 'path'),
      ...parameters(endpoint.query, 'query'),
      ...(endpoint.idempotent ? [idempotencyKey] : []),
    ],
    ...(endpoint.body
      ? { requestBody: { required: true, ...json(toJsonSchema(endpoint.body, 'input')) } }
      : {}),
    responses: {
      [successStatus(endpoint)]: { description: 'The request succeeded.', ...replyContent(endpoint) },
      ...(needsPlan(endpoint) ? { 402: noPlan } : {}),
      422: {
        description: 'One or more fields are invalid.',
        ...json({ $ref: '#/components/schemas/Invalid' }),
      },
      default: { description: 'The request failed.', ...json({ $ref: '#/components/schemas/Problem' }) },
    },
  }
}

function describe(endpoint: NamedEndpoint) {
  const description = [endpoint.description, describeAccess(endpoint)].filter(Boolean).join(' ')
  return description === '' ? {} : { description }
}

const successStatus = ({ kind, status }: NamedEndpoint) => (kind === 'socket' ? 101 : (status ?? 200))

export function describeAccess(endpoint: NamedEndpoint): string {
  const { access, resource } = endpoint
  if (access === 'public') return ''
  if (access === 'instance') return 'Access: instance owners. API tokens are not accepted.'
  const role = access === 'user' ? 'Access: any user' : describeRole(permissions[access].role)
  if (needsSession(endpoint)) return `${role}. API tokens are not accepted.`
  const scope = access === 'user' ? 'read' : permissionScopes[access]
  const limited = resource ? '' : ' Tokens limited to projects or applications are not accepted.'
  return `${role}. API tokens: scope ${scope} or higher.${limited}`
}

const describeRole = (role: Role) => `Access: role ${role}${role === 'owner' ? '' : ' or higher'}`

function replyContent(endpoint: NamedEndpoint) {
  const schema = toJsonSchema(endpoint.reply, 'output')
  if (endpoint.kind === 'events') return { content: { 'text/event-stream': { schema } } }
  if (endpoint.kind === 'file') return { content: { [endpoint.type ?? 'text/plain']: { schema } } }
  return json(schema)
}

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query') {
  if (!schema) return []
  return Object.entries(schema.shape).map(([name, part]) => ({
    name,
    in: place,
    required: place === 'path' || !part.safeParse(undefined).success,
    schema: toJsonSchema(part, 'input'),
  }))
}
