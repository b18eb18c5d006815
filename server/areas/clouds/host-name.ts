import type { ServerRow } from '../servers/server.ts'

const longest = 63

export function toHostName({ id, name }: Pick<ServerRow, 'id' | 'name'>): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, longest)
    .replace(/-+$/, '')
  // Some providers treat a numeric name as a number.
  return /[a-z]/.test(plain) ? plain : `server-${plain || id.slice(-8)}`.slice(0, longest)
}
