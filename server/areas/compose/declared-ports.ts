import type { Model } from './model.ts'

/** Lists TCP ports, published or not. */
export function declaredPorts({ services }: Model, name: string): number[] {
  const { ports = [], expose = [] } = services[name] ?? {}
  const exposed = (Array.isArray(expose) ? expose : []).map(String)
  const named = [
    ...ports.filter(({ protocol = 'tcp' }) => protocol === 'tcp').map(({ target }) => target),
    ...exposed.filter((one) => /^\d+(\/tcp)?$/.test(one)).map((one) => Number.parseInt(one, 10)),
  ]
  return [...new Set(named)].toSorted((a, b) => a - b)
}
