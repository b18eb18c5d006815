interface Parts {
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
}

/** `/v1/servers/{id}` with its parameters put in and its query behind; what is undefined or null is left out. */
export function fillPath(path: string, { params = {}, query = {} }: Parts): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (params[name] === undefined) throw new Error(`${path} needs ${name}.`)
    return encodeURIComponent(asText(params[name]))
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) search.set(name, asText(value))
  return search.size > 0 ? `${filled}?${search}` : filled
}

/** An address without its query: what a ticket is asked for with. */
export const pathOf = (address: string) => address.split('?')[0] ?? ''

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
