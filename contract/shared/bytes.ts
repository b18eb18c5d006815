const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

export function formatBytes(bytes: number): string {
  const unit = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10))
  const value = bytes / 1024 ** unit
  return `${value >= 10 || unit === 0 ? Math.round(value) : Number(value.toFixed(1))} ${units[unit]}`
}

export function formatBytesExact(bytes: number): string {
  let [size, unit] = [bytes, 0]
  while (size > 0 && size % 1024 === 0 && unit < units.length - 1) {
    size /= 1024
    unit++
  }
  return `${size} ${units[unit]}`
}
