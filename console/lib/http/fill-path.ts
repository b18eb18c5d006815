interface Parts {
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
}

/** Fills path parameters and appends the query. Undefined and null values of the query are omitted. */
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

/** Returns the path for which a stream ticket is requested. */
export const stripQuery = (address: string) => address.split('?')[0] ?? ''

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
