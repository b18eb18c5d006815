/** Parses `8080` or `8080-8090`; undefined if invalid. */
export function parsePortRange(text: string): [number, number] | undefined {
  const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? []
  const [from, to] = [Number(first), Number(last)]
  return from >= 1 && to <= 65_535 && from <= to ? [from, to] : undefined
}

export function portsInRange(text: string): number[] {
  const [from, to] = parsePortRange(text) ?? [1, 0]
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}
