const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** Formats bytes exactly, in the largest unit with a whole number: `64 MiB`, `1536 MiB`. */
export function formatBytesExact(bytes: number): string {
  let [size, unit] = [bytes, 0]
  while (size > 0 && size % 1_024 === 0 && unit < units.length - 1) {
    size /= 1_024
    unit++
  }
  return `${size} ${units[unit]}`
}

/** Formats bytes with one decimal: `1.9 GiB`. */
export function formatBytes(bytes: number): string {
  const unit = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${Number((bytes / 1_024 ** unit).toFixed(1))} ${units[unit]}`
}
