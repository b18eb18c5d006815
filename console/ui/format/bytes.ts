const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** "16 GiB", "1.5 GiB": in steps of 1024, which the unit says. */
export function bytesInWords(bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10))
  const value = bytes / 1024 ** step
  return `${value >= 10 || step === 0 ? Math.round(value) : Number(value.toFixed(1))} ${units[step]}`
}
