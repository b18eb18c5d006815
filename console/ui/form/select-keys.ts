/** Returns the option that a key moves to; undefined for other keys. */
export function nextOptionIndex(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(at + 1, count - 1)
  if (key === 'ArrowUp') return Math.max(at - 1, 0)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

/** Type-ahead: repeating a letter moves to the next match. */
export function typeAheadIndex(labels: readonly string[], typed: string, at: number): number | undefined {
  const repeated = /^(.)\1*$/.test(typed)
  const prefix = (repeated ? typed.slice(0, 1) : typed).toLowerCase()
  const order = labels.map((_, index) => (index + at + (repeated ? 1 : 0)) % labels.length)
  return order.find((index) => labels[index]?.toLowerCase().startsWith(prefix))
}
