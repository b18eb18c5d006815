import { z } from 'zod'
import { api, type NamedEndpoint } from '../../contract/api.ts'
import { needsPlan, needsSession } from '../../contract/endpoint.ts'
import { permissions, permissionScopes } from '../../contract/shared/permissions.ts'
import { invalid, problem } from '../../contract/shared/problem.ts'
import { version } from '../version.ts'

const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

const json = (schema: object) => ({ content: { 'application/json': { schema } } })

/** Constant: built from the contract at first use. */
let cachedDocument: ReturnType<typeof write> | undefined

/** OpenAPI 3.1 of the whole contract. */
export const openApi = () => (cachedDocument ??= write())

function write() {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of api) {
    const path = (paths[endpoint.path] ??= {})
    path[endpoint.method.toLowerCase()] = operation(endpoint)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Slipway', version, description: 'Deploys and operates applications on servers.' },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: schemaOf(problem, 'output'), Invalid: schemaOf(invalid, 'output') },
    },
  }
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Repeated requests with the same key return the first response for 24 hours.',
  schema: { type: 'string', maxLength: 255 },
}

const noPlan = {
  description: 'The workspace has no plan (only when billing is on)',
  ...json({ $ref: '#/components/schemas/Problem' }),
}

function operation(endpoint: NamedEndpoint) {
  return {
    operationId: endpoint.name,
    tags: [endpoint.area],
    summary: endpoint.summary,
    ...(describeAccess(endpoint) ? { description: describeAccess(endpoint) } : {}),
    security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
    parameters: [
      ...parameters(endpoint.params, 'path'),
      ...parameters(endpoint.query, 'query'),
      ...(endpoint.idempotent ? [idempotencyKey] : []),
    ],
    ...(endpoint.body ? { requestBody: { required: true, ...json(schemaOf(endpoint.body, 'input')) } } : {}),
    responses: {
      [statusOf(endpoint)]: { description: 'Success', ...contentOf(endpoint) },
      ...(needsPlan(endpoint) ? { 402: noPlan } : {}),
      422: { description: 'Invalid fields', ...json({ $ref: '#/components/schemas/Invalid' }) },
      default: { description: 'Error', ...json({ $ref: '#/components/schemas/Problem' }) },
    },
  }
}

/** WebSocket endpoints respond with 101; the schema describes their messages. */
const statusOf = ({ kind, status }: NamedEndpoint) => (kind === 'socket' ? 101 : (status ?? 200))

export function describeAccess(endpoint: NamedEndpoint): string {
  const { access, resource } = endpoint
  if (access === 'public') return ''
  if (access === 'instance') return 'Instance owners only. API tokens are not accepted.'
  const role = access === 'user' ? 'Any user' : `Role ${permissions[access].role} or above`
  if (needsSession(endpoint)) return `${role}. API tokens are not accepted.`
  const scope = access === 'user' ? 'read' : permissionScopes[access]
  const limited = resource ? '' : ' Tokens limited to projects or applications are not accepted.'
  return `${role}. API tokens: scope ${scope} or above.${limited}`
}

function contentOf(endpoint: NamedEndpoint) {
  const schema = schemaOf(endpoint.reply, 'output')
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
    schema: schemaOf(part, 'input'),
  }))
}
