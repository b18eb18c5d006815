/** Which option a key leads to; undefined for a key that leads nowhere. */
export function optionAfter(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(at + 1, count - 1)
  if (key === 'ArrowUp') return Math.max(at - 1, 0)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

/** The option that begins with what is typed; the same letter again goes on to the next one. */
export function optionTyped(labels: readonly string[], typed: string, at: number): number | undefined {
  const repeated = /^(.)\1*$/.test(typed)
  const wanted = (repeated ? typed.slice(0, 1) : typed).toLowerCase()
  const order = labels.map((_, index) => (index + at + (repeated ? 1 : 0)) % labels.length)
  return order.find((index) => labels[index]?.toLowerCase().startsWith(wanted))
}
