const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']

/** "16 GB", "1.5 GB": in steps of 1024, as memory and disks are spoken of. */
export function bytesInWords(bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10))
  const value = bytes / 1024 ** step
  return `${value >= 10 || step === 0 ? Math.round(value) : Number(value.toFixed(1))} ${units[step]}`
}
