import { createHash } from 'node:crypto'
import { api } from '../../contract/api.ts'
import { openApi, describeAccess } from './openapi.ts'

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

/** Constant: built from the contract at first use. */
let cachedDocs: { page: string; policy: string } | undefined

/** Includes a content security policy that allows only its own style. */
export const apiDocs = () => (cachedDocs ??= write())

function write() {
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`
  return { page: docsPage(), policy }
}

/** One page without scripts, generated from the contract. */
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
<div><p>${describeAccess(endpoint) || 'No authentication required.'}</p>${(endpoint.params ?? endpoint.query) ? block('Parameters', part('parameters')) : ''}${block('Body', part('requestBody'))}${block('Replies', part('responses'))}</div></details>`
}
