import { z } from 'zod'
import { api, type NamedEndpoint } from '../../contract/api.ts'
import { needsPlan, needsSession } from '../../contract/endpoint.ts'
import { permissions, permissionScopes } from '../../contract/shared/permissions.ts'
import { invalid, problem } from '../../contract/shared/replies.ts'
import { version } from '../root.ts'
import { createHash } from 'node:crypto'

const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output') => {
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
  description: 'The workspace has no plan. Only if billing is on.',
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

function describeAccess(endpoint: NamedEndpoint): string {
  const { access, resource } = endpoint
  if (access === 'public') return ''
  if (access === 'instance') return 'Access: instance owners. API tokens are not accepted.'
  const role = access === 'user' ? 'Access: any user' : `Access: role ${permissions[access].role} or higher`
  if (needsSession(endpoint)) return `${role}. API tokens are not accepted.`
  const scope = access === 'user' ? 'read' : permissionScopes[access]
  const limited = resource ? '' : ' Tokens limited to projects or applications are not accepted.'
  return `${role}. API tokens: scope ${scope} or higher.${limited}`
}

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

const style = `
:root{color-scheme:light dark;--line:#8884;--dim:#667}
@media(prefers-color-scheme:dark){:root{--dim:#9ab}}
body{font:14px/1.6 system-ui,sans-serif;max-width:960px;margin:0 auto;padding:32px 20px}
h1{font-size:24px}h2{font-size:18px;margin-top:40px;text-transform:capitalize}
details{border:1px solid var(--line);border-radius:8px;margin:8px 0}
summary{padding:10px 14px;cursor:pointer}summary code{font-weight:600}summary span{color:var(--dim);margin-left:8px}
details>div{padding:0 14px 14px}pre{overflow:auto;background:#8881;padding:12px;border-radius:8px;font-size:12px}
p{margin:8px 0}a{color:inherit}`

const escape = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const block = (title: string, value: unknown) =>
  value === undefined
    ? ''
    : `<p>${title}</p><pre tabindex="0">${escape(JSON.stringify(value, null, 2))}</pre>`

let cachedDocs: { page: string; policy: string } | undefined

export const apiDocs = () => (cachedDocs ??= buildDocs())

function buildDocs() {
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`
  return { page: docsPage(), policy }
}

function docsPage(): string {
  const { paths } = openApi()
  const areas = [...new Set(api.map((endpoint) => endpoint.area))]
  const sections = areas.map((area) => {
    const items = api.filter((endpoint) => endpoint.area === area)
    return `<section><h2>${area.replaceAll('-', ' ')}</h2>${items.map((endpoint) => item(endpoint, paths)).join('')}</section>`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>API · Slipway</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><style>${style}</style></head><body><main>
<h1>Slipway API</h1>
<p>Send an API token as <code>Authorization: Bearer …</code>; create one under Settings. Requests and responses are JSON.
Errors are <code>{ "error", "code" }</code>; invalid fields are <code>{ "errors": { field: [message] } }</code> with status 422.
For programs: <a href="/v1/openapi.json">openapi.json</a>.</p>
${sections.join('')}</main></body></html>`
}

function item(endpoint: (typeof api)[number], paths: ReturnType<typeof openApi>['paths']) {
  const operation = paths[endpoint.path]?.[endpoint.method.toLowerCase()]
  const part = (name: string): unknown => Object.entries(operation ?? {}).find(([key]) => key === name)?.[1]
  return `<details id="${endpoint.name}"><summary><code>${endpoint.method} ${endpoint.path}</code><span>${escape(endpoint.summary)}</span></summary>
<div>${endpoint.description ? `<p>${escape(endpoint.description)}</p>` : ''}<p>${describeAccess(endpoint) || 'No authentication required.'}</p>${(endpoint.params ?? endpoint.query) ? block('Parameters', part('parameters')) : ''}${block('Body', part('requestBody'))}${block('Responses', part('responses'))}</div></details>`
}
