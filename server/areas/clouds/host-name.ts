import type { ServerRow } from '../servers/server.ts'

const longest = 63

/** A server's name as clouds and machines take it: letters, digits and dashes. */
export function hostNameOf({ id, name }: Pick<ServerRow, 'id' | 'name'>): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, longest)
    .replace(/-+$/, '')
  // A name of digits alone is taken for a number here and there.
  return /[a-z]/.test(plain) ? plain : `server-${plain || id.slice(-8)}`.slice(0, longest)
}
