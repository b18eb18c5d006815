export const isSameKey = (one: string, other: string) => materialOf(one) === materialOf(other)

const materialOf = (line: string) => line.trim().split(/\s+/).slice(0, 2).join(' ')
