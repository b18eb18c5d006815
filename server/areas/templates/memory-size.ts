const units = { MB: 1_024 ** 2, GB: 1_024 ** 3 }

/** `512 MB`, `1.5 GB`: nothing for anything else. Both count by 1,024, as memory is sold. */
export function parseMemory(given: string): number | undefined {
  const { number, unit } =
    /^(?<number>\d{1,4}(?:\.\d{1,2})?) ?(?<unit>MB|GB)$/.exec(given.trim())?.groups ?? {}
  if (number === undefined || (unit !== 'MB' && unit !== 'GB')) return undefined
  return Math.round(Number(number) * units[unit])
}

/** The same the other way round, for a template that is drafted. */
export const formatMemory = (bytes: number) =>
  bytes >= units.GB ? `${Number((bytes / units.GB).toFixed(2))} GB` : `${Math.ceil(bytes / units.MB)} MB`
