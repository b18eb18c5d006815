import type { z } from 'zod'
import { api, type NamedEndpoint } from '../../contract/api.ts'
import { version } from '../root.ts'
import { describeAccess, toJsonSchema } from './openapi.ts'

/** The page may load only files of the console. `docs.js` filters the list and opens the linked endpoint. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'"

type JsonSchema = z.core.JSONSchema.BaseSchema

let cached: { page: string; policy: string } | undefined

/** The API reference: one page rendered from the contract, complete without its script. */
export const apiReference = () => (cached ??= { page: render(), policy })

function render(): string {
  const areas = [...new Set(api.map(({ area }) => area))].toSorted()
  const links = areas.map((area) => `<a href="#${area}">${areaTitle(area)}</a>`)
  const sections = areas.map((area) => {
    const endpoints = api.filter((endpoint) => endpoint.area === area).toSorted(byPath)
    return `<section id="${area}"><h2>${areaTitle(area)}</h2>${endpoints.map(renderEndpoint).join('')}</section>`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>API reference · Slipway</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="/icon.svg">
<script src="/theme.js"></script><link rel="stylesheet" href="/docs.css"><script src="/docs.js" defer></script></head><body>
<header><a href="/dashboard"><img src="/icon.svg" alt="" width="24" height="24">Slipway</a><span>API reference</span>
<input type="search" placeholder="Search endpoints" aria-label="Search endpoints" hidden>
<a href="/dashboard">Back <span>to the console</span></a></header>
<div><nav aria-label="Sections"><a href="#start">Getting started</a>${links.join('')}</nav>
<main>${start}${sections.join('')}<p id="none" role="status" hidden>No endpoint matches.</p></main></div></body></html>`
}

const order = ['GET', 'POST', 'PUT', 'DELETE']
const byPath = (a: NamedEndpoint, b: NamedEndpoint) =>
  a.path.localeCompare(b.path) || order.indexOf(a.method) - order.indexOf(b.method)

function areaTitle(area: string): string {
  if (area === 'application-entries') return 'Application configuration'
  const words = area.replaceAll('-', ' ').replace(/^api /, 'API ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const start = `<section id="start"><h1>Slipway API</h1>
<p>Everything that the console does goes through this API. It is described by <a href="/v1/openapi.json">OpenAPI 3.1</a>; this is version ${version}.</p>
<h3>Authentication</h3><p>Create an API token under Settings and send it with every request:</p>
<pre tabindex="0">curl -H "Authorization: Bearer $TOKEN" "$SLIPWAY_URL/v1/applications"</pre>
<h3>Errors</h3><p>A failed request returns <code>{ "error": "…", "code": "…" }</code>: a sentence for people and a code for programs. Invalid
fields return status 422 and <code>{ "errors": { "field": ["…"] } }</code>. Status 429 has a <code>Retry-After</code> header.</p>
<h3>Lists</h3><p>Lists return <code>page.next</code> and <code>page.total</code>. Pass <code>page.next</code> as <code>cursor</code> for the next page.</p>
<h3>Retries</h3><p>Requests that create or start something accept an <code>Idempotency-Key</code> header: a repeated request gets the first response.</p>
<h3>Streams</h3><p>Logs and live updates are Server-Sent Events. Send <code>Last-Event-ID</code> to resume. Terminals are WebSockets. Browsers pass
a ticket of <code>POST /v1/stream-tickets</code> as <code>token</code> in the query.</p></section>`

function renderEndpoint(endpoint: NamedEndpoint): string {
  const { name, method, path, summary, description, params, query, body, reply } = endpoint
  return `<details id="${name}"><summary><b class="${method.toLowerCase()}">${method}</b><code>${path}</code><span>${escape(summary)}</span></summary><div>
${description ? `<p>${prose(description)}</p>` : ''}<p>${escape(describeAccess(endpoint) || 'No authentication required.')}</p>
${table('Path parameters', params, 'input')}${table('Query parameters', query, 'input')}${table('Request body', body, 'input')}${table('Response', reply, 'output')}</div></details>`
}

function table(title: string, schema: z.ZodType | undefined, io: 'input' | 'output'): string {
  if (!schema) return ''
  const json = toJsonSchema(schema, io)
  return `<h3>${title}</h3>${renderFields(json) || `<p><code>${escape(typeName(json))}</code></p>`}`
}

/** Renders nested objects as nested lists, and a schema without fields as an empty string. */
function renderFields(schema: JsonSchema, depth = 0): string {
  const parts = (schema.anyOf ?? schema.oneOf ?? []).filter(isSchema)
  if (parts.length > 0)
    return parts
      .map((part) => renderFields(part, depth))
      .filter(Boolean)
      .join('<p>or</p>')
  const [items] = [schema.items].flat()
  if (items !== undefined && isSchema(items)) return renderFields(items, depth)
  const fields = Object.entries(schema.properties ?? {})
  if (fields.length === 0 || depth > 5) return ''
  const rows = fields.map(([name, field]) => {
    if (!isSchema(field)) return ''
    const optional = schema.required?.includes(name) ? '' : ' <i>optional</i>'
    const note = field.description ? ` ${prose(field.description)}` : ''
    return `<li><code>${escape(name)}</code> <span>${escape(typeName(field))}</span>${optional}${note}${renderFields(field, depth + 1)}</li>`
  })
  return `<ul>${rows.join('')}</ul>`
}

const isSchema = (schema: JsonSchema | boolean): schema is JsonSchema => typeof schema !== 'boolean'

function typeName(schema: JsonSchema): string {
  const parts = (schema.anyOf ?? schema.oneOf ?? []).filter(isSchema)
  if (parts.length > 0) return [...new Set(parts.map(typeName))].join(' or ')
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(', ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const [items] = [schema.items].flat()
  if (schema.type === 'array') return `array of ${items && isSchema(items) ? typeName(items) : 'values'}`
  const kind = [schema.type ?? 'any'].flat().join(' or ')
  return [kind, schema.format && `(${schema.format})`, limits(schema)].filter(Boolean).join(' ')
}

function limits({ minimum, maximum, maxLength, default: initial }: JsonSchema): string {
  const shown = (value?: number) => value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER
  return [
    shown(minimum) && `from ${minimum}`,
    shown(maximum) && `to ${maximum}`,
    maxLength !== undefined && `up to ${maxLength} characters`,
    initial !== undefined && `default ${JSON.stringify(initial)}`,
  ]
    .filter(Boolean)
    .join(' ')
}

const prose = (text: string) => escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
const escape = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
